//! What is put in follows the layout of its neighbours, and nothing else moves.

#![allow(clippy::unwrap_used)]

use json_splice::{Document, Patch};

/// Applies `patch` to `before`, and checks the way back.
#[track_caller]
fn check(before: &str, patch: &str, after: &str) {
    let patch = Patch::parse(patch.as_bytes()).unwrap();
    let edits = patch.edits(before.as_bytes()).unwrap();
    let edited = edits.apply(before.as_bytes());
    assert_eq!(String::from_utf8_lossy(&edited), after);
    Document::parse(&edited).unwrap();
    let undo = edits.undo(before.as_bytes());
    assert_eq!(undo.restore(&edited).unwrap(), before.as_bytes());
}

const PRETTY: &str = "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2\n  ],\n  \"c\": {}\n}\n";

#[test]
fn removed_members_take_their_comma_along() {
    let remove = |path: &str| format!(r#"[{{"op": "remove", "path": "{path}"}}]"#);
    check(
        PRETTY,
        &remove("/a"),
        "{\n  \"b\": [\n    1,\n    2\n  ],\n  \"c\": {}\n}\n",
    );
    check(
        PRETTY,
        &remove("/c"),
        "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2\n  ]\n}\n",
    );
    check(
        PRETTY,
        &remove("/b/1"),
        "{\n  \"a\": 1,\n  \"b\": [\n    1\n  ],\n  \"c\": {}\n}\n",
    );
    check(
        "{\"a\":1,\"b\":2,\"c\":3}",
        &remove("/b"),
        "{\"a\":1,\"c\":3}",
    );
    check("[1, 2, 3]", &remove("/0"), "[2, 3]");
    check("{\n\t\"only\": 1\n}", &remove("/only"), "{}");
    check(
        "{\"a\":1,\"b\":2,\"c\":3}",
        r#"[{"op":"remove","path":"/b"},{"op":"remove","path":"/c"},{"op":"remove","path":"/a"}]"#,
        "{}",
    );
}

#[test]
fn added_members_stand_last_and_look_like_the_others() {
    let add = |value: &str| format!(r#"[{{"op": "add", "path": "/new", "value": {value}}}]"#);
    check("{\"a\":1}", &add("2"), "{\"a\":1,\"new\":2}");
    check("{\"a\": 1}", &add("2"), "{\"a\": 1, \"new\": 2}");
    check("{ \"a\": 1 }", &add("2"), "{ \"a\": 1, \"new\": 2 }");
    check(
        "{\"a\":1, \"b\":2}",
        &add("3"),
        "{\"a\":1, \"b\":2, \"new\":3}",
    );
    check(
        "{\r\n\t\"a\" : 1\r\n}\r\n",
        &add("{\"x\":[1e-06,{}]}"),
        "{\r\n\t\"a\" : 1,\r\n\t\"new\" : {\r\n\t\t\"x\" : [\r\n\t\t\t1e-06,\r\n\t\t\t{}\r\n\t\t]\r\n\t}\r\n}\r\n",
    );
    check("{}", &add("1"), "{\"new\": 1}");
    check("{\n}", &add("1"), "{\n  \"new\": 1\n}");
    check("{}", &add("[1,{\"a\":2}]"), "{\"new\": [1, {\"a\": 2}]}");
}

#[test]
fn empty_containers_open_up_as_the_document_does() {
    check(
        PRETTY,
        r#"[{"op":"add","path":"/c/x","value":1},{"op":"add","path":"/c/y","value":[2]}]"#,
        "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2\n  ],\n  \"c\": {\n    \"x\": 1,\n    \"y\": [\n      2\n    ]\n  }\n}\n",
    );
    check(
        "{\"a\":{\"b\":[]}}",
        r#"[{"op":"add","path":"/a/b/-","value":{"c":1,"d":2}}]"#,
        "{\"a\":{\"b\":[{\"c\":1,\"d\":2}]}}",
    );
}

#[test]
fn elements_go_first_between_and_last() {
    let add = |path: &str| format!(r#"[{{"op": "add", "path": "/b/{path}", "value": 9}}]"#);
    let with = |inside: &str| PRETTY.replace("\n    1,\n    2\n  ", inside);
    check(PRETTY, &add("0"), &with("\n    9,\n    1,\n    2\n  "));
    check(PRETTY, &add("1"), &with("\n    1,\n    9,\n    2\n  "));
    check(PRETTY, &add("2"), &with("\n    1,\n    2,\n    9\n  "));
    check(PRETTY, &add("-"), &with("\n    1,\n    2,\n    9\n  "));
    check(
        "[\"a\" , \"b\"]",
        r#"[{"op":"add","path":"/1","value":"x"}]"#,
        "[\"a\" , \"x\" , \"b\"]",
    );
    check(
        "[[1, 2],\n [3, 4]]",
        r#"[{"op":"add","path":"/-","value":[5,6]}]"#,
        "[[1, 2],\n [3, 4],\n [5, 6]]",
    );
}

#[test]
fn a_replaced_value_keeps_to_its_place() {
    check(
        PRETTY,
        r#"[{"op":"replace","path":"/a","value":{"k":[1,2]}}]"#,
        &PRETTY.replace(
            "\"a\": 1",
            "\"a\": {\n    \"k\": [\n      1,\n      2\n    ]\n  }",
        ),
    );
    check(
        "{\n  \"dims\": [1, 2]\n}",
        r#"[{"op":"replace","path":"/dims","value":[3,4,5]}]"#,
        "{\n  \"dims\": [3, 4, 5]\n}",
    );
    check(
        "\u{feff} {\"a\": 1} \n\n",
        r#"[{"op":"replace","path":"","value":[1E+3]}]"#,
        "\u{feff} [1E+3] \n\n",
    );
    check(
        PRETTY,
        r#"[{"op":"replace","path":"/a","value":1}]"#,
        PRETTY,
    );
    check(
        PRETTY,
        r#"[{"op":"replace","path":"","value":{"k":[1,{}]}}]"#,
        "{\n  \"k\": [\n    1,\n    {}\n  ]\n}\n",
    );
    check(
        PRETTY,
        r#"[{"op":"move","from":"/b","path":""}]"#,
        "[\n  1,\n  2\n]\n",
    );
}

#[test]
fn moved_and_copied_values_shift_with_their_indentation() {
    let before = "{\n  \"inner\": {\n    \"list\": [\n      -0.0,\n      \"\\u0120\"\n    ]\n  },\n  \"z\": 1e400\n}\n";
    check(
        before,
        r#"[{"op":"move","from":"/inner/list","path":"/list"}]"#,
        "{\n  \"inner\": {},\n  \"z\": 1e400,\n  \"list\": [\n    -0.0,\n    \"\\u0120\"\n  ]\n}\n",
    );
    check(
        before,
        r#"[{"op":"copy","from":"/inner","path":"/inner/again"}]"#,
        "{\n  \"inner\": {\n    \"list\": [\n      -0.0,\n      \"\\u0120\"\n    ],\n    \"again\": {\n      \"list\": [\n        -0.0,\n        \"\\u0120\"\n      ]\n    }\n  },\n  \"z\": 1e400\n}\n",
    );
}

#[test]
fn operations_see_what_the_ones_before_them_did() {
    check(
        "[0, 1, 2, 3, 4, 5]",
        r#"[{"op":"remove","path":"/0"},{"op":"remove","path":"/0"},{"op":"test","path":"/0","value":2},
            {"op":"add","path":"/1","value":9},{"op":"move","from":"/1","path":"/0"},{"op":"remove","path":"/4"}]"#,
        "[9, 2, 3, 4]",
    );
    check(
        r#"{"a": {"x": 1}, "b": 2}"#,
        r#"[{"op":"move","from":"/a","path":"/c"},{"op":"add","path":"/c/y","value":2},
            {"op":"remove","path":"/c/x"},{"op":"copy","from":"/c/y","path":"/a"}]"#,
        r#"{"b": 2, "c": {"y": 2}, "a": 2}"#,
    );
}

#[test]
fn one_more_level_is_indented_as_the_document_does() {
    let add = r#"[{"op":"add","path":"/new","value":{"x":[1]}}]"#;
    for unit in [" ", "   ", "    ", "\t", "\t\t"] {
        check(
            &format!("{{\n{unit}\"a\": 1\n}}"),
            add,
            &format!(
                "{{\n{unit}\"a\": 1,\n{unit}\"new\": {{\n{unit}{unit}\"x\": [\n{unit}{unit}{unit}1\n{unit}{unit}]\n{unit}}}\n}}"
            ),
        );
        check(
            &format!("{{\n{unit}\"a\": {{}}\n}}"),
            r#"[{"op":"add","path":"/a/b","value":1}]"#,
            &format!("{{\n{unit}\"a\": {{\n{unit}{unit}\"b\": 1\n{unit}}}\n}}"),
        );
    }
}
