//! Bare `Infinity` and `NaN`, and the tag that transformers 5 writes for them, become finite numbers.

use json_splice::{Document, Kind, Node, Operation, Pointer, RawValue};
use serde_json::{Map, Value};
use unsnag_core::fix::Safety;
use unsnag_core::rule::{Captures, Cure, FileEdit, Gap, Look, Outcome, Rule, Site, Truth};
use unsnag_core::view::Content;

/// Files whose numbers engines read.
const FILES: [&str; 3] = [
    "config.json",
    "generation_config.json",
    "tokenizer_config.json",
];

/// How deep is looked: a hostile file must not cost the stack.
const DEEPEST: usize = 64;

/// What is looked for.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// `Infinity`, which is no JSON.
    Literal,
    /// `{"__float__": "Infinity"}`.
    Tag,
}

#[derive(Debug)]
struct NonFinite(Form);

pub(super) fn literal(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(NonFinite(Form::Literal)))
}

pub(super) fn tag(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(NonFinite(Form::Tag)))
}

impl Rule for NonFinite {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let mut sites = Vec::new();
        for file in FILES {
            let Content::Json(document) = look.view().content(file) else {
                continue;
            };
            if !may_hold(document, self.0) {
                continue;
            }
            let mut found = Vec::new();
            walk(document.root(), &mut Vec::new(), self.0, &mut found);
            sites.extend(
                found
                    .into_iter()
                    .map(|(pointer, word)| site(look, file, pointer, &word)),
            );
        }
        Ok(sites)
    }
}

/// A look at the bytes, so that a healthy file costs no walk.
fn may_hold(document: &Document<'_>, form: Form) -> bool {
    let needles: &[&[u8]] = match form {
        Form::Literal => &[b"Infinity", b"NaN"],
        Form::Tag => &[b"__float__"],
    };
    needles.iter().any(|needle| {
        document
            .bytes()
            .windows(needle.len())
            .any(|window| window == *needle)
    })
}

fn walk(node: Node<'_>, path: &mut Vec<String>, form: Form, found: &mut Vec<(Pointer, String)>) {
    if let Some(word) = word(node, form) {
        found.push((Pointer::from_tokens(path.iter().cloned()), word));
        return;
    }
    if path.len() >= DEEPEST {
        return;
    }
    match node.kind() {
        Kind::Object => {
            for member in node.members() {
                path.push(member.name().into_owned());
                walk(member.value(), path, form, found);
                path.pop();
            }
        }
        Kind::Array => {
            for (index, element) in node.elements().enumerate() {
                path.push(index.to_string());
                walk(element, path, form, found);
                path.pop();
            }
        }
        _ => {}
    }
}

fn word(node: Node<'_>, form: Form) -> Option<String> {
    const WORDS: [&str; 3] = ["Infinity", "-Infinity", "NaN"];
    let word = match form {
        Form::Literal => node.literal().to_owned(),
        Form::Tag if node.kind() == Kind::Object && node.len() == 1 => {
            node.get("__float__")?.as_str()?.into_owned()
        }
        Form::Tag => return None,
    };
    WORDS.contains(&word.as_str()).then_some(word)
}

fn site(look: &Look<'_, '_>, file: &str, pointer: Pointer, word: &str) -> Site {
    let number = match word {
        "Infinity" => Some("1e308"),
        "-Infinity" => Some("-1e308"),
        _ => None,
    };
    let outcome = match number.and_then(|number| number.parse::<RawValue>().ok()) {
        Some(value) => Outcome::Cures(vec![Cure {
            name: "finite".to_owned(),
            safety: Safety::Safe,
            cost: "none: a clamp at 1e308 never binds".to_owned(),
            loses: None,
            truth: Truth::Yes,
            edits: vec![FileEdit::operation(
                file,
                Operation::Replace {
                    path: pointer.clone(),
                    value,
                },
            )],
        }]),
        None => {
            Outcome::Refused("NaN stands for no number, so no number can replace it".to_owned())
        }
    };
    Site {
        key: format!("{file}#{pointer}"),
        captures: Captures::default(),
        evidence: vec![look.evidence(file, &pointer, format!("{word}, which is no JSON number"))],
        truth: Truth::Yes,
        outcome,
    }
}
