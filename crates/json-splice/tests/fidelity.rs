//! Whatever a document holds, what a patch does not name stays as it is, to the byte.

#![allow(clippy::unwrap_used)]

use json_splice::{Document, Operation, Patch, Pointer};

/// Spellings that most JSON libraries write anew.
const SPELLINGS: [&str; 37] = [
    "1e-06",
    "1E+3",
    "1.0",
    "-0.0",
    "-0",
    "1e400",
    "0.1000",
    "18446744073709551617",
    "9007199254740993",
    "1000000000000000019884624838656",
    "3.14159265358979323846264338327950288",
    "NaN",
    "Infinity",
    "-Infinity",
    r#""\u0120""#,
    "\"\u{120}\"",
    r#""\/""#,
    r#""\u00E9\u00e9""#,
    r#""\ud83d\ude00""#,
    "\"\u{1f600}\"",
    r#""\ud800""#,
    r#""\udc00\ud800""#,
    r#""\u0000\u000a\u001F""#,
    "\"\u{7f}\u{2028}\u{2029}\u{feff}\"",
    r#""\"\\\b\f\n\r\t""#,
    "\"// no comment /* */\"",
    "\"}],{[\"",
    "\"\"",
    "{}",
    "[ ]",
    "[\n\n]",
    "{ \"a\" : [ 1 ,2,  3 ] }",
    r#"{"__proto__": 1, "10": 1, "2": 2, "1": 3}"#,
    r#"{"twice": 1, "twice": 2, "other": 3}"#,
    r#"{"": {"": {"a.b": 1, "a/b": 2, "a~b": 3}}}"#,
    "[[[[[]]]],[{}],[{\"a\":[]}]]",
    "[true,false,null]",
];

#[track_caller]
fn edited(document: &str, patch: &str) -> String {
    let patch = Patch::parse(patch.as_bytes()).unwrap();
    let edits = patch.edits(document.as_bytes()).unwrap();
    let edited = edits.apply(document.as_bytes());
    let undo = edits.undo(document.as_bytes());
    assert_eq!(undo.restore(&edited).unwrap(), document.as_bytes());
    String::from_utf8(edited).unwrap()
}

const REMOVE: &str = r#"[{"op": "remove", "path": "/drop"}]"#;

#[test]
fn spellings_survive_beside_a_removal() {
    for x in SPELLINGS {
        for (comma, colon, open, close) in [
            (", ", ": ", "{", "}"),
            (",", ":", "{", "}"),
            (",\n  ", ": ", "{\n  ", "\n}\n"),
            (",\r\n\t", ": ", "\u{feff}{\r\n\t", "\r\n}\r\n\r\n"),
            (" ,\n", " : ", "\n\n{ ", " } "),
        ] {
            let first = format!("{open}\"drop\"{colon}{x}{comma}\"a\"{colon}{x}{close}");
            let between = format!(
                "{open}\"a\"{colon}{x}{comma}\"drop\"{colon}{x}{comma}\"z\"{colon}{x}{close}"
            );
            let last = format!("{open}\"a\"{colon}{x}{comma}\"drop\"{colon}{x}{close}");
            let one = format!("{open}\"a\"{colon}{x}{close}");
            let two = format!("{open}\"a\"{colon}{x}{comma}\"z\"{colon}{x}{close}");
            assert_eq!(edited(&first, REMOVE), one);
            assert_eq!(edited(&between, REMOVE), two);
            assert_eq!(edited(&last, REMOVE), one);
        }
    }
}

