//! The first line about a directory: architecture, quantization, KV cache.

use std::fmt::Write as _;

use json_splice::Node;
use unsnag_core::view::{Content, View};

/// Such as `KimiK25ForConditionalGeneration, NVFP4 (modelopt 0.41.0), FP8 KV cache`.
pub fn headline(view: &View<'_>) -> String {
    let document = |file: &str| match view.content(file) {
        Content::Json(document) => Some(document.root()),
        _ => None,
    };
    let mut parts = Vec::new();
    if let Some(config) = document("config.json") {
        parts.extend(architecture(config));
        parts.extend(quantization(config, document("hf_quant_config.json")));
        if let Some(kv) = kv_cache(config, document("hf_quant_config.json")) {
            parts.push(kv);
        }
    }
    if let Some(adapter) = document("adapter_config.json") {
        let kind = adapter
            .get("peft_type")
            .and_then(|kind| kind.as_str())
            .map_or_else(|| "adapter".into(), |kind| format!("{kind} adapter"));
        let base = adapter
            .get("base_model_name_or_path")
            .and_then(|base| base.as_str());
        parts.push(base.map_or(kind.clone(), |base| format!("{kind} for {base}")));
    }
    if parts.is_empty() {
        parts.push("model directory".to_owned());
    }
    parts.join(", ")
}

fn text(node: Option<Node<'_>>) -> Option<String> {
    node.and_then(|node| node.as_str().map(|text| text.into_owned()))
}

fn architecture(config: Node<'_>) -> Option<String> {
    let named = config.get("architectures").and_then(|list| list.element(0));
    text(named).or_else(|| text(config.get("model_type")))
}

fn quantization(config: Node<'_>, sidecar: Option<Node<'_>>) -> Option<String> {
    let nested = || {
        config
            .get("text_config")
            .and_then(|text| text.get("quantization_config"))
    };
    let block = config.get("quantization_config").or_else(nested);
    let method = text(block.and_then(|block| block.get("quant_method")));
    let side = sidecar.and_then(|sidecar| sidecar.get("quantization"));
    let algorithm = text(block.and_then(|block| block.get("quant_algo")))
        .or_else(|| text(side.and_then(|side| side.get("quant_algo"))));
    let producer = block
        .and_then(|block| block.get("producer"))
        .or_else(|| sidecar.and_then(|sidecar| sidecar.get("producer")));
    let version = text(producer.and_then(|producer| producer.get("version")));
    let name = algorithm.clone().or_else(|| method.clone())?;
    let mut shown = name;
    let by = text(producer.and_then(|producer| producer.get("name"))).or(algorithm.and(method));
    if let Some(by) = by {
        let _ = write!(
            shown,
            " ({by}{})",
            version
                .map(|version| format!(" {version}"))
                .unwrap_or_default()
        );
    }
    Some(shown)
}

fn kv_cache(config: Node<'_>, sidecar: Option<Node<'_>>) -> Option<String> {
    let block = config.get("quantization_config");
    let scheme = block.and_then(|block| block.get("kv_cache_scheme"));
    if let Some(bits) = scheme.and_then(|scheme| scheme.get("num_bits")) {
        let float =
            text(scheme.and_then(|scheme| scheme.get("type"))).is_some_and(|kind| kind == "float");
        return Some(format!(
            "{}{} KV cache",
            if float { "FP" } else { "INT" },
            bits.literal()
        ));
    }
    let flat =
        text(scheme).or_else(|| text(block.and_then(|block| block.get("kv_cache_quant_algo"))));
    let side = sidecar
        .and_then(|sidecar| sidecar.get("quantization"))
        .and_then(|side| side.get("kv_cache_quant_algo"));
    flat.or_else(|| text(side))
        .map(|algorithm| format!("{algorithm} KV cache"))
}
