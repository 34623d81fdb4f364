//! Random documents and patches: the same outcome as `json-patch` on `serde_json` values, every
//! byte back after undo, the same values back after the inverse.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use json_splice::{Document, Kind, Patch, Pointer, Scanner, StreamError};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;
use support::Slow;

/// How a document is written: what stands between its tokens.
#[derive(Debug, Clone)]
struct Style {
    newline: &'static str,
    indent: &'static str,
    comma: &'static str,
    colon: &'static str,
    around: &'static str,
}

fn style() -> impl Strategy<Value = Style> {
    let newline = prop_oneof![Just(""), Just("\n"), Just("\r\n")];
    let indent = prop_oneof![Just("  "), Just("\t"), Just("    "), Just(" ")];
    let comma = prop_oneof![Just(","), Just(", "), Just(" , ")];
    let colon = prop_oneof![Just(":"), Just(": "), Just(" : ")];
    let around = prop_oneof![Just(""), Just(" "), Just("\n")];
    (newline, indent, comma, colon, around).prop_map(|(newline, indent, comma, colon, around)| {
        Style {
            newline,
            indent,
            comma,
            colon,
            around,
        }
    })
}

impl Style {
    fn write(&self, value: &Value, depth: usize, text: &mut String) {
        let line = |text: &mut String, depth: usize| {
            if !self.newline.is_empty() {
                text.push_str(self.newline);
                text.push_str(&self.indent.repeat(depth));
            }
        };
        let comma = if self.newline.is_empty() {
            self.comma
        } else {
            ","
        };
        let (open, close, items): (_, _, Vec<(Option<&String>, &Value)>) = match value {
            Value::Array(items) => ('[', ']', items.iter().map(|item| (None, item)).collect()),
            Value::Object(items) => (
                '{',
                '}',
                items
                    .iter()
                    .map(|(name, item)| (Some(name), item))
                    .collect(),
            ),
            scalar => return text.push_str(&scalar.to_string()),
        };
        text.push(open);
        for (index, (name, item)) in items.iter().enumerate() {
            if index > 0 {
                text.push_str(comma);
            }
            line(text, depth + 1);
            if let Some(name) = name {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push_str(self.colon);
            }
            self.write(item, depth + 1, text);
        }
        if !items.is_empty() {
            line(text, depth);
        }
        text.push(close);
    }

    fn document(&self, value: &Value) -> String {
        let mut text = self.around.to_owned();
        self.write(value, 0, &mut text);
        text + self.around
    }
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[abc]",
        "[012]",
        Just(String::new()),
        Just("a/b".to_owned()),
        Just("~".to_owned()),
        Just("\u{120}\"\\\n".to_owned()),
        Just("-".to_owned()),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-8i32..8).prop_map(|n| Value::from(f64::from(n) / 4.0 + 0.125)),
        name().prop_map(Value::from),
    ];
    scalar.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            vec((name(), inner), 0..5).prop_map(|items| items.into_iter().collect()),
        ]
    })
}

/// A recipe for one operation, made into one once the document before it is known.
type Recipe = (
    u8,
    prop::sample::Index,
    prop::sample::Index,
    u8,
    String,
    Value,
);

fn recipe() -> impl Strategy<Value = Recipe> {
    let index = any::<prop::sample::Index>;
    (0..12u8, index(), index(), 0..8u8, name(), value())
}

fn pointers(value: &Value, at: String, all: &mut Vec<String>) {
    all.push(at.clone());
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers(item, format!("{at}/{index}"), all);
            }
        }
        Value::Object(items) => {
            for (name, item) in items {
                let token = name.replace('~', "~0").replace('/', "~1");
                pointers(item, format!("{at}/{token}"), all);
            }
        }
        _ => {}
    }
}

/// The operation as `json-patch` text: mostly one that applies to `now`.
fn operation(now: &Value, recipe: &Recipe) -> Value {
    let (op, from, to, place, name, value) = recipe;
    let mut all = Vec::new();
    pointers(now, String::new(), &mut all);
    let existing = from.get(&all).clone();
    let token = name.replace('~', "~0").replace('/', "~1");
    let other = to.get(&all);
    let path = match place {
        0..=2 => other.clone(),
        3 => format!("{other}/-"),
        4 => format!("{other}/{token}"),
        _ => format!("{other}/{}", place - 5),
    };
    let (op, path) = match op {
        0..=3 => ("add", path),
        4 | 5 => ("remove", existing.clone()),
        6 | 7 => ("replace", existing.clone()),
        8 | 9 => ("move", path),
        10 => ("copy", path),
        _ => ("test", existing.clone()),
    };
    let mut operation = serde_json::json!({"op": op, "path": path});
    let members = operation.as_object_mut().unwrap();
    match op {
        "move" | "copy" => {
            members.insert("from".to_owned(), existing.into());
        }
        "test" if *place < 6 => {
            members.insert("value".to_owned(), now.pointer(&existing).unwrap().clone());
        }
        "remove" => {}
        _ => {
            members.insert("value".to_owned(), value.clone());
        }
    }
    operation
}

