//! Makes `hf_quant_config.json` from a flat ModelOpt block of `config.json`.

use json_splice::{Kind, Node, RawValue};
use serde_json::{Map, Value};
use unsnag_core::fix::Safety;
use unsnag_core::rule::{Captures, Cure, FileEdit, Gap, Look, Outcome, Rule, Site, Truth};

const SIDECAR: &str = "hf_quant_config.json";
const BLOCK: &str = "/quantization_config";

#[derive(Debug)]
struct HfQuantSidecar;

/// Takes no arguments.
pub(super) fn build(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(HfQuantSidecar))
}

impl Rule for HfQuantSidecar {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let Some(block) = look.at("config.json", BLOCK).map_err(|gap| vec![gap])? else {
            return Ok(Vec::new());
        };
        let method = block.get("quant_method").and_then(|method| method.as_str());
        let algorithm = block
            .get("quant_algo")
            .and_then(|algorithm| algorithm.as_str());
        let (Some(method), Some(algorithm)) = (method, algorithm) else {
            return Ok(Vec::new());
        };
        if look.view().has(SIDECAR) || !method.starts_with("modelopt") {
            return Ok(Vec::new());
        }
        let mixed = block.get("quantized_layers").is_some() || algorithm == "MIXED_PRECISION";
        let outcome = match sidecar(block, &algorithm) {
            _ if mixed => Outcome::Refused(
                "the layers have algorithms of their own, and a file beside the block would hide them"
                    .to_owned(),
            ),
            Some(text) => Outcome::Cures(vec![Cure {
                name: "edit".to_owned(),
                safety: Safety::Safe,
                cost: "none: the file says what the block says".to_owned(),
                loses: None,
                truth: Truth::Yes,
                edits: vec![FileEdit::Create {
                    file: SIDECAR.to_owned(),
                    text,
                }],
            }]),
            None => Outcome::Refused(format!(
                "{algorithm} needs a group size, and the block has none"
            )),
        };
        let evidence = BLOCK
            .parse()
            .map(|pointer| look.evidence("config.json", &pointer, "the settings stand here alone"));
        Ok(vec![Site {
            key: BLOCK.to_owned(),
            captures: Captures::default(),
            evidence: evidence.into_iter().collect(),
            truth: Truth::Yes,
            outcome,
        }])
    }
}

/// The file's text; `None` where a 4-bit algorithm has no group size.
fn sidecar(block: Node<'_>, algorithm: &str) -> Option<String> {
    let groups = block
        .get("config_groups")
        .filter(|groups| groups.kind() == Kind::Object);
    let group_size = groups
        .and_then(|groups| {
            groups
                .members()
                .find_map(|member| member.value().get("weights")?.get("group_size"))
        })
        .or_else(|| block.get("group_size"))
        .filter(|size| size.kind() == Kind::Number);
    if group_size.is_none() && (algorithm.contains('4') || algorithm.contains("AWQ")) {
        return None;
    }
    let mut lines = Vec::new();
    if let Some(producer) = block
        .get("producer")
        .filter(|producer| producer.kind() == Kind::Object)
    {
        let members: Vec<String> = producer
            .members()
            .map(|member| {
                format!(
                    "        {}: {}",
                    quoted(&member.name()),
                    member.value().literal()
                )
            })
            .collect();
        lines.push(format!(
            "    \"producer\": {{\n{}\n    }}",
            members.join(",\n")
        ));
    }
    let mut settings = vec![
        format!("        \"quant_algo\": {}", quoted(algorithm)),
        format!("        \"kv_cache_quant_algo\": {}", kv_cache(block)),
    ];
    if let Some(size) = group_size {
        settings.push(format!("        \"group_size\": {}", size.literal()));
    }
    let list = block
        .get("ignore")
        .or_else(|| block.get("exclude_modules"))
        .filter(|list| list.kind() == Kind::Array);
    let names: Vec<String> = list
        .map(|list| {
            list.elements()
                .map(|name| format!("            {}", name.literal()))
                .collect()
        })
        .unwrap_or_default();
    settings.push(if names.is_empty() {
        "        \"exclude_modules\": []".to_owned()
    } else {
        format!(
            "        \"exclude_modules\": [\n{}\n        ]",
            names.join(",\n")
        )
    });
    lines.push(format!(
        "    \"quantization\": {{\n{}\n    }}",
        settings.join(",\n")
    ));
    Some(format!("{{\n{}\n}}\n", lines.join(",\n")))
}

/// An 8-bit float scheme is `"FP8"`; anything else that is set is passed on; nothing is `null`.
fn kv_cache(block: Node<'_>) -> String {
    let text =
        |node: Option<Node<'_>>| node.and_then(|node| node.as_str().map(|text| text.into_owned()));
    let scheme = block.get("kv_cache_scheme");
    let float =
        text(scheme.and_then(|scheme| scheme.get("type"))).is_some_and(|kind| kind == "float");
    let bits = scheme
        .and_then(|scheme| scheme.get("num_bits"))
        .map(|bits| bits.literal());
    match text(scheme).or_else(|| text(block.get("kv_cache_quant_algo"))) {
        Some(named) => quoted(&named),
        None if float && bits == Some("8") => "\"FP8\"".to_owned(),
        None => "null".to_owned(),
    }
}

fn quoted(text: &str) -> String {
    RawValue::string(text).as_str().to_owned()
}
