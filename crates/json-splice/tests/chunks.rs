//! Fed in any pieces, the outcome is the same as in one.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use json_splice::{Document, Items, Located, Patch, Pointer, Scanner, StreamError, SyntaxError};
use support::Slow;

const DOCUMENT: &str = "\u{feff}{\r\n  \"a\": [1, -0.5e+10, true, null, NaN, -Infinity, \"\\u0120\\ud83d\\ude00\\n\"],\r\n  \
    \"k\\u0065y\": {\"\": \"é\u{1f600}\", \"x\\\\y\": [[[]], {}]},\r\n  \"long\": \"0123456789012345678901234567890123456789\"\r\n}\r\n";

const BAD: [&str; 22] = [
    "",
    " ",
    "[1,2",
    "[1,]",
    "{\"a\":1,}",
    "{\"a\" 1}",
    "[1 2]",
    "[01]",
    "[1.]",
    "[-]",
    "[1e+]",
    "[truf]",
    "[NaM]",
    "[-Infinite]",
    "[\"\\x\"]",
    "[\"\\u12g4\"]",
    "[\"a\nb\"]",
    "{\"é\": 1} x",
    "[\"é\u{1f600}\n\"]",
    "[\u{a0}1]",
    "nulll",
    "12 3",
];

fn feed(
    text: &[u8],
    step: usize,
    pointers: &[Pointer],
) -> Result<Vec<Option<Located>>, SyntaxError> {
    let mut scanner = Scanner::new(pointers.iter().cloned());
    for piece in text.chunks(step) {
        scanner.feed(piece)?;
    }
    scanner.finish()
}

#[test]
fn values_are_found_in_any_pieces() {
    let document = Document::parse(DOCUMENT.as_bytes()).unwrap();
    let pointers: Vec<Pointer> = [
        "",
        "/a",
        "/a/0",
        "/a/1",
        "/a/4",
        "/a/5",
        "/a/6",
        "/a/7",
        "/key",
        "/key/",
        "/key/x\\y",
        "/key/x\\y/0/0",
        "/key/x\\y/1",
        "/long",
        "/none",
        "/key/-",
        "/a/00",
    ]
    .iter()
    .map(|text| text.parse().unwrap())
    .collect();
    let expected: Vec<Option<Located>> = pointers
        .iter()
        .map(|pointer| {
            let node = document.find(pointer)?;
            Some(Located {
                kind: node.kind(),
                span: node.span(),
            })
        })
        .collect();
    assert_eq!(expected.iter().flatten().count(), 13);
    for step in 1..=DOCUMENT.len() {
        assert_eq!(
            feed(DOCUMENT.as_bytes(), step, &pointers).unwrap(),
            expected
        );
    }
}

#[test]
fn faults_are_the_same_in_any_pieces() {
    let mut bad: Vec<Vec<u8>> = BAD.iter().map(|text| text.as_bytes().to_vec()).collect();
    for cut in 0..DOCUMENT.len() {
        bad.push(DOCUMENT.as_bytes()[..cut].to_vec());
        for wrong in [0x80, 0xFF, 0x00, b'}', b'"'] {
            let mut text = DOCUMENT.as_bytes().to_vec();
            text[cut] = wrong;
            bad.push(text);
        }
    }
    let patch = Patch::new(Vec::new());
    let mut refused = 0;
    for text in &bad {
        let expected = Document::parse(text).err();
        refused += usize::from(expected.is_some());
        assert_eq!(patch.edits(text).is_err(), expected.is_some());
        for step in 1..9 {
            assert_eq!(feed(text, step, &[]).err(), expected, "{text:?} by {step}");
        }
        let read = patch.edits_in(Slow::new(text, 3)).err();
        match (read, expected) {
            (Some(StreamError::Syntax(error)), Some(expected)) => assert_eq!(error, expected),
            (None, None) => {}
            (read, expected) => panic!("{read:?}, not {expected:?}"),
        }
    }
    assert!(refused > 800, "{refused} of {} are bad", bad.len());
}

