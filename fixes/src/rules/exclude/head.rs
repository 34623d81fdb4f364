//! Entries that name the head, where the head is stored quantized: the one question whose answer takes entries away.

use json_splice::{Kind, Operation};
use serde_json::{Map, Value};
use unsnag_core::rule::{Evidence, FileEdit, Gap, Look, Rule};

use super::super::support::{cured, refused, text};
use super::Sites;
use super::list::{Dialect, ExcludeList, lists, modelopt_covers};
use super::modules::is_quantized;

const HEAD: &str = "lm_head";
/// Where ModelOpt's settings stand.
const SETTINGS: [(&str, &str); 2] = [
    ("config.json", "/quantization_config"),
    ("hf_quant_config.json", "/quantization"),
];

#[derive(Debug)]
struct Head;

pub(super) fn build(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(Head))
}

impl Rule for Head {
    fn sites(&self, look: &Look<'_, '_>) -> Sites {
        let gap = |gap| vec![gap];
        let lists: Vec<ExcludeList> = lists(look)?
            .into_iter()
            .filter(|list| list.dialect == Dialect::ModelOpt)
            .filter(|list| list.entries.iter().any(|entry| names_head(entry)))
            .collect();
        if lists.is_empty() || !has_format(look).map_err(gap)? {
            return Ok(Vec::new());
        }
        let names = look.weights().names().map_err(gap)?;
        let stored = names
            .iter()
            .filter_map(|name| name.strip_suffix(".weight"))
            .find(|module| is_head(module) && is_quantized(module, names));
        let Some(stored) = stored else {
            return Ok(Vec::new());
        };
        let label = "names lm_head, which is stored quantized";
        let evidence: Vec<Evidence> = lists
            .iter()
            .map(|list| look.evidence(&list.file, &list.pointer, label))
            .collect();
        let wide = lists
            .iter()
            .flat_map(|list| &list.entries)
            .find(|entry| !names_head(entry) && modelopt_covers(entry, stored));
        Ok(vec![match wide {
            Some(entry) => refused(
                HEAD,
                evidence,
                format!("`{entry}` covers lm_head together with other modules"),
            ),
            None => cured(
                HEAD,
                evidence,
                "none: the head runs as it is stored",
                lists.iter().flat_map(removals).collect(),
            ),
        }])
    }
}

/// `lm_head`, also below a wrapper.
fn is_head(module: &str) -> bool {
    module.rsplit('.').next() == Some(HEAD)
}

/// An entry for the head and nothing else, such as `lm_head*` or `language_model.lm_head`.
fn names_head(entry: &str) -> bool {
    is_head(entry.trim_matches('*'))
}

/// Whether engines find a format for the head once it is not excluded: in mixed precision they look it up by name.
fn has_format(look: &Look<'_, '_>) -> Result<bool, Gap> {
    let mut mixed = false;
    let mut listed = false;
    for (file, place) in SETTINGS {
        let Some(settings) = look.at(file, place)? else {
            continue;
        };
        mixed |= text(settings.get("quant_algo")).as_deref() == Some("MIXED_PRECISION");
        if let Some(layers) = settings
            .get("quantized_layers")
            .filter(|layers| layers.kind() == Kind::Object)
        {
            listed |= layers.members().any(|layer| is_head(&layer.name()));
        }
    }
    Ok(listed || !mixed)
}

/// From the end, so that no index moves before its turn.
fn removals(list: &ExcludeList) -> Vec<FileEdit> {
    let places = list.entries.iter().enumerate().rev();
    places
        .filter(|(_, entry)| names_head(entry))
        .map(|(index, _)| {
            FileEdit::operation(
                &list.file,
                Operation::Remove {
                    path: list.pointer.join(index.to_string()),
                },
            )
        })
        .collect()
}
