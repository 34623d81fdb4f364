//! RFC 6902 case by case: its appendix, and what the public `json-patch-tests` ask for.

#![allow(clippy::unwrap_used)]

use json_splice::{Document, Patch, PatchParseError};

#[track_caller]
fn applies(document: &str, patch: &str, expected: &str) {
    let patch = Patch::parse(patch.as_bytes()).unwrap();
    let edits = patch.edits(document.as_bytes()).unwrap();
    let edited = edits.apply(document.as_bytes());
    let same = Document::parse(&edited)
        .unwrap()
        .root()
        .same_value(Document::parse(expected.as_bytes()).unwrap().root());
    let edited = String::from_utf8_lossy(&edited);
    assert!(same, "{document} became {edited}, not {expected}");
}

/// The patch is well formed, but does not apply; the message holds `why`.
#[track_caller]
fn fails(document: &str, patch: &str, why: &str) {
    let patch = Patch::parse(patch.as_bytes()).unwrap();
    let error = patch.edits(document.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(why), "{error}");
}

/// The text is no patch; the message holds `why`.
#[track_caller]
fn is_no_patch(patch: &str, why: &str) {
    let error = Patch::parse(patch.as_bytes()).unwrap_err();
    assert!(matches!(error, PatchParseError::Shape { .. }));
    assert!(error.to_string().contains(why), "{error}");
}

