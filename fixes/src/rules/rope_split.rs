//! Writes what `rope_parameters` holds into the keys that transformers 4 and others read.

use json_splice::{Kind, Node, Operation, Pointer};
use serde_json::{Map, Value};
use unsnag_core::rule::{Captures, FileEdit, Gap, Look, Place, Rule, Site};

use super::support::{cured, json, raw, refused, text};

#[derive(Debug)]
struct RopeSplit {
    place: Place,
}

/// Takes no arguments.
pub(super) fn build(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(RopeSplit {
        place: Place::parse("**/rope_parameters")?,
    }))
}

impl Rule for RopeSplit {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let found = look
            .find("config.json", &self.place, &Captures::default())
            .map_err(|gap| vec![gap])?;
        let objects = found
            .iter()
            .filter(|found| found.node.kind() == Kind::Object);
        let mut sites = Vec::new();
        for found in objects {
            let Some(parent) = found.pointer.parent() else {
                continue;
            };
            let Some(config) = look
                .value("config.json", &parent)
                .map_err(|gap| vec![gap])?
            else {
                continue;
            };
            sites.extend(site(look, &parent, config, &found.pointer, found.node));
        }
        Ok(sites)
    }
}

fn site(
    look: &Look<'_, '_>,
    parent: &Pointer,
    config: Node<'_>,
    pointer: &Pointer,
    rope: Node<'_>,
) -> Option<Site> {
    let evidence = vec![look.evidence("config.json", pointer, "older readers do not look in here")];
    let per_layer = rope
        .members()
        .any(|member| member.value().kind() == Kind::Object);
    let (main, local) = if per_layer {
        match (
            rope.get("full_attention"),
            rope.get("sliding_attention"),
            rope.len(),
        ) {
            (Some(full), sliding, 1) if sliding.is_none() => (full, None),
            (Some(full), Some(sliding), 2) => (full, Some(sliding)),
            _ => {
                return Some(refused(
                    pointer.to_string(),
                    evidence,
                    "the layer types of this form are not known here",
                ));
            }
        }
    } else {
        (rope, None)
    };
    let mut edits = Vec::new();
    let mut add = |name: &str, value: Option<json_splice::RawValue>| {
        if let Some(value) = value.filter(|_| config.get(name).is_none()) {
            edits.push(FileEdit::operation(
                "config.json",
                Operation::Add {
                    path: parent.join(name),
                    value,
                },
            ));
        }
    };
    add("rope_theta", main.get("rope_theta").map(raw));
    add(
        "rope_local_base_freq",
        local.and_then(|local| local.get("rope_theta")).map(raw),
    );
    add(
        "partial_rotary_factor",
        main.get("partial_rotary_factor").map(raw),
    );
    add("rope_scaling", scaling(main));
    (!edits.is_empty()).then(|| {
        cured(
            pointer.to_string(),
            evidence,
            "none: transformers 5 reads the older form too, and rope_parameters stays",
            edits,
        )
    })
}

/// The object without what has a key of its own; nothing where the type is the default.
fn scaling(rope: Node<'_>) -> Option<json_splice::RawValue> {
    let kind = text(rope.get("rope_type").or_else(|| rope.get("type")))?;
    if kind == "default" && rope.get("mrope_section").is_none() {
        return None;
    }
    let own = ["rope_theta", "partial_rotary_factor"];
    let members: Vec<String> = rope
        .members()
        .filter(|member| !own.contains(&member.name().as_ref()))
        .map(|member| {
            format!(
                "{}: {}",
                json_splice::RawValue::string(&member.name()).as_str(),
                member.value().literal()
            )
        })
        .collect();
    json(&format!("{{{}}}", members.join(", ")))
}
