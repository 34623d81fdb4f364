//! A document and a patch from the fuzzer's bytes, split at the first byte 0xFF (which no UTF-8 text
//! holds). Whatever they are: no panic, the same outcome in pieces as in one, what is refused is
//! what `serde_json` refuses (but for the literals that are accepted beside RFC 8259), the edited
//! document is JSON and undo gives every byte back; and where `json-patch` can follow, it agrees.

#![no_main]

use json_splice::{Document, Items, Patch, PatchError, Pointer, Scanner, StreamError, Undo};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use std::io::Cursor;

fuzz_target!(|data: &[u8]| {
    let (step, data) = data
        .split_first()
        .map_or((1, data), |(step, rest)| (*step as usize % 31 + 1, rest));
    let (document, patch) = match data.iter().position(|byte| *byte == 0xFF) {
        Some(at) => (&data[..at], &data[at + 1..]),
        None => (data, &b"[]"[..]),
    };
    let parsed = Document::parse(document);
    in_pieces(
        document,
        step,
        parsed.as_ref().err().map(|error| error.offset),
    );
    against_serde(document, parsed.is_ok());
    if let Ok(parsed) = &parsed {
        reading(parsed);
    }
    let Ok(patch) = Patch::parse(patch) else {
        return;
    };
    // Each copy of the whole into itself doubles the document: right, but not to be waited for.
    let copies = patch.operations().iter().filter(|o| o.name() == "copy");
    if copies.count() > 8 {
        return;
    }
    assert_eq!(
        Patch::parse(patch.to_json().as_bytes()).as_ref(),
        Ok(&patch)
    );
    let edits = patch.edits(document);
    let from_reader = patch.edits_in(Cursor::new(document));
    match (&edits, &from_reader) {
        (Ok(a), Ok(b)) => assert_eq!(a, b),
        (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string()),
        (a, b) => panic!("{a:?} in memory, {b:?} from a reader"),
    }
    match edits {
        Err(PatchError::Syntax(error)) => assert_eq!(parsed.err(), Some(error)),
        Err(PatchError::Operation(_)) => assert!(parsed.is_ok()),
        Ok(edits) => {
            let edited = edits.apply(document);
            Document::parse(&edited).expect("an edited document is JSON");
            let mut copied = Vec::new();
            edits
                .copy(Cursor::new(document), &mut copied)
                .expect("memory can be read");
            assert_eq!(copied, edited);
            let stored = edits.undo(document).to_json();
            let undo = Undo::from_json(stored.as_bytes()).expect("a stored record can be read");
            assert_eq!(undo.restore(&edited).as_deref(), Ok(document));
            against_json_patch(document, &patch, &edited);
            inverse(document, &patch, &edited);
        }
    }
});

fn in_pieces(document: &[u8], step: usize, fault: Option<usize>) {
    let mut scanner = Scanner::new([Pointer::root()]);
    let mut outcome = Ok(());
    for piece in document.chunks(step) {
        outcome = outcome.and_then(|()| scanner.feed(piece));
    }
    let outcome = outcome.and_then(|()| scanner.finish().map(drop));
    assert_eq!(outcome.as_ref().err().map(|error| error.offset), fault);
    if let Err(error) = outcome {
        let positioned = Document::parse(document).expect_err("refused in pieces");
        assert_eq!(error, positioned);
    }
}

fn against_serde(document: &[u8], accepted: bool) {
    let plain = document.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(document);
    match serde_json::from_slice::<Value>(plain) {
        Ok(_) => assert!(accepted),
        // serde_json refuses what lies deeper than 128 levels and lone surrogates, and knows no NaN.
        Err(error) => {
            let message = error.to_string();
            let known = message.contains("recursion limit")
                || message.contains("surrogate")
                || message.contains("hex escape")
                || message.contains("number out of range")
                // The key by which serde_json tells itself that a map is a number.
                || plain.windows(20).any(|w| w == b"$serde_json::private")
                || plain.windows(3).any(|w| w == b"NaN" || w == b"Inf");
            assert!(!accepted || known, "accepted, but serde_json: {message}");
        }
    }
}

/// Every node can be looked at, and an iterator from a reader sees what a node holds.
fn reading(document: &Document<'_>) {
    let root = document.root();
    assert!(root.same_value(root));
    let mut open = vec![root];
    let mut looked = 0;
    while let Some(node) = open.pop() {
        assert_eq!(&document.bytes()[node.span()], node.literal().as_bytes());
        looked += 1;
        if looked < 200 {
            open.extend(node.elements());
            open.extend(node.members().map(|member| member.value()));
        }
    }
    let items = Items::new(document.bytes(), &Pointer::root());
    let mut count = 0;
    for item in items {
        match item {
            Ok(_) => count += 1,
            Err(StreamError::NoContainer(_)) => assert!(!root.kind().is_container()),
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(count, root.len());
}

/// The same outcome as `json-patch` on values. Left out are documents with keys that stand twice,
/// which a value has lost, and operations in which the oracle differs from RFC 6902: `test`, which
/// tells 1 from 1.0, and a move onto itself.
fn against_json_patch(document: &[u8], patch: &Patch, edited: &[u8]) {
    let (Ok(mut value), Ok(after)) = (
        serde_json::from_slice::<Value>(document),
        serde_json::from_slice::<Value>(edited),
    ) else {
        return;
    };
    let no_op =
        |operation: &json_splice::Operation| operation.from_path() == Some(operation.path());
    let tests = |operation: &json_splice::Operation| operation.name() == "test";
    if duplicates(document)
        || duplicates(edited)
        || patch.operations().iter().any(|o| no_op(o) || tests(o))
    {
        return;
    }
    let Ok(oracle) = serde_json::from_str::<json_patch::Patch>(&patch.to_json()) else {
        return;
    };
    json_patch::patch(&mut value, &oracle).expect("json-patch applies what json-splice applies");
    assert_eq!(value, after);
}

fn inverse(document: &[u8], patch: &Patch, edited: &[u8]) {
    if duplicates(document) {
        return;
    }
    let inverse = patch
        .inverse(document)
        .expect("what applies has an inverse");
    let back = inverse
        .edits(edited)
        .expect("an inverse applies")
        .apply(edited);
    let (back, before) = (
        Document::parse(&back).unwrap(),
        Document::parse(document).unwrap(),
    );
    assert!(back.root().same_value(before.root()));
}

/// Whether any object of a valid document holds a key twice.
fn duplicates(document: &[u8]) -> bool {
    let Ok(document) = Document::parse(document) else {
        return false;
    };
    let mut open = vec![document.root()];
    while let Some(node) = open.pop() {
        let mut names: Vec<String> = node.members().map(|m| m.name().into_owned()).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        if names.len() < count {
            return true;
        }
        open.extend(node.elements());
        open.extend(node.members().map(|member| member.value()));
    }
    false
}