#[test]
fn appendix_a() {
    let add = r#"[{"op":"add","path":"/heads","value":8}]"#;
    applies(r#"{"dim":64}"#, add, r#"{"heads":8,"dim":64}"#); // A.1
    let add = r#"[{"op":"add","path":"/eos/1","value":7}]"#;
    applies(r#"{"eos":[2,9]}"#, add, r#"{"eos":[2,7,9]}"#); // A.2
    let remove = r#"[{"op":"remove","path":"/dim"}]"#;
    applies(r#"{"dim":64,"heads":8}"#, remove, r#"{"heads":8}"#); // A.3
    let remove = r#"[{"op":"remove","path":"/eos/1"}]"#;
    applies(r#"{"eos":[2,7,9]}"#, remove, r#"{"eos":[2,9]}"#); // A.4
    let replace = r#"[{"op":"replace","path":"/dim","value":"x"}]"#;
    applies(r#"{"dim":64,"k":1}"#, replace, r#"{"dim":"x","k":1}"#); // A.5
    let shift = r#"[{"op":"move","from":"/rope/theta","path":"/top/theta"}]"#;
    applies(
        r#"{"rope":{"type":"yarn","theta":1},"top":{"k":2}}"#,
        shift,
        r#"{"rope":{"type":"yarn"},"top":{"k":2,"theta":1}}"#,
    ); // A.6
    let shift = r#"[{"op":"move","from":"/l/1","path":"/l/3"}]"#;
    applies(
        r#"{"l":["a","b","c","d"]}"#,
        shift,
        r#"{"l":["a","c","d","b"]}"#,
    ); // A.7
    let test = r#"[{"op":"test","path":"/k","value":"v"},{"op":"test","path":"/l/1","value":2}]"#;
    applies(
        r#"{"k":"v","l":["a",2,"c"]}"#,
        test,
        r#"{"k":"v","l":["a",2,"c"]}"#,
    ); // A.8
    let test = r#"[{"op":"test","path":"/k","value":"w"}]"#;
    fails(r#"{"k":"v"}"#, test, r#"expected "w", found "v""#); // A.9
    let add = r#"[{"op":"add","path":"/child","value":{"deep":{}}}]"#;
    applies(r#"{"k":"v"}"#, add, r#"{"k":"v","child":{"deep":{}}}"#); // A.10
    let add = r#"[{"op":"add","path":"/heads","value":8,"xyz":1}]"#;
    applies(r#"{"k":1}"#, add, r#"{"k":1,"heads":8}"#); // A.11
    let add = r#"[{"op":"add","path":"/none/heads","value":8}]"#;
    fails(r#"{"k":1}"#, add, r#"there is no member "none""#); // A.12
    is_no_patch(
        r#"[{"op":"add","path":"/k","value":1,"op":"remove"}]"#,
        "\"op\" twice",
    ); // A.13
    let test = r#"[{"op":"test","path":"/~01","value":10}]"#;
    applies(r#"{"/":9,"~1":10}"#, test, r#"{"/":9,"~1":10}"#); // A.14
    let test = r#"[{"op":"test","path":"/~01","value":"10"}]"#;
    fails(r#"{"/":9,"~1":10}"#, test, r#"expected "10", found 10"#); // A.15
    let add = r#"[{"op":"add","path":"/l/-","value":["b","c"]}]"#;
    applies(r#"{"l":["a"]}"#, add, r#"{"l":["a",["b","c"]]}"#); // A.16
}

#[test]
fn a_patch_without_operations_changes_nothing() {
    for document in ["{}", "[]", r#"{"k":1}"#, r#"["k"]"#, r#""k""#, "null"] {
        applies(document, "[]", document);
    }
}

#[test]
fn add() {
    let at =
        |path: &str, value: &str| format!(r#"[{{"op":"add","path":"{path}","value":{value}}}]"#);
    applies(r#"{"k":null}"#, &at("/k", "1"), r#"{"k":1}"#);
    applies("{}", &at("/k", r#""1""#), r#"{"k":"1"}"#);
    applies("{}", &at("/k", "1"), r#"{"k":1}"#);
    applies("{}", &at("/", "1"), r#"{"":1}"#);
    applies(r#"{"k":{}}"#, &at("/k/", "1"), r#"{"k":{"":1}}"#);
    applies(r#"{"k":1}"#, &at("/0", "2"), r#"{"k":1,"0":2}"#);
    for value in ["true", "false", "null", "[1,2]"] {
        applies(
            r#"{"k":1}"#,
            &at("/n", value),
            &format!(r#"{{"k":1,"n":{value}}}"#),
        );
    }
    applies(
        r#"{"k":1,"l":[{"m":"x"}]}"#,
        &at("/l/0/n", "2"),
        r#"{"k":1,"l":[{"m":"x","n":2}]}"#,
    );
    applies("[]", &at("/0", "1"), "[1]");
    applies("[]", &at("/-", "1"), "[1]");
    applies("[5]", &at("/1", "1"), "[5,1]");
    applies("[5,6]", &at("/0", "1"), "[1,5,6]");
    applies("[5,6]", &at("/1", "1"), "[5,1,6]");
    applies("[5,6]", &at("/2", "1"), "[5,6,1]");
    applies("[5,6]", &at("/1", "[1,2]"), "[5,[1,2],6]");
    applies("[5,6]", &at("/-", "{\"k\":[1]}"), "[5,6,{\"k\":[1]}]");
    applies("[1,[2,[3]]]", &at("/1/1/-", "4"), "[1,[2,[3,4]]]");
    applies("{}", &at("", "[]"), "[]");
    applies("[]", &at("", "{}"), "{}");
    applies(r#"{"k":1}"#, &at("", r#"{"l":2}"#), r#"{"l":2}"#);
    applies("7", &at("", "8"), "8");
    fails(r#"{"l":[1,2]}"#, &at("/l/8", "5"), "no element 8");
    fails(
        "[1,2]",
        &at("/3", "5"),
        "no element 3, the array's length is 2",
    );
    for token in ["-1", "1e0", "k", "01", "+1", ""] {
        fails("[1,2]", &at(&format!("/{token}"), "5"), "names no element");
    }
    fails(
        r#"{"k":1}"#,
        &at("/k/l", "5"),
        "at \"/k\" stands a number 1",
    );
    fails("1", &at("/k", "5"), "nothing can be inside");
}

#[test]
fn remove() {
    let at = |path: &str| format!(r#"[{{"op":"remove","path":"{path}"}}]"#);
    applies(r#"{"k":1,"l":[1,2]}"#, &at("/l"), r#"{"k":1}"#);
    applies(r#"{"l":[{"m":1}]}"#, &at("/l/0/m"), r#"{"l":[{}]}"#);
    applies(r#"{"k":null}"#, &at("/k"), "{}");
    applies("[1,2,3]", &at("/0"), "[2,3]");
    applies(
        "[1,2,3,4]",
        r#"[{"op":"remove","path":"/1"},{"op":"remove","path":"/2"}]"#,
        "[1,3]",
    );
    fails(r#"{"k":1}"#, &at("/l"), "no member \"l\"");
    fails("[1,2]", &at("/2"), "no element 2");
    fails("[1,2]", &at("/-"), "\"-\" names no element");
    fails("[1,2]", &at("/1e0"), "\"1e0\" names no element");
    fails(
        r#"{"l":[{"m":1}]}"#,
        &at("/l/1e0/m"),
        "\"1e0\" names no element",
    );
    fails(r#"{"k":1}"#, &at(""), "cannot be removed");
}

#[test]
fn replace() {
    let at = |path: &str, value: &str| {
        format!(r#"[{{"op":"replace","path":"{path}","value":{value}}}]"#)
    };
    applies(
        r#"{"k":1,"l":2}"#,
        &at("/k", "[1,2]"),
        r#"{"k":[1,2],"l":2}"#,
    );
    applies(
        r#"{"l":[{"m":1}]}"#,
        &at("/l/0/m", "2"),
        r#"{"l":[{"m":2}]}"#,
    );
    for value in ["0", "true", "false", "null", "\"\""] {
        applies("[\"\"]", &at("/0", value), &format!("[{value}]"));
    }
    applies("[1,2]", &at("/1", "[3,4]"), "[1,[3,4]]");
    applies(r#"{"k":null}"#, &at("/k", "1"), r#"{"k":1}"#);
    applies(r#"{"k":1}"#, &at("", r#"{"l":2}"#), r#"{"l":2}"#);
    applies("\"k\"", &at("", "\"l\""), "\"l\"");
    fails(r#"{"l":1}"#, &at("/k/m", "0"), "no member \"k\"");
    fails(r#"{"l":1}"#, &at("/k", "0"), "no member \"k\"");
    fails("[1]", &at("/1e0", "0"), "names no element");
    fails("[1]", &at("/-", "0"), "names no element");
    fails("[1]", &at("/1", "0"), "no element 1");
}

#[test]
fn move_and_copy() {
    let op = |op: &str, from: &str, path: &str| {
        format!(r#"[{{"op":"{op}","from":"{from}","path":"{path}"}}]"#)
    };
    applies(r#"{"k":1}"#, &op("move", "/k", "/k"), r#"{"k":1}"#);
    applies(r#"{"k":1}"#, &op("move", "", ""), r#"{"k":1}"#);
    applies(
        r#"{"k":1,"l":2}"#,
        &op("move", "/k", "/m"),
        r#"{"l":2,"m":1}"#,
    );
    applies(r#"{"k":null}"#, &op("move", "/k", "/m"), r#"{"m":null}"#);
    applies(
        r#"{"k":null}"#,
        &op("copy", "/k", "/m"),
        r#"{"k":null,"m":null}"#,
    );
    applies(
        r#"{"l":[{"m":"x"}],"k":1}"#,
        &op("move", "/l/0/m", "/l/1"),
        r#"{"l":[{},"x"],"k":1}"#,
    );
    applies(
        r#"{"l":[{"m":"x"}]}"#,
        &op("copy", "/l/0", "/n"),
        r#"{"l":[{"m":"x"}],"n":{"m":"x"}}"#,
    );
    applies("[1,2,3]", &op("move", "/2", "/0"), "[3,1,2]");
    applies("[1,2,3]", &op("move", "/0", "/-"), "[2,3,1]");
    applies("[1,2,[3]]", &op("move", "/0", "/1/-"), "[2,[3,1]]");
    fails(
        "[1,[2]]",
        &op("move", "/0", "/0/-"),
        "cannot move into itself",
    );
    applies("[1,2]", &op("copy", "", "/-"), "[1,2,[1,2]]");
    applies(
        r#"{"k":{"l":[1]}}"#,
        &op("move", "/k/l", "/k"),
        r#"{"k":[1]}"#,
    );
    applies(r#"{"k":{"l":1}}"#, &op("move", "/k", ""), r#"{"l":1}"#);
    applies(
        r#"{"k":{"l":1}}"#,
        &op("copy", "/k", "/k/m"),
        r#"{"k":{"l":1,"m":{"l":1}}}"#,
    );
    fails(
        r#"{"k":{"l":1}}"#,
        &op("move", "/k", "/k/m"),
        "cannot move into itself",
    );
    fails(r#"{"k":1}"#, &op("move", "/m", "/m"), "no member \"m\"");
    fails(r#"{"k":1}"#, &op("copy", "/m", "/n"), "no member \"m\"");
    fails("[1,2]", &op("copy", "/1e0", "/0"), "names no element");
    fails("[1,2]", &op("move", "/1e0", "/0"), "names no element");
    // Once taken out, the array has one element: 2 is past its end.
    fails(
        "[1,2]",
        &op("move", "/0", "/2"),
        "no element 2, the array's length is 1",
    );
}

#[test]
fn test_compares_values() {
    let test = |document: &str, value: &str| {
        let patch = format!(r#"[{{"op":"test","path":"/k","value":{value}}}]"#);
        let document = format!(r#"{{"k":{document}}}"#);
        let patch = Patch::parse(patch.as_bytes()).unwrap();
        patch.edits(document.as_bytes()).is_ok()
    };
    for (a, b) in [
        ("null", "null"),
        ("1", "1.0"),
        ("100", "1e2"),
        ("-0.0", "0"),
        ("1e400", "10E+399"),
        ("18446744073709551617", "18446744073709551617.0"),
        ("NaN", "NaN"),
        ("\"\\u0120a\"", "\"\u{120}a\""),
        ("\"\\/\"", "\"/\""),
        ("\"\\ud83d\\ude00\"", "\"\u{1f600}\""),
        ("\"\\ud800\"", "\"\\uD800\""),
        ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"),
        ("[{\"a\":1,\"b\":[]}]", "[{\"b\":[ ],\"a\":1.0}]"),
    ] {
        assert!(test(a, b), "{a} is {b}");
        assert!(test(b, a), "{b} is {a}");
    }
    for (a, b) in [
        ("1", "\"1\""),
        ("null", "false"),
        ("0", "false"),
        ("[]", "{}"),
        ("[1,2]", "[2,1]"),
        ("[1,2]", "[1]"),
        ("{\"a\":1}", "{\"a\":1,\"b\":2}"),
        ("{\"a\":1}", "{\"A\":1}"),
        ("9007199254740993", "9007199254740992"),
        ("NaN", "null"),
        ("\"\\ud800\"", "\"\u{fffd}\""),
    ] {
        assert!(!test(a, b), "{a} is not {b}");
        assert!(!test(b, a), "{b} is not {a}");
    }
    let whole = r#"[{"op":"test","path":"","value":{"k":1}}]"#;
    applies(r#"{"k":1}"#, whole, r#"{"k":1}"#);
    let name = r#"[{"op":"test","path":"/1e0","value":1}]"#;
    applies(r#"{"1e0":1}"#, name, r#"{"1e0":1}"#);
    for token in ["1e0", "00", "01", "-", "2"] {
        let patch = format!(r#"[{{"op":"test","path":"/{token}","value":2}}]"#);
        fails("[1,2]", &patch, "element");
    }
}

#[test]
fn every_escape_of_a_pointer() {
    let document =
        r#"{"l":["x","y"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#;
    for (path, value) in [
        ("/l", r#"["x","y"]"#),
        ("/l/0", "\"x\""),
        ("/", "0"),
        ("/a~1b", "1"),
        ("/c%d", "2"),
        ("/e^f", "3"),
        ("/g|h", "4"),
        ("/i\\\\j", "5"),
        ("/k\\\"l", "6"),
        ("/ ", "7"),
        ("/m~0n", "8"),
    ] {
        let patch = format!(r#"[{{"op":"test","path":"{path}","value":{value}}}]"#);
        applies(document, &patch, document);
    }
}

#[test]
fn texts_that_are_no_patch() {
    for op in ["add", "replace", "test"] {
        is_no_patch(
            &format!(r#"[{{"op":"{op}","path":"/0"}}]"#),
            "operation 0: the operation has no \"value\"",
        );
    }
    for op in ["move", "copy"] {
        is_no_patch(&format!(r#"[{{"op":"{op}","path":"/0"}}]"#), "no \"from\"");
    }
    is_no_patch(r#"[{"op":"remove"}]"#, "no \"path\"");
    is_no_patch(r#"[{"path":"/0"}]"#, "no \"op\"");
    is_no_patch(r#"[{"op":"spam","path":"/0"}]"#, "\"op\" is \"spam\"");
    is_no_patch(r#"[{"op":1,"path":"/0"}]"#, "must be a string");
    is_no_patch(r#"[{"op":"remove","path":null}]"#, "must be a string");
    is_no_patch(r#"[{"op":"remove","path":"k"}]"#, "starts with '/'");
    is_no_patch(r#"[{"op":"remove","path":"/k~2"}]"#, "write '~0'");
    is_no_patch(r#"[{"op":"remove","path":"/\ud800"}]"#, "lone surrogate");
    is_no_patch(r#"{"op":"remove","path":"/k"}"#, "a patch is an array");
    is_no_patch(
        "[\n  1]",
        "2:3: operation 0: an operation is an object, this is a number",
    );
}

#[test]
fn a_failing_operation_fails_the_whole_patch() {
    let patch = r#"[{"op":"remove","path":"/a"},{"op":"test","path":"/b","value":3}]"#;
    fails(r#"{"a":1,"b":2}"#, patch, "operation 1 (test \"/b\")");
}
