//! Exclude lists: names that a quantizer left in 16 bit, in every format's own dialect. One rule, several questions; lists grow, except where they contradict the head that is stored.

mod fused;
mod gptq;
mod head;
mod list;
mod modules;
mod mtp;
mod router;
mod wrapper;

use json_splice::{Operation, RawValue};
use serde_json::{Map, Value};
use unsnag_core::fix::Safety;
use unsnag_core::rule::{
    Captures, Cure, FileEdit, Gap, Look, Outcome, Rule, RuleBuilder, Site, Truth,
};

use list::ExcludeList;

/// Builds the rule for `args = { mode = "mtp" | "router" | "fused" | "wrapper" | "head" | "gptq" }`.
pub(super) fn build(args: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    let modes: [(&str, RuleBuilder); 6] = [
        ("mtp", mtp::build),
        ("router", router::build),
        ("fused", fused::build),
        ("wrapper", wrapper::build),
        ("head", head::build),
        ("gptq", gptq::build),
    ];
    let mode = args
        .get("mode")
        .and_then(Value::as_str)
        .ok_or("`mode` is missing")?;
    match modes.iter().find(|(name, _)| *name == mode) {
        Some((_, build)) => build(args),
        None => Err(format!(
            "`{mode}` is not a mode; expected one of {}",
            modes.map(|(name, _)| name).join(", ")
        )),
    }
}

/// One site for all lists of a directory: what each of them lacks.
fn site(
    look: &Look<'_, '_>,
    lacking: Vec<(&ExcludeList, Vec<String>)>,
    truth: Truth,
    label: &str,
) -> Vec<Site> {
    let lacking: Vec<_> = lacking
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .collect();
    let Some((first, _)) = lacking.first() else {
        return Vec::new();
    };
    let evidence = lacking.iter().map(|(list, names)| {
        let shown: Vec<&str> = names.iter().take(3).map(String::as_str).collect();
        let more = if names.len() > 3 {
            format!(" and {} more", names.len() - 3)
        } else {
            String::new()
        };
        look.evidence(
            &list.file,
            &list.pointer,
            format!("{label}: {}{more}", shown.join(", ")),
        )
    });
    let edits = lacking.iter().flat_map(|(list, names)| {
        names.iter().map(|name| {
            FileEdit::operation(
                &list.file,
                Operation::Add {
                    path: list.pointer.join("-"),
                    value: RawValue::string(name),
                },
            )
        })
    });
    vec![Site {
        key: first.pointer.to_string(),
        captures: Captures::default(),
        evidence: evidence.collect(),
        truth,
        outcome: Outcome::Cures(vec![Cure {
            name: "append".to_owned(),
            safety: Safety::Safe,
            cost: "none: these tensors are stored in 16 bit anyway".to_owned(),
            loses: None,
            truth: Truth::Yes,
            edits: edits.collect(),
        }]),
    }]
}

/// The result of a question that may lack a fact.
type Sites = Result<Vec<Site>, Vec<Gap>>;
