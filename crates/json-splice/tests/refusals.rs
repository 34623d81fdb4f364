//! What is refused, and what the errors say.

#![allow(clippy::unwrap_used, clippy::panic)]

use json_splice::{
    Document, Edits, Found, OperationErrorKind, Patch, PatchError, Pointer, Position, Splice,
    SyntaxError, Undo, UndoError,
};

#[track_caller]
fn refused(text: &[u8], message: &str) {
    let error = Document::parse(text).unwrap_err();
    assert_eq!(
        error.to_string(),
        message,
        "{}",
        String::from_utf8_lossy(text)
    );
    let patch = Patch::new(Vec::new());
    assert_eq!(patch.edits(text), Err(PatchError::Syntax(error)));
}

#[test]
fn what_rfc_8259_forbids() {
    refused(b"", "1:1: found the end of the text, expected a value");
    refused(b" \n ", "2:2: found the end of the text, expected a value");
    refused(
        b"\xEF\xBB\xBF",
        "1:1: found the end of the text, expected a value",
    );
    refused(b"[1,]", "1:4: found ']', expected a value");
    refused(
        b"{\"a\":1,}",
        "1:8: found '}', expected a member's name in double quotes",
    );
    refused(
        b"[1,2",
        "1:5: found the end of the text, expected the end of the number, ',' or ']'",
    );
    refused(
        b"[1,[]",
        "1:6: found the end of the text, expected ',' or ']'",
    );
    refused(
        b"[1]x",
        "1:4: found 'x', expected nothing but white space after the document",
    );
    refused(
        b"{} {}",
        "1:4: found '{', expected nothing but white space after the document",
    );
    refused(
        b"[\"a\x01\"]",
        "1:4: found U+0001, expected the rest of a string (control characters are written as escapes)",
    );
    refused(
        b"[\"a\n\"]",
        "1:4: found U+000A, expected the rest of a string (control characters are written as escapes)",
    );
    refused(
        b"[01]",
        "1:3: found '1', expected the end of the number, ',' or ']'",
    );
    refused(b"[+1]", "1:2: found '+', expected a value or ']'");
    refused(b"[.5]", "1:2: found '.', expected a value or ']'");
    refused(
        b"[1.]",
        "1:4: found ']', expected a digit after the decimal point",
    );
    refused(
        b"[1e]",
        "1:4: found ']', expected a digit or a sign after the exponent's 'e'",
    );
    refused(
        b"[-]",
        "1:3: found ']', expected a digit or 'Infinity' after '-'",
    );
    refused(
        b"[0x10]",
        "1:3: found 'x', expected the end of the number, ',' or ']'",
    );
    refused(
        b"[\"\\x\"]",
        "1:4: found 'x', expected one of \" \\ / b f n r t u after a backslash",
    );
    refused(
        b"[\"\\u12G4\"]",
        "1:7: found 'G', expected four hexadecimal digits after \\u",
    );
    refused(b"[1 // one\n]", "1:4: found '/', expected ',' or ']'");
    refused(
        b"{'a': 1}",
        "1:2: found ''', expected a member's name in double quotes or '}'",
    );
    refused(
        b"{a: 1}",
        "1:2: found 'a', expected a member's name in double quotes or '}'",
    );
    refused(b"{\"a\" 1}", "1:6: found '1', expected ':'");
    refused(
        b"{\"a\": 1 \"b\": 2}",
        "1:9: found '\"', expected ',' or '}'",
    );
    refused(b"[1}", "1:3: found '}', expected ',' or ']'");
    refused(b"{\"a\": 1]", "1:8: found ']', expected ',' or '}'");
    refused(b"]", "1:1: found ']', expected a value");
    refused(
        "[\u{a0}1]".as_bytes(),
        "1:2: found U+00A0, expected a value or ']'",
    );
    refused(b"[nan]", "1:3: found 'a', expected the word null");
    refused(
        b"[-NaN]",
        "1:3: found 'N', expected a digit or 'Infinity' after '-'",
    );
    refused(b"[True]", "1:2: found 'T', expected a value or ']'");
    refused(
        b"[\"a]",
        "1:5: found the end of the text, expected the rest of a string (control characters are written as escapes)",
    );
    refused(
        b"[1]\0",
        "1:4: found U+0000, expected nothing but white space after the document",
    );
    refused(
        b"\xEF\xBB\xBF\xEF\xBB\xBF[]",
        "1:1: found '\u{feff}', expected a value",
    );
    let deep = "[".repeat(100_000);
    refused(
        deep.as_bytes(),
        "1:100001: found the end of the text, expected a value or ']'",
    );
}