#[test]
fn values_of_a_patch_keep_their_spelling() {
    for x in SPELLINGS.into_iter().filter(|x| !x.contains(['{', '['])) {
        let patch = format!(r#"[{{"op": "add", "path": "/new", "value": {x}}}]"#);
        assert_eq!(
            edited("{\n \"a\": 1\n}", &patch),
            format!("{{\n \"a\": 1,\n \"new\": {x}\n}}")
        );
        let patch = format!(r#"[{{"op": "replace", "path": "/a", "value": {x}}}]"#);
        assert_eq!(edited("{\"a\":1}", &patch), format!("{{\"a\":{x}}}"));
        let patch = format!(r#"[{{"op": "add", "path": "/0", "value": [{x}, {{"k":{x}}}]}}]"#);
        assert_eq!(
            edited("[1, 2]", &patch),
            format!("[[{x}, {{\"k\": {x}}}], 1, 2]")
        );
    }
}

#[test]
fn moved_values_keep_their_spelling() {
    for x in SPELLINGS.into_iter().filter(|x| !x.contains('\n')) {
        let patch = r#"[{"op": "move", "from": "/a/b", "path": "/c"}]"#;
        assert_eq!(
            edited(&format!("{{\"a\": {{\"b\": {x}}}, \"z\": 0}}"), patch),
            format!("{{\"a\": {{}}, \"z\": 0, \"c\": {x}}}")
        );
    }
}

#[test]
fn escaped_names_are_found_and_kept() {
    let document = r#"{"\u0064rop": 1, "\u0061": {"b\/c": 2, "x": 3}}"#;
    let patch = r#"[{"op":"remove","path":"/drop"},{"op":"replace","path":"/a/b~1c","value":4}]"#;
    assert_eq!(
        edited(document, patch),
        r#"{"\u0061": {"b\/c": 4, "x": 3}}"#
    );
}

#[test]
fn uneven_layouts_stay_uneven() {
    let document = "{ \"a\" :1,\"b\":\n\n  2  ,\t\"drop\": [1,\n2 ],   \"c\" : {\"d\":[ 1,2,3],\n \"e\":4 } }\n\n";
    assert_eq!(
        edited(document, REMOVE),
        document.replace("\"drop\": [1,\n2 ],   ", "")
    );
    let remove = r#"[{"op": "remove", "path": "/c/d/1"}, {"op": "remove", "path": "/a"}]"#;
    assert_eq!(
        edited(document, remove),
        document.replace("1,2,3", "1,3").replace("\"a\" :1,", "")
    );
}

#[test]
fn depth_is_no_limit() {
    let deep = 100_000;
    let nested = format!("{}{}", "[".repeat(deep), "]".repeat(deep));
    let document = format!("{{\"deep\": {nested}, \"drop\": 1}}");
    assert_eq!(edited(&document, REMOVE), format!("{{\"deep\": {nested}}}"));

    let inside = format!("/deep{}", "/0".repeat(deep - 1));
    let patch = format!(
        r#"[{{"op": "add", "path": "{inside}/0", "value": NaN}}, {{"op": "copy", "from": "/deep", "path": "/again"}},
            {{"op": "test", "path": "/again{}", "value": [NaN]}}]"#,
        "/0".repeat(deep - 1)
    );
    let filled = format!("{}NaN{}", "[".repeat(deep), "]".repeat(deep));
    assert_eq!(
        edited(&document, &patch),
        format!("{{\"deep\": {filled}, \"drop\": 1, \"again\": {filled}}}")
    );

    let objects = format!("{}1{}", "{\"a\":".repeat(deep), "}".repeat(deep));
    let innermost = Pointer::from_tokens(vec!["a"; deep]);
    let replace = Operation::Replace {
        path: innermost.clone(),
        value: "2".parse().unwrap(),
    };
    let edits = Patch::new(vec![replace]).edits(objects.as_bytes()).unwrap();
    let changed = edits.apply(objects.as_bytes());
    assert_eq!(changed, objects.replace('1', "2").as_bytes());
    let changed = Document::parse(&changed).unwrap();
    assert_eq!(changed.find(&innermost).unwrap().literal(), "2");

    let spaced = objects.replace(':', ": ").replace('1', "1.0");
    let spaced = Document::parse(spaced.as_bytes()).unwrap().root();
    let objects = Document::parse(objects.as_bytes()).unwrap().root();
    assert!(objects.same_value(spaced));
    assert!(!objects.same_value(changed.root()));
}
