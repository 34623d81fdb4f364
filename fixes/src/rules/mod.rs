//! Rules in Rust, one file each, for fixes whose body is not data.

mod chat_template;
mod downloads;
mod exclude;
mod extra_special_tokens;
mod generation_move;
mod hf_quant_sidecar;
mod index;
mod json_repair;
mod merges_pairs;
mod nested_processor;
mod nonfinite;
mod peft_fields;
mod rope_split;
mod st_legacy;
mod stop_tokens;
mod strict_numbers;
mod support;

use unsnag_core::rule::RuleBuilder;

/// Every rule by the name that `rule = "NAME"` gives.
pub static RULES: &[(&str, RuleBuilder)] = &[
    ("chat-template", chat_template::build),
    ("eos-union", stop_tokens::union),
    ("exclude-list", exclude::build),
    ("extra-special-tokens", extra_special_tokens::build),
    ("float-tag", nonfinite::tag),
    ("generation-move", generation_move::build),
    ("hf-quant-sidecar", hf_quant_sidecar::build),
    ("incomplete-download", downloads::incomplete),
    ("index-metadata", index::metadata),
    ("index-rebuild", index::rebuild),
    ("json-repair", json_repair::build),
    ("lfs-pointer", downloads::lfs_pointer),
    ("merges-pairs", merges_pairs::build),
    ("nested-processor", nested_processor::build),
    ("nonfinite", nonfinite::literal),
    ("peft-fields", peft_fields::build),
    ("rope-split", rope_split::build),
    ("st-legacy", st_legacy::build),
    ("strict-numbers", strict_numbers::build),
    ("turn-end", stop_tokens::turn_end),
];
