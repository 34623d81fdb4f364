//! Moves a list of extra special tokens to the key that transformers 4 reads.

use json_splice::{Kind, Operation};
use serde_json::{Map, Value};
use unsnag_core::rule::{FileEdit, Gap, Look, Rule, Site};

use super::support::{cured, key, raw};

const FILE: &str = "tokenizer_config.json";
const NEW: &str = "extra_special_tokens";
const OLD: &str = "additional_special_tokens";

#[derive(Debug)]
struct ExtraSpecialTokens;

/// Takes no arguments.
pub(super) fn build(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(ExtraSpecialTokens))
}

impl Rule for ExtraSpecialTokens {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let Some(document) = look.json(FILE).map_err(|gap| vec![gap])? else {
            return Ok(Vec::new());
        };
        let root = document.root();
        let Some(list) = root.get(NEW).filter(|list| list.kind() == Kind::Array) else {
            return Ok(Vec::new());
        };
        let operations = match root.get(OLD) {
            None => vec![Operation::Move {
                from: key(NEW),
                path: key(OLD),
            }],
            Some(known) if known.kind() == Kind::Array => {
                let missing = list
                    .elements()
                    .filter(|token| !known.elements().any(|other| other.same_value(*token)));
                let adds = missing.map(|token| Operation::Add {
                    path: key(OLD).join("-"),
                    value: raw(token),
                });
                adds.chain(std::iter::once(Operation::Remove { path: key(NEW) }))
                    .collect()
            }
            Some(_) => vec![
                Operation::Replace {
                    path: key(OLD),
                    value: raw(list),
                },
                Operation::Remove { path: key(NEW) },
            ],
        };
        let edits = operations
            .into_iter()
            .map(|operation| FileEdit::operation(FILE, operation))
            .collect();
        let evidence = vec![look.evidence(FILE, &key(NEW), "a list where an object is read")];
        Ok(vec![cured(
            NEW,
            evidence,
            "none: the list has this name in every release of 4, and 5 reads it",
            edits,
        )])
    }
}
