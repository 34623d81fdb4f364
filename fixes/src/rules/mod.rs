//! Rules in Rust, one file each, for fixes whose body is not data.

mod exclude;
mod hf_quant_sidecar;
mod nonfinite;

use unsnag_core::rule::RuleBuilder;

/// Every rule by the name that `rule = "NAME"` gives.
pub static RULES: &[(&str, RuleBuilder)] = &[
    ("exclude-list", exclude::build),
    ("float-tag", nonfinite::tag),
    ("hf-quant-sidecar", hf_quant_sidecar::build),
    ("nonfinite", nonfinite::literal),
];
