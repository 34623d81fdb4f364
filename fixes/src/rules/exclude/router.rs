//! 16-bit routers of a mixture of experts that no list names.

use serde::Deserialize;
use serde_json::{Map, Value};
use unsnag_core::rule::{Look, Rule, Truth};
use unsnag_core::target::{Row, RowFile};

use super::super::support::text;
use super::list::{Dialect, ExcludeList, lists};
use super::modules::{any_quantized, layer, plain_linear};
use super::{Sites, site};

/// Last parts of router modules.
const ROUTERS: [&str; 4] = [
    ".mlp.gate",
    ".shared_expert_gate",
    ".block_sparse_moe.gate",
    ".router",
];

#[derive(Debug)]
struct Router {
    everywhere: Vec<Row>,
    asking: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    #[serde(rename = "mode")]
    _mode: String,
    /// Targets on which every model asks the list for its router.
    everywhere: Vec<RowFile>,
    /// Model types that ask on any target.
    asking: Vec<String>,
}

pub(super) fn build(args: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    let args: Args =
        serde_json::from_value(Value::Object(args.clone())).map_err(|error| error.to_string())?;
    let everywhere = args.everywhere.iter().map(Row::try_from);
    Ok(Box::new(Router {
        everywhere: everywhere.collect::<Result<_, _>>()?,
        asking: args.asking,
    }))
}

impl Rule for Router {
    fn sites(&self, look: &Look<'_, '_>) -> Sites {
        let gap = |gap| vec![gap];
        let lists = lists(look)?;
        if lists.is_empty() {
            return Ok(Vec::new());
        }
        let model = text(look.at("config.json", "/model_type").map_err(gap)?);
        let truth = match model {
            Some(model) if self.asking.contains(&model) => Truth::Yes,
            _ => look.target().fits_any(&self.everywhere),
        };
        if truth.is_no() {
            return Ok(Vec::new());
        }
        let names = look.weights().names().map_err(gap)?;
        if !any_quantized(names) {
            return Ok(Vec::new());
        }
        let routers: Vec<&str> = names
            .iter()
            .filter_map(|name| plain_linear(name, names))
            .filter(|module| ROUTERS.iter().any(|router| module.ends_with(router)))
            .collect();
        let lacking = lists
            .iter()
            .map(|list| (list, missing(list, &routers)))
            .collect();
        Ok(site(look, lacking, truth, "lacks 16-bit routers"))
    }
}

fn missing(list: &ExcludeList, routers: &[&str]) -> Vec<String> {
    let open = routers
        .iter()
        .copied()
        .filter(|module| !list.excludes(module));
    let mut entries: Vec<String> = open.map(|module| pattern(list.dialect, module)).collect();
    entries.sort();
    entries.dedup();
    entries
}

/// One entry for the same router of every layer, where the dialect has patterns.
fn pattern(dialect: Dialect, module: &str) -> String {
    let Some((before, number)) = layer(module) else {
        return module.to_owned();
    };
    let rest = module
        .get(before.len() + number.to_string().len()..)
        .unwrap_or_default();
    match dialect {
        Dialect::ModelOpt => format!("{before}*{rest}"),
        Dialect::CompressedTensors | Dialect::Quark => {
            format!(
                "re:{}\\d+{}$",
                before.replace('.', "\\."),
                rest.replace('.', "\\.")
            )
        }
        Dialect::Awq | Dialect::Fp8 => module.to_owned(),
    }
}
