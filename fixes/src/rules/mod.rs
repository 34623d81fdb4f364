//! Rules in Rust, one file each, for fixes whose body is not data.

mod hf_quant_sidecar;

use unsnag_core::rule::RuleBuilder;

/// Every rule by the name that `rule = "NAME"` gives.
pub static RULES: &[(&str, RuleBuilder)] = &[("hf-quant-sidecar", hf_quant_sidecar::build)];
