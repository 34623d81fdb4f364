//! Numbers in the spelling that a config class asks for: the literal changes, the value never. The table is data in `args`.

use json_splice::{Kind, Node, Operation, Pointer, RawValue};
use serde::Deserialize;
use serde_json::{Map, Value};
use unsnag_core::rule::{Captures, FileEdit, Gap, Look, Place, Rule, Site, Truth};
use unsnag_core::target::{Row, RowFile};

use super::support::{cured, json, refused, text};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FieldsFile {
    /// Field names; a `/` leads into an object.
    names: Vec<String>,
    kind: Wanted,
    /// Model types that were judged.
    model_types: Vec<String>,
    target: Vec<RowFile>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Wanted {
    Int,
    Float,
}

#[derive(Debug)]
struct Fields {
    names: Vec<Pointer>,
    wanted: Wanted,
    model_types: Vec<String>,
    target: Vec<Row>,
}

#[derive(Debug)]
struct StrictNumbers {
    fields: Vec<Fields>,
    configs: Place,
}

/// Takes `fields`: a list of names, kind, model types and target rows.
pub(super) fn build(args: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    let files: Vec<FieldsFile> = match args.get("fields") {
        Some(fields) => {
            serde_json::from_value(fields.clone()).map_err(|error| error.to_string())?
        }
        None => return Err("`fields` is missing".to_owned()),
    };
    let fields = files.into_iter().map(|file| {
        Ok(Fields {
            names: file
                .names
                .iter()
                .map(|name| Pointer::from_tokens(name.split('/').map(str::to_owned)))
                .collect(),
            wanted: file.kind,
            model_types: file.model_types,
            target: file
                .target
                .iter()
                .map(Row::try_from)
                .collect::<Result<_, _>>()?,
        })
    });
    let configs = Place::parse("**/model_type")?;
    Ok(Box::new(StrictNumbers {
        fields: fields.collect::<Result<_, String>>()?,
        configs,
    }))
}

impl Rule for StrictNumbers {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let gap = |gap| vec![gap];
        let mut sites = Vec::new();
        for found in look
            .find("config.json", &self.configs, &Captures::default())
            .map_err(gap)?
        {
            let (Some(model_type), Some(config)) = (text(Some(found.node)), found.pointer.parent())
            else {
                continue;
            };
            for fields in self
                .fields
                .iter()
                .filter(|fields| fields.model_types.contains(&model_type))
            {
                let truth = look.target().fits_any(&fields.target);
                if truth.is_no() {
                    continue;
                }
                for name in &fields.names {
                    let pointer = name
                        .tokens()
                        .iter()
                        .fold(config.clone(), |pointer, token| pointer.join(token));
                    let Some(node) = look.value("config.json", &pointer).map_err(gap)? else {
                        continue;
                    };
                    sites.extend(site(look, &pointer, node, fields.wanted, &truth));
                }
            }
        }
        Ok(sites)
    }
}

fn site(
    look: &Look<'_, '_>,
    pointer: &Pointer,
    node: Node<'_>,
    wanted: Wanted,
    truth: &Truth,
) -> Option<Site> {
    let (wrong, right) = respelt(node, wanted)?;
    let kind = if wanted == Wanted::Int {
        "an integer"
    } else {
        "a float"
    };
    let evidence = vec![look.evidence(
        "config.json",
        pointer,
        format!("{wrong}, where {kind} is asked for"),
    )];
    let site = match right {
        Some(value) => {
            let edit = FileEdit::operation(
                "config.json",
                Operation::Replace {
                    path: pointer.clone(),
                    value,
                },
            );
            cured(
                pointer.to_string(),
                evidence,
                "none: the same number in the spelling that is asked for",
                vec![edit],
            )
        }
        None => refused(
            pointer.to_string(),
            evidence,
            "the value is no whole number, so no integer says the same",
        ),
    };
    Some(Site {
        truth: truth.clone(),
        ..site
    })
}

/// What is wrong with the spelling, and the right one where the value allows it.
fn respelt(node: Node<'_>, wanted: Wanted) -> Option<(&'static str, Option<RawValue>)> {
    let quoted = text(Some(node));
    let literal = quoted.as_deref().unwrap_or(node.literal());
    let numeric = !literal.is_empty()
        && literal
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    if !(numeric && matches!(node.kind(), Kind::Number | Kind::String)) {
        return None;
    }
    let whole = literal
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-');
    match wanted {
        Wanted::Int if whole && quoted.is_none() => None,
        Wanted::Float if !whole && quoted.is_none() => None,
        Wanted::Int => {
            let stem = literal.split_once('.').map_or(literal, |(stem, fraction)| {
                if fraction.bytes().all(|byte| byte == b'0') {
                    stem
                } else {
                    ""
                }
            });
            let right = if stem.contains(['e', 'E']) {
                None
            } else {
                json(stem)
            };
            Some((
                if quoted.is_some() {
                    "a string"
                } else {
                    "a float"
                },
                right,
            ))
        }
        Wanted::Float => {
            let right = if whole {
                format!("{literal}.0")
            } else {
                literal.to_owned()
            };
            Some((
                if quoted.is_some() {
                    "a string"
                } else {
                    "an integer"
                },
                json(&right),
            ))
        }
    }
}
