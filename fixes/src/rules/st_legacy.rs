//! Writes the pooling and the module types of sentence-transformers 5.4 in the form that everything reads.

use json_splice::{Kind, Node, Operation, RawValue};
use serde_json::{Map, Value};
use unsnag_core::rule::{Evidence, FileEdit, Gap, Look, Rule, Site};

use super::support::{cured, json, key, raw, refused, text};

const MODULES: &str = "modules.json";
/// A mode of 5.4 and the boolean that stands for it, in the order in which 5.3 writes them.
const MODES: [(&str, &str); 6] = [
    ("cls", "pooling_mode_cls_token"),
    ("mean", "pooling_mode_mean_tokens"),
    ("max", "pooling_mode_max_tokens"),
    ("mean_sqrt_len_tokens", "pooling_mode_mean_sqrt_len_tokens"),
    ("weightedmean", "pooling_mode_weightedmean_tokens"),
    ("lasttoken", "pooling_mode_lasttoken"),
];
/// Classes that have a path below `sentence_transformers.models` in every release.
const CLASSES: [&str; 4] = ["Transformer", "Pooling", "Normalize", "Dense"];

#[derive(Debug)]
struct StLegacy;

/// Takes no arguments.
pub(super) fn build(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(StLegacy))
}

impl Rule for StLegacy {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let gap = |gap| vec![gap];
        let Some(modules) = look.json(MODULES).map_err(gap)? else {
            return Ok(Vec::new());
        };
        let mut edits = Vec::new();
        let mut evidence = Vec::new();
        for (index, module) in modules.root().elements().enumerate() {
            let kind = text(module.get("type")).unwrap_or_default();
            let class = kind.rsplit('.').next().unwrap_or_default();
            let legacy = format!("sentence_transformers.models.{class}");
            let newer = kind.starts_with("sentence_transformers.")
                && kind != legacy
                && CLASSES.contains(&class);
            if newer {
                let path = key(&index.to_string()).join("type");
                evidence.push(look.evidence(MODULES, &path, "a path that came with 5.4"));
                edits.push(FileEdit::operation(
                    MODULES,
                    Operation::Replace {
                        path,
                        value: RawValue::string(&legacy),
                    },
                ));
            }
            let folder = text(module.get("path")).unwrap_or_default();
            if class == "Pooling" && !folder.is_empty() {
                let file = format!("{folder}/config.json");
                if let Some(document) = look.json(&file).map_err(gap)? {
                    match pooling(&file, document.root()) {
                        Some(more) if !more.is_empty() => {
                            evidence.push(look.evidence(
                                &file,
                                &key("pooling_mode"),
                                "one word where booleans are read",
                            ));
                            edits.extend(more);
                        }
                        Some(_) => {}
                        None => {
                            let evidence = vec![Evidence::file(
                                file,
                                "a pooling mode that is not known here",
                            )];
                            return Ok(vec![refused(
                                "pooling",
                                evidence,
                                "the pooling mode is not known here",
                            )]);
                        }
                    }
                }
            }
        }
        if edits.is_empty() {
            Ok(Vec::new())
        } else {
            Ok(vec![cured(
                "modules",
                evidence,
                "none: 5.4 and later read the older form",
                edits,
            )])
        }
    }
}

/// The operations on the pooling's file; none where it has the older form, `None` where its mode is unknown.
fn pooling(file: &str, root: Node<'_>) -> Option<Vec<FileEdit>> {
    let Some(mode) = root.get("pooling_mode") else {
        return Some(Vec::new());
    };
    let modes: Vec<String> = match mode.kind() {
        Kind::Array => mode
            .elements()
            .map(|mode| text(Some(mode)))
            .collect::<Option<_>>()?,
        _ => vec![text(Some(mode))?],
    };
    if modes.is_empty()
        || modes
            .iter()
            .any(|mode| !MODES.iter().any(|(name, _)| name == mode))
    {
        return None;
    }
    let mut operations = Vec::new();
    if let Some(dimension) = root.get("embedding_dimension") {
        operations.push(Operation::Remove {
            path: key("embedding_dimension"),
        });
        if root.get("word_embedding_dimension").is_none() {
            operations.push(Operation::Add {
                path: key("word_embedding_dimension"),
                value: raw(dimension),
            });
        }
    }
    operations.push(Operation::Remove {
        path: key("pooling_mode"),
    });
    for (name, boolean) in MODES {
        let on = modes.iter().any(|mode| mode == name);
        operations.push(Operation::Add {
            path: key(boolean),
            value: json(if on { "true" } else { "false" })?,
        });
    }
    Some(
        operations
            .into_iter()
            .map(|operation| FileEdit::operation(file, operation))
            .collect(),
    )
}
