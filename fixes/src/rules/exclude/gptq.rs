//! GPTQ's positive list: quantized modules of a block that it does not name.

use json_splice::{Kind, Operation, Pointer, RawValue};
use serde_json::{Map, Value};
use unsnag_core::fix::Safety;
use unsnag_core::rule::{Captures, Cure, FileEdit, Look, Outcome, Rule, Site, Truth};

use super::Sites;
use super::modules::layer;

const LIST: &str = "/quantization_config/modules_in_block_to_quantize";

#[derive(Debug)]
struct ModulesInBlock;

pub(super) fn build(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(ModulesInBlock))
}

impl Rule for ModulesInBlock {
    fn sites(&self, look: &Look<'_, '_>) -> Sites {
        let gap = |gap| vec![gap];
        let Some(list) = look
            .at("config.json", LIST)
            .map_err(gap)?
            .filter(|list| list.kind() == Kind::Array && !list.is_empty())
        else {
            return Ok(Vec::new());
        };
        let listed: Vec<String> = list
            .elements()
            .flat_map(|inner| inner.elements())
            .filter_map(|name| name.as_str().map(|name| name.into_owned()))
            .collect();
        let names = look.weights().names().map_err(gap)?;
        let mut missing: Vec<String> = names
            .iter()
            .filter_map(|name| name.strip_suffix(".qweight"))
            .filter_map(|module| {
                let (before, number) = layer(module)?;
                module.get(before.len() + number.to_string().len() + 1..)
            })
            .filter(|suffix| !listed.iter().any(|known| covers(known, suffix)))
            .map(str::to_owned)
            .collect();
        missing.sort();
        missing.dedup();
        let (Some(first), Ok(pointer)) = (missing.first(), LIST.parse::<Pointer>()) else {
            return Ok(Vec::new());
        };
        let label = format!(
            "lacks quantized modules: {first}{}",
            if missing.len() > 1 { " and others" } else { "" }
        );
        let path = pointer.join("0").join("-");
        let add = |name: &String| {
            FileEdit::operation(
                "config.json",
                Operation::Add {
                    path: path.clone(),
                    value: RawValue::string(name),
                },
            )
        };
        Ok(vec![Site {
            key: LIST.to_owned(),
            captures: Captures::default(),
            evidence: vec![look.evidence("config.json", &pointer, label)],
            truth: Truth::Yes,
            outcome: Outcome::Cures(vec![Cure {
                name: "append".to_owned(),
                safety: Safety::Safe,
                cost: "none: these modules are stored quantized".to_owned(),
                loses: None,
                truth: Truth::Yes,
                edits: missing.iter().map(add).collect(),
            }]),
        }])
    }
}

/// A listed name stands for a module of the block, or, with expert numbers, for the same module of every expert.
fn covers(known: &str, suffix: &str) -> bool {
    known == suffix || suffix.ends_with(&format!(".{known}")) || {
        let bare = |name: &str| {
            name.split('.')
                .filter(|part| part.parse::<u64>().is_err())
                .collect::<Vec<_>>()
                .join(".")
        };
        bare(known) == bare(suffix)
    }
}
