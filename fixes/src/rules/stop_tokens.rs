//! End-of-sequence ids: those of two files joined, and the one that ends a turn of the chat template.

use json_splice::{Kind, Node, Operation, Pointer, RawValue};
use serde_json::{Map, Value};
use unsnag_core::rule::{FileEdit, Gap, Look, Rule, Site};

use super::support::{cured, json, key, text};

const CONFIG: &str = "config.json";
const GENERATION: &str = "generation_config.json";
const EOS: &str = "eos_token_id";
/// Tokens that close a turn in published chat templates, and nothing smaller: gpt-oss closes each message with `<|end|>`, its analysis too,
/// and Llama a call of a tool with `<|eom_id|>`.
const TURN_ENDS: [&str; 6] = [
    "<|eot_id|>",
    "<|im_end|>",
    "<end_of_turn>",
    "<|endofturn|>",
    "<|end_of_turn|>",
    "<turn|>",
];

#[derive(Debug)]
struct EosUnion;

#[derive(Debug)]
struct TurnEnd;

/// `eos-union` takes no arguments.
pub(super) fn union(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(EosUnion))
}

/// `turn-end` takes no arguments.
pub(super) fn turn_end(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(TurnEnd))
}

impl Rule for EosUnion {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let gap = |gap| vec![gap];
        let (Some(config), Some(generation)) = (
            look.json(CONFIG).map_err(gap)?,
            look.json(GENERATION).map_err(gap)?,
        ) else {
            return Ok(Vec::new());
        };
        let (one, other) = (ids(config.root().get(EOS)), ids(generation.root().get(EOS)));
        if one.is_empty() || other.is_empty() {
            return Ok(Vec::new());
        }
        let mut joined = other.clone();
        joined.extend(one.iter().filter(|id| !other.contains(id)).cloned());
        let disjoint = one.iter().all(|id| !other.contains(id));
        let config_only = look
            .target()
            .engines()
            .iter()
            .any(|(library, _)| library.name() == "tensorrt-llm");
        let lacking = config_only && other.iter().any(|id| !one.contains(id));
        if !disjoint && !lacking {
            return Ok(Vec::new());
        }
        let Some(list) = json(&format!("[{}]", joined.join(", "))) else {
            return Ok(Vec::new());
        };
        let files = [(CONFIG, &one), (GENERATION, &other)];
        let edits = files
            .iter()
            .filter(|(_, ids)| **ids != joined)
            .map(|(file, _)| {
                FileEdit::operation(
                    *file,
                    Operation::Replace {
                        path: key(EOS),
                        value: list.clone(),
                    },
                )
            });
        let evidence = vec![
            look.evidence(CONFIG, &key(EOS), format!("stops at {}", one.join(", "))),
            look.evidence(
                GENERATION,
                &key(EOS),
                format!("stops at {}", other.join(", ")),
            ),
        ];
        Ok(vec![cured(
            EOS,
            evidence,
            "none: a reader of both files joins them anyway",
            edits.collect(),
        )])
    }
}

impl Rule for TurnEnd {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let gap = |gap| vec![gap];
        let Some(generation) = look.json(GENERATION).map_err(gap)? else {
            return Ok(Vec::new());
        };
        let stops = ids(generation.root().get(EOS));
        let Some(template) = template(look)? else {
            return Ok(Vec::new());
        };
        let Some(token) = TURN_ENDS.iter().find(|token| template.contains(**token)) else {
            return Ok(Vec::new());
        };
        if stops.is_empty() {
            return Ok(Vec::new());
        }
        let Some(id) = id_of(look, token)? else {
            return Ok(Vec::new());
        };
        if stops.contains(&id) {
            return Ok(Vec::new());
        }
        let list = json(&format!(
            "[{}]",
            stops
                .iter()
                .chain(std::iter::once(&id))
                .cloned()
                .collect::<Vec<_>>()
                .join(", ")
        ));
        let scalar = generation
            .root()
            .get(EOS)
            .is_some_and(|node| node.kind() != Kind::Array);
        let operation = match (scalar, list) {
            (true, Some(list)) => Operation::Replace {
                path: key(EOS),
                value: list,
            },
            (false, _) => match id.parse::<RawValue>() {
                Ok(value) => Operation::Add {
                    path: key(EOS).join("-"),
                    value,
                },
                Err(_) => return Ok(Vec::new()),
            },
            (true, None) => return Ok(Vec::new()),
        };
        let evidence = vec![look.evidence(
            GENERATION,
            &key(EOS),
            format!("lacks {id}, which is {token}"),
        )];
        let edit = FileEdit::operation(GENERATION, operation);
        Ok(vec![cured(
            EOS,
            evidence,
            "none: a turn ends where its template ends it",
            vec![edit],
        )])
    }
}

/// The ids of a number or a list of numbers, as they are spelt.
fn ids(node: Option<Node<'_>>) -> Vec<String> {
    let number = |node: Node<'_>| (node.kind() == Kind::Number).then(|| node.literal().to_owned());
    match node {
        Some(node) if node.kind() == Kind::Array => node.elements().filter_map(number).collect(),
        Some(node) => number(node).into_iter().collect(),
        None => Vec::new(),
    }
}

/// The chat template, from the key or from the file beside it.
fn template(look: &Look<'_, '_>) -> Result<Option<String>, Vec<Gap>> {
    let config = look
        .json("tokenizer_config.json")
        .map_err(|gap| vec![gap])?;
    if let Some(template) = config.and_then(|config| text(config.root().get("chat_template"))) {
        return Ok(Some(template));
    }
    let file = "chat_template.jinja";
    look.view()
        .text(file)
        .map(|text| text.map(str::to_owned))
        .map_err(|reason| vec![Gap::directory(file, reason)])
}

/// The id of an added token, from the small file first.
fn id_of(look: &Look<'_, '_>, token: &str) -> Result<Option<String>, Vec<Gap>> {
    let gap = |gap| vec![gap];
    let decoder = look
        .at("tokenizer_config.json", "/added_tokens_decoder")
        .map_err(gap)?;
    if let Some(decoder) = decoder.filter(|decoder| decoder.kind() == Kind::Object) {
        let found = decoder.members().find(|member| {
            text(member.value().get("content")).is_some_and(|content| content == token)
        });
        if let Some(member) = found {
            return Ok(Some(member.name().into_owned()));
        }
    }
    let added = look
        .value("tokenizer.json", &Pointer::from_tokens(["added_tokens"]))
        .map_err(gap)?;
    let found = added.and_then(|added| {
        added
            .elements()
            .find(|entry| text(entry.get("content")).is_some_and(|content| content == token))
    });
    Ok(found
        .and_then(|entry| entry.get("id"))
        .map(|id| id.literal().to_owned()))
}
