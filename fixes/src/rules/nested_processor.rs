//! Makes the files that older releases read from a nested `processor_config.json`.

use json_splice::{Kind, Node, RawValue};
use serde_json::{Map, Value};
use unsnag_core::rule::{FileEdit, Gap, Look, Rule, Site};

use super::support::{cured, key};

const NESTED: &str = "processor_config.json";
/// Key in the nested file, and the file that it becomes.
const PARTS: [(&str, &str); 3] = [
    ("feature_extractor", "preprocessor_config.json"),
    ("image_processor", "preprocessor_config.json"),
    ("video_processor", "video_preprocessor_config.json"),
];

#[derive(Debug)]
struct NestedProcessor;

/// Takes no arguments.
pub(super) fn build(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(NestedProcessor))
}

impl Rule for NestedProcessor {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let Some(nested) = look.json(NESTED).map_err(|gap| vec![gap])? else {
            return Ok(Vec::new());
        };
        let mut edits: Vec<FileEdit> = Vec::new();
        let mut evidence = Vec::new();
        for (part, file) in PARTS.iter().rev() {
            let Some(node) = nested
                .root()
                .get(part)
                .filter(|node| node.kind() == Kind::Object)
            else {
                continue;
            };
            if look.view().has(file) || edits.iter().any(|edit| edit.file() == *file) {
                continue;
            }
            evidence.push(look.evidence(NESTED, &key(part), "older releases do not look in here"));
            edits.push(FileEdit::Create {
                file: (*file).to_owned(),
                text: document(node),
            });
        }
        if edits.is_empty() {
            return Ok(Vec::new());
        }
        edits.reverse();
        evidence.reverse();
        Ok(vec![cured(
            "nested",
            evidence,
            "two places with the same settings; newer releases read either",
            edits,
        )])
    }
}

/// The object as a file of its own, one member a line, values as they are spelt.
fn document(node: Node<'_>) -> String {
    let members: Vec<String> = node
        .members()
        .map(|member| {
            format!(
                "  {}: {}",
                RawValue::string(&member.name()).as_str(),
                member.value().literal()
            )
        })
        .collect();
    format!("{{\n{}\n}}\n", members.join(",\n"))
}
