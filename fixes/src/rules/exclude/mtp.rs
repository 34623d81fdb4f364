//! 16-bit multi-token-prediction modules that no list names.

use serde_json::{Map, Value};
use unsnag_core::rule::{Look, Rule, Truth};
use unsnag_core::target::Intent;

use super::list::{Dialect, ExcludeList, lists};
use super::modules::{any_quantized, is_quantized, layer, plain_linear};
use super::{Sites, site};

#[derive(Debug)]
struct Mtp;

pub(super) fn build(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(Mtp))
}

impl Rule for Mtp {
    fn sites(&self, look: &Look<'_, '_>) -> Sites {
        let lists = lists(look)?;
        if lists.is_empty() || !look.target().wants(Intent::Mtp) {
            return Ok(Vec::new());
        }
        let gap = |gap| vec![gap];
        let mut layers = None;
        for place in ["/num_hidden_layers", "/text_config/num_hidden_layers"] {
            layers = layers.or(look
                .at("config.json", place)
                .map_err(gap)?
                .and_then(|node| node.literal().parse::<u64>().ok()));
        }
        let names = look.weights().names().map_err(gap)?;
        if !any_quantized(names) {
            return Ok(Vec::new());
        }
        let drafts = |module: &str| {
            module.starts_with("mtp.")
                || module.contains(".mtp.")
                || layers
                    .is_some_and(|count| layer(module).is_some_and(|(_, number)| number >= count))
        };
        let plain: Vec<&str> = names
            .iter()
            .filter_map(|name| plain_linear(name, names))
            .filter(|module| drafts(module))
            .collect();
        let mixed = names.iter().any(|name| {
            name.rsplit_once('.')
                .is_some_and(|(module, _)| drafts(module) && is_quantized(module, names))
        });
        let lacking = lists
            .iter()
            .map(|list| (list, missing(list, &plain, mixed)))
            .collect();
        Ok(site(look, lacking, Truth::Yes, "lacks 16-bit MTP modules"))
    }
}

/// Entries that cover what the list leaves out: one for all where no MTP module is quantized, else each by name.
fn missing(list: &ExcludeList, plain: &[&str], mixed: bool) -> Vec<String> {
    let open: Vec<&str> = plain
        .iter()
        .copied()
        .filter(|module| !list.excludes(module))
        .collect();
    let mut entries: Vec<String> = open
        .iter()
        .map(|module| {
            let whole = if module.starts_with("mtp.") {
                Some("mtp".to_owned())
            } else {
                layer(module).map(|(before, number)| format!("{before}{number}."))
            };
            match whole {
                Some(_) if list.dialect == Dialect::Fp8 => (*module).to_owned(),
                Some(prefix) if !mixed => list.dialect.below(&prefix),
                _ => (*module).to_owned(),
            }
        })
        .collect();
    entries.sort();
    entries.dedup();
    entries
}
