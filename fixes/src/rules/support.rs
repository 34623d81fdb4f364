//! What rules share: short forms for values, sites and edits.

use json_splice::{Node, Pointer, RawValue};
use unsnag_core::fix::Safety;
use unsnag_core::rule::{Captures, Cure, Evidence, FileEdit, Outcome, Site, Truth};

/// The text of a string.
pub(super) fn text(node: Option<Node<'_>>) -> Option<String> {
    node.and_then(|node| node.as_str().map(|text| text.into_owned()))
}

/// A value with its own spelling.
pub(super) fn raw(node: Node<'_>) -> RawValue {
    RawValue::from(node)
}

/// A value from JSON text that this crate wrote itself.
pub(super) fn json(text: &str) -> Option<RawValue> {
    text.parse().ok()
}

/// The pointer of one key.
pub(super) fn key(name: &str) -> Pointer {
    Pointer::from_tokens([name])
}

/// A site with one safe cure.
pub(super) fn cured(
    key: impl Into<String>,
    evidence: Vec<Evidence>,
    cost: &str,
    edits: Vec<FileEdit>,
) -> Site {
    let cure = Cure {
        name: "edit".to_owned(),
        safety: Safety::Safe,
        cost: cost.to_owned(),
        loses: None,
        truth: Truth::Yes,
        edits,
    };
    Site {
        key: key.into(),
        captures: Captures::default(),
        evidence,
        truth: Truth::Yes,
        outcome: Outcome::Cures(vec![cure]),
    }
}

/// A site that no edit cures.
pub(super) fn refused(
    key: impl Into<String>,
    evidence: Vec<Evidence>,
    reason: impl Into<String>,
) -> Site {
    Site {
        key: key.into(),
        captures: Captures::default(),
        evidence,
        truth: Truth::Yes,
        outcome: Outcome::Refused(reason.into()),
    }
}

/// A site of an advice.
pub(super) fn advice(key: impl Into<String>, evidence: Vec<Evidence>) -> Site {
    Site {
        key: key.into(),
        captures: Captures::default(),
        evidence,
        truth: Truth::Yes,
        outcome: Outcome::Advice,
    }
}