#[test]
fn what_is_not_utf_8() {
    refused(
        b"[\"\xC4\"]",
        "1:3: found the byte 0xC4, which is not UTF-8, expected UTF-8",
    );
    refused(
        b"[\"\xED\xA0\x80\"]",
        "1:3: found the byte 0xED, which is not UTF-8, expected UTF-8",
    );
    refused(
        b"[\"\xC0\xAF\"]",
        "1:3: found the byte 0xC0, which is not UTF-8, expected UTF-8",
    );
    refused(
        b"\xFF\xFE[\0]\0",
        "1:1: found the byte 0xFF, which is not UTF-8, expected UTF-8",
    );
    refused(
        b"[1]\xE2\x82",
        "1:4: found the byte 0xE2, which is not UTF-8, expected UTF-8",
    );
    // The grammar is broken before the bytes are.
    refused(b"[1,]\xFF", "1:4: found ']', expected a value");
}

#[test]
fn a_syntax_error_says_where() {
    let error = Document::parse("{\n  \"é\": [1 2]\n}".as_bytes()).unwrap_err();
    let expected = SyntaxError {
        offset: 13,
        position: Position {
            line: 2,
            column: 11,
        },
        found: Found::Char('2'),
        expected: "',' or ']'",
    };
    assert_eq!(error, expected);
}

const CONFIG: &str = "{\n  \"quantization_config\": {\n    \"kv_cache_scheme\": null,\n    \"ignore\": [\"lm_head\"],\n    \"x\": 1,\n    \"x\": 2\n  }\n}\n";

