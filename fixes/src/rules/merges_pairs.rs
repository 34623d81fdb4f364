//! Turns the merges of a `tokenizer.json` from pairs into strings.

use json_splice::{Kind, Node, Operation, Pointer};
use serde_json::{Map, Value};
use unsnag_core::rule::{FileEdit, Gap, Look, Rule, Site};

use super::support::{cured, json, refused, text};

const FILE: &str = "tokenizer.json";

#[derive(Debug)]
struct MergesPairs;

/// Takes no arguments.
pub(super) fn build(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(MergesPairs))
}

impl Rule for MergesPairs {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let Some(model) = look.at(FILE, "/model").map_err(|gap| vec![gap])? else {
            return Ok(Vec::new());
        };
        let merges = model
            .get("merges")
            .filter(|merges| merges.kind() == Kind::Array);
        let bpe = text(model.get("type")).is_none_or(|kind| kind == "BPE");
        let Some(merges) = merges.filter(|merges| {
            bpe && merges
                .element(0)
                .is_some_and(|first| first.kind() == Kind::Array)
        }) else {
            return Ok(Vec::new());
        };
        let pointer = Pointer::from_tokens(["model", "merges"]);
        let evidence = vec![look.evidence(FILE, &pointer, "pairs")];
        let Some(strings) = joined(merges) else {
            let reason = "a merge has a space inside one of its halves; no string can hold it, which is why pairs were introduced";
            return Ok(vec![refused("merges", evidence, reason)]);
        };
        let Some(value) = json(&strings) else {
            return Ok(Vec::new());
        };
        let edit = FileEdit::operation(
            FILE,
            Operation::Replace {
                path: pointer,
                value,
            },
        );
        Ok(vec![cured(
            "merges",
            evidence,
            "none: newer releases read strings too",
            vec![edit],
        )])
    }
}

/// The list as strings, with the halves' own spelling; `None` where a half has a space or is no string.
fn joined(merges: Node<'_>) -> Option<String> {
    let mut out = String::with_capacity(merges.literal().len());
    out.push('[');
    for (index, pair) in merges.elements().enumerate() {
        let mut halves = pair.elements();
        let (left, right) = (halves.next()?, halves.next()?);
        let bare = |half: Node<'_>| {
            let literal = half.literal();
            let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
            (halves_have_no_space(half) && half.kind() == Kind::String).then(|| inner.to_owned())
        };
        if index > 0 {
            out.push_str(", ");
        }
        out.push('"');
        out.push_str(&bare(left)?);
        out.push(' ');
        out.push_str(&bare(right)?);
        out.push('"');
    }
    out.push(']');
    Some(out)
}

fn halves_have_no_space(half: Node<'_>) -> bool {
    !half.literal().contains(' ')
        && (!half.literal().contains('\\') || half.as_str().is_some_and(|text| !text.contains(' ')))
}