#[test]
fn a_patch_in_a_reader_gives_the_same_edits() {
    let patch = Patch::parse(
        br#"[{"op":"remove","path":"/a/1"},{"op":"remove","path":"/a/1"},{"op":"remove","path":"/a/0"},
            {"op":"test","path":"/a/1","value":NaN},
            {"op":"move","from":"/key","path":"/moved"},{"op":"add","path":"/moved/x\\y/0/-","value":[1E+3]},
            {"op":"copy","from":"/moved/x\\y","path":"/a/0"},{"op":"replace","path":"/long","value":{"k":1e-06}}]"#,
    )
    .unwrap();
    let text = DOCUMENT.as_bytes();
    let expected = patch.edits(text).unwrap();
    for step in [1, 2, 7, 1000] {
        let mut reader = Slow::new(text, step);
        let edits = patch.edits_in(&mut reader).unwrap();
        assert_eq!(edits, expected);
        let mut edited = Vec::new();
        let written = edits.copy(&mut reader, &mut edited).unwrap();
        assert_eq!(edited, expected.apply(text));
        assert_eq!(written, edited.len() as u64);
    }
    let wrong = Patch::parse(br#"[{"op":"remove","path":"/lnog"}]"#).unwrap();
    let expected = wrong.edits(text).unwrap_err().to_string();
    assert!(expected.contains("near: \"long\""), "{expected}");
    let error = wrong.edits_in(Slow::new(text, 5)).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn items_come_one_by_one() {
    let document = Document::parse(DOCUMENT.as_bytes()).unwrap();
    for pointer in ["", "/a", "/key", "/key/x\\y", "/key/x\\y/0"] {
        let pointer: Pointer = pointer.parse().unwrap();
        let node = document.find(&pointer).unwrap();
        let mut expected: Vec<_> = node
            .elements()
            .map(|e| (None, e.literal().to_owned(), e.span()))
            .collect();
        expected.extend(node.members().map(|m| {
            let value = m.value();
            (
                Some(m.name().into_owned()),
                value.literal().to_owned(),
                value.span(),
            )
        }));
        for step in [1, 3, 10, 1000] {
            let items: Vec<_> = Items::new(Slow::new(DOCUMENT.as_bytes(), step), &pointer)
                .map(|item| item.unwrap())
                .map(|item| (item.name, item.value.to_string(), item.span))
                .collect();
            assert_eq!(items, expected);
        }
    }
}

#[test]
fn items_say_why_there_are_none() {
    let problem = |text: &str, pointer: &str| {
        Items::new(text.as_bytes(), &pointer.parse().unwrap())
            .find_map(|item| item.err())
            .unwrap()
            .to_string()
    };
    assert_eq!(problem("{\"a\": 1}", "/b"), "nothing stands at \"/b\"");
    assert!(problem("{\"a\": 1}", "/a").contains("a number stands"));
    assert!(problem("{\"a\": [1], \"a\": []}", "/a").contains("stands twice"));
    assert_eq!(
        problem("{\"a\": [1, 2],\n \"b\" 1}", "/a"),
        "2:6: found '1', expected ':'"
    );
}

#[test]
fn of_a_key_that_stands_twice_the_last_one_is_found() {
    let text = br#"{"a": {"x": 1}, "b": 0, "a": {"x": 2, "x": 3}, "c": {"x": 4}, "c": 5}"#;
    let document = Document::parse(text).unwrap();
    for (place, literal) in [("/a/x", Some("3")), ("/c", Some("5")), ("/c/x", None)] {
        let place: Pointer = place.parse().unwrap();
        let node = document.find(&place);
        assert_eq!(node.map(|node| node.literal()), literal);
        for step in [1, 7, 100] {
            let located = feed(text, step, std::slice::from_ref(&place)).unwrap();
            let spans: Vec<_> = located.into_iter().map(|l| l.map(|l| l.span)).collect();
            assert_eq!(spans, [node.map(|node| node.span())]);
        }
    }
}