#[track_caller]
fn operation_error(patch: &str) -> json_splice::OperationError {
    let patch = Patch::parse(patch.as_bytes()).unwrap();
    match patch.edits(CONFIG.as_bytes()) {
        Err(PatchError::Operation(error)) => *error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_operation_error_says_how_far_it_got() {
    let error = operation_error(
        r#"[{"op": "test", "path": "/quantization_config/kv_cache_scheme", "value": null},
            {"op": "remove", "path": "/quantization_config/kv_cache_shceme/type"}]"#,
    );
    assert_eq!(error.index, 1);
    assert_eq!(error.operation, "remove");
    assert_eq!(
        error.prefix,
        "/quantization_config".parse::<Pointer>().unwrap()
    );
    assert_eq!(error.found, "an object with 4 members");
    assert_eq!(
        error.position,
        Some(Position {
            line: 2,
            column: 26
        })
    );
    assert_eq!(error.near, ["kv_cache_scheme"]);
    assert_eq!(
        error.to_string(),
        "2:26: operation 1 (remove \"/quantization_config/kv_cache_shceme/type\"): there is no member \
         \"kv_cache_shceme\"; at \"/quantization_config\" stands an object with 4 members; near: \"kv_cache_scheme\""
    );

    let error = operation_error(r#"[{"op": "remove", "path": "/quantization_config/ignore/3"}]"#);
    assert_eq!(
        error.kind,
        OperationErrorKind::NoSuchElement { index: 3, len: 1 }
    );
    assert_eq!(
        error.position,
        Some(Position {
            line: 4,
            column: 15
        })
    );

    let error = operation_error(r#"[{"op": "remove", "path": "/quantization_config/ignore/0/x"}]"#);
    assert_eq!(error.kind, OperationErrorKind::NotAContainer);
    assert_eq!(error.found, "a string \"lm_head\"");

    let error = operation_error(
        r#"[{"op": "add", "path": "/new", "value": {"a": 1}}, {"op": "remove", "path": "/new/b"}]"#,
    );
    assert_eq!(error.position, None);
    assert_eq!(error.found, "an object with 1 member");
}

#[test]
fn a_duplicated_key_is_refused_where_it_is_touched() {
    for op in [
        r#"{"op": "remove", "path": "/quantization_config/x"}"#,
        r#"{"op": "replace", "path": "/quantization_config/x", "value": 3}"#,
        r#"{"op": "add", "path": "/quantization_config/x", "value": 3}"#,
        r#"{"op": "test", "path": "/quantization_config/x", "value": 2}"#,
        r#"{"op": "add", "path": "/quantization_config/x/y", "value": 2}"#,
        r#"{"op": "copy", "from": "/quantization_config/x", "path": "/y"}"#,
        r#"{"op": "move", "from": "/quantization_config/ignore", "path": "/quantization_config/x"}"#,
    ] {
        let error = operation_error(&format!("[{op}]"));
        let expected = OperationErrorKind::DuplicateKey {
            name: "x".to_owned(),
            again: Some(Position { line: 6, column: 5 }),
        };
        assert_eq!(error.kind, expected, "{op}");
    }
    let elsewhere = Patch::parse(br#"[{"op": "remove", "path": "/quantization_config/ignore"}]"#);
    let edits = elsewhere.unwrap().edits(CONFIG.as_bytes()).unwrap();
    let expected = CONFIG.replace("    \"ignore\": [\"lm_head\"],\n", "");
    assert_eq!(edits.apply(CONFIG.as_bytes()), expected.as_bytes());
    let document = Document::parse(CONFIG.as_bytes()).unwrap();
    let last = document.find(&"/quantization_config/x".parse().unwrap());
    assert_eq!(last.unwrap().literal(), "2");
}

fn splice(start: usize, end: usize, replacement: &str) -> Splice {
    Splice {
        range: start..end,
        replacement: replacement.as_bytes().to_vec(),
    }
}

#[test]
fn splices_that_overlap_are_refused() {
    let edits = Edits::new(vec![splice(4, 4, "!"), splice(0, 2, "x"), splice(2, 3, "")]).unwrap();
    assert_eq!(edits.apply(b"abcdef"), b"xd!ef");
    let past = Edits::new(vec![
        splice(5, usize::MAX, "x"),
        splice(usize::MAX, usize::MAX, "y"),
    ]);
    let past = past.unwrap();
    assert_eq!(past.apply(b"abc"), b"abcxy");
    assert_eq!(past.undo(b"abc").restore(b"abcxy").unwrap(), b"abc");
    assert!(Edits::new(vec![splice(0, 3, ""), splice(2, 4, "")]).is_err());
    assert!(Edits::new(vec![splice(2, 2, "a"), splice(2, 2, "b")]).is_err());
    assert!(Edits::new(vec![splice(3, 2, "")]).is_err());
}

#[test]
fn undo_refuses_a_document_that_changed() {
    let before = b"{\"a\": 1, \"b\": 2}";
    let patch = Patch::parse(br#"[{"op": "remove", "path": "/a"}]"#).unwrap();
    let edits = patch.edits(before).unwrap();
    let edited = edits.apply(before);
    let undo = edits.undo(before);
    let stored = undo.to_json();
    assert_eq!(Undo::from_json(stored.as_bytes()).unwrap(), undo);
    for changed in [&b"{\"b\": 3}"[..], b"{\"b\": 2}\n", b"", before] {
        let error = undo.restore(changed).unwrap_err();
        let (expected, found) = (edited.len(), changed.len());
        assert_eq!(error, UndoError::Changed { expected, found });
    }
    let damaged = stored.replace("\\\"a\\\": 1", "\\\"a\\\": 7");
    assert_ne!(damaged, stored);
    let damaged = Undo::from_json(damaged.as_bytes()).unwrap();
    assert_eq!(damaged.restore(&edited), Err(UndoError::Damaged));
}

#[test]
fn undo_records_that_cannot_be_read() {
    let whole = Edits::default().undo(b"[]").to_json();
    Undo::from_json(whole.as_bytes()).unwrap();
    for (bad, why) in [
        (whole[1..].to_owned(), "1:10: found ':'"),
        ("{}".to_owned(), "\"version\" is missing"),
        (
            whole.replace("\"version\": 1", "\"version\": 2"),
            "version is not 1",
        ),
        (
            whole.replace("\"length\": 2", "\"length\": -2"),
            "not a size",
        ),
        (
            whole.replace("\"sha256\": \"", "\"sha256\": \"0"),
            "64 hexadecimal digits",
        ),
        (
            whole.replace("[]", "[{\"at\": 1, \"remove\": 9, \"insert\": \"\"}]"),
            "past the end",
        ),
        (
            whole.replace("[]", "[{\"at\": 1, \"remove\": 1, \"insert\": 1}]"),
            "not a string",
        ),
        (
            whole.replace(
                "[]",
                "[{\"at\": 1, \"remove\": 1, \"insert_hex\": \"abc\"}]",
            ),
            "not a string",
        ),
    ] {
        let error = Undo::from_json(bad.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(why), "{error}: {bad}");
    }
}

#[test]
fn undo_keeps_bytes_that_are_no_text() {
    let before = "[\"é\"]".as_bytes();
    // In the midst of a character.
    let edits = Edits::new(vec![splice(3, 4, "x")]).unwrap();
    let stored = edits.undo(before).to_json();
    assert!(stored.contains("\"insert_hex\": \"a9\""), "{stored}");
    let undo = Undo::from_json(stored.as_bytes()).unwrap();
    assert_eq!(undo.restore(&edits.apply(before)).unwrap(), before);
}