/// As RFC 6902 has it: the oracle takes a move onto itself for a removal and an addition.
fn oracle(now: &mut Value, operation: &Value) -> bool {
    if operation["op"] == "move" && operation["from"] == operation["path"] {
        return now.pointer(operation["from"].as_str().unwrap()).is_some();
    }
    let one: json_patch::Patch = serde_json::from_value(serde_json::json!([operation])).unwrap();
    json_patch::patch(now, &one).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn patches_mean_what_json_patch_says(
        document in value(),
        style in style(),
        recipes in vec(recipe(), 1..8),
        step in 1..60usize,
    ) {
        let text = style.document(&document);
        let mut now = document.clone();
        let mut operations = Vec::new();
        let mut failed = false;
        for recipe in &recipes {
            let operation = operation(&now, recipe);
            failed = !oracle(&mut now, &operation);
            operations.push(operation);
            if failed {
                break;
            }
        }
        let patch = Patch::parse(Value::from(operations).to_string().as_bytes()).unwrap();
        let edits = patch.edits(text.as_bytes());
        let mut reader = Slow::new(text.as_bytes(), step);
        match (patch.edits_in(&mut reader), &edits) {
            (Ok(read), Ok(edits)) => {
                prop_assert_eq!(&read, edits);
                let mut copied = Vec::new();
                read.copy(&mut reader, &mut copied).unwrap();
                prop_assert_eq!(copied, edits.apply(text.as_bytes()));
            }
            (Err(StreamError::Patch(read)), Err(error)) => prop_assert_eq!(&read, error),
            (read, edits) => panic!("{read:?} is not {edits:?}"),
        }
        let inverse = patch.inverse(text.as_bytes());
        if failed {
            prop_assert_eq!(edits.unwrap_err(), inverse.unwrap_err());
            return Ok(());
        }
        let edits = edits.unwrap();
        let edited = edits.apply(text.as_bytes());
        prop_assert_eq!(&serde_json::from_slice::<Value>(&edited).unwrap(), &now);
        let undo = edits.undo(text.as_bytes());
        prop_assert_eq!(undo.restore(&edited).unwrap(), text.as_bytes());
        let back = inverse.unwrap().edits(&edited).unwrap().apply(&edited);
        prop_assert_eq!(&serde_json::from_slice::<Value>(&back).unwrap(), &document);
    }

    #[test]
    fn reading_agrees_with_serde_json(
        document in value(),
        style in style(),
        step in 1..60usize,
    ) {
        let text = style.document(&document);
        let parsed = Document::parse(text.as_bytes()).unwrap();
        let mut all = Vec::new();
        pointers(&document, String::new(), &mut all);
        let asked: Vec<Pointer> = all.iter().map(|pointer| pointer.parse().unwrap()).collect();
        let mut scanner = Scanner::new(asked.clone());
        for piece in text.as_bytes().chunks(step) {
            scanner.feed(piece).unwrap();
        }
        for (pointer, located) in asked.iter().zip(scanner.finish().unwrap()) {
            let located = located.unwrap();
            let node = parsed.find(pointer).unwrap();
            prop_assert_eq!((located.kind, located.span), (node.kind(), node.span()));
        }
        for pointer in all {
            let expected = document.pointer(&pointer).unwrap();
            let node = parsed.find(&pointer.parse().unwrap()).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Value>(node.literal()).unwrap(), expected);
            prop_assert_eq!(&text[node.span()], node.literal());
            match expected {
                Value::String(plain) => prop_assert_eq!(&*node.as_str().unwrap(), plain),
                Value::Bool(plain) => prop_assert_eq!(node.as_bool(), Some(*plain)),
                Value::Array(items) => prop_assert_eq!(node.len(), items.len()),
                Value::Object(items) => {
                    let names: Vec<_> = node.members().map(|m| m.name().into_owned()).collect();
                    prop_assert_eq!(names, items.keys().cloned().collect::<Vec<_>>());
                }
                Value::Null => prop_assert!(node.is_null()),
                Value::Number(_) => prop_assert_eq!(node.kind(), Kind::Number),
            }
        }
    }

    #[test]
    fn whatever_serde_json_refuses_is_refused(text in "[\\[\\]{}:,\"\\\\a1eE.+0tru -]{0,12}") {
        let ours = Document::parse(text.as_bytes());
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text);
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{}", text);
    }
}
