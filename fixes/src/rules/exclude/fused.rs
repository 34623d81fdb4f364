//! Parts of a fused module are listed, and the engine builds the fused one.

use serde_json::{Map, Value};
use unsnag_core::rule::{Look, Rule, Truth};

use super::list::{Dialect, ExcludeList, lists};
use super::{Sites, site};

/// Parts and what engines fuse them into.
///
/// Source: the packed modules mapping of SGLang's and vLLM's model classes.
const FUSED: [(&[&str], &str); 3] = [
    (&["q_proj", "k_proj", "v_proj"], "qkv_proj"),
    (&["gate_proj", "up_proj"], "gate_up_proj"),
    (
        &["q_a_proj", "kv_a_proj_with_mqa"],
        "fused_qkv_a_proj_with_mqa",
    ),
];

#[derive(Debug)]
struct Fused;

pub(super) fn build(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(Fused))
}

impl Rule for Fused {
    fn sites(&self, look: &Look<'_, '_>) -> Sites {
        let lists = lists(look)?;
        // compressed-tensors, fp8 and AWQ lists are asked for the parts of a fused module.
        let asked_whole =
            |list: &&ExcludeList| matches!(list.dialect, Dialect::ModelOpt | Dialect::Quark);
        let lacking = lists
            .iter()
            .filter(asked_whole)
            .map(|list| (list, missing(list)))
            .collect();
        Ok(site(
            look,
            lacking,
            Truth::Yes,
            "lists the parts and not the fused module",
        ))
    }
}

/// Fused names of which every part is an entry; where a part is missing the checkpoint does not agree with itself, and nothing is added.
fn missing(list: &ExcludeList) -> Vec<String> {
    let mut entries = Vec::new();
    for (parts, fused) in FUSED {
        let Some((first, others)) = parts.split_first() else {
            continue;
        };
        for entry in &list.entries {
            let Some(stem) = entry
                .strip_suffix(first)
                .filter(|stem| stem.is_empty() || stem.ends_with(['.', '*']))
            else {
                continue;
            };
            let whole = others.iter().all(|part| list.has(&format!("{stem}{part}")));
            let name = format!("{stem}{fused}");
            if whole && !list.excludes(&name) && !list.has(&name) {
                entries.push(name);
            }
        }
    }
    entries
}
