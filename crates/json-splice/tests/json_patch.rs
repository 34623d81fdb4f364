//! From a patch of the `json-patch` crate.

#![allow(clippy::unwrap_used)]

use json_splice::Patch;

#[test]
fn every_operation_comes_over() {
    let text = r#"[
  {"op": "test", "path": "/a~1b/~0", "value": null},
  {"op": "add", "path": "/l/-", "value": {"k": [1.5, "\u0120"]}},
  {"op": "replace", "path": "", "value": true},
  {"op": "remove", "path": "/"},
  {"op": "move", "from": "/x", "path": "/y"},
  {"op": "copy", "from": "/é", "path": "/z"}
]"#;
    let theirs: json_patch::Patch = serde_json::from_str(text).unwrap();
    let ours = Patch::parse(text.as_bytes()).unwrap();
    let converted = Patch::from(&theirs);
    assert_eq!(converted.operations().len(), 6);
    for (converted, ours) in converted.operations().iter().zip(ours.operations()) {
        assert_eq!(converted.name(), ours.name());
        assert_eq!(converted.path(), ours.path());
        assert_eq!(converted.from_path(), ours.from_path());
        match (converted.value(), ours.value()) {
            (Some(converted), Some(ours)) => assert!(converted.node().same_value(ours.node())),
            (converted, ours) => assert_eq!(converted, ours),
        }
    }
}
