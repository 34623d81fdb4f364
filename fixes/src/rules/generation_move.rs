//! Moves generation settings from `config.json` to `generation_config.json`; never over one that is there.

use json_splice::{Kind, Operation, RawValue};
use serde_json::{Map, Value};
use unsnag_core::rule::{FileEdit, Gap, Look, Rule, Site};
use unsnag_core::target::{Library, Range};

use super::support::{cured, key, raw};

const FROM: &str = "config.json";
const TO: &str = "generation_config.json";

/// What generation reads of a model's own configuration besides.
const IDS: [&str; 4] = [
    "bos_token_id",
    "decoder_start_token_id",
    "eos_token_id",
    "pad_token_id",
];

#[derive(Debug)]
struct GenerationMove {
    /// Each setting with the value that means nothing.
    neutral: Vec<(String, RawValue)>,
}

/// Takes `neutral`: setting to JSON text.
pub(super) fn build(args: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    let table = args
        .get("neutral")
        .and_then(Value::as_object)
        .ok_or("`neutral` is missing")?;
    let neutral = table.iter().map(|(name, value)| {
        let text = value
            .as_str()
            .ok_or_else(|| format!("neutral.{name}: JSON text is expected"))?;
        Ok((
            name.clone(),
            text.parse()
                .map_err(|error| format!("neutral.{name}: {error}"))?,
        ))
    });
    Ok(Box::new(GenerationMove {
        neutral: neutral.collect::<Result<_, String>>()?,
    }))
}

impl Rule for GenerationMove {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let gap = |gap| vec![gap];
        let Some(config) = look.json(FROM).map_err(gap)? else {
            return Ok(Vec::new());
        };
        // These take the file as their sampling defaults.
        let serves =
            |library: &Library| matches!(library.name(), "vllm" | "sglang" | "tensorrt-llm");
        if look
            .target()
            .engines()
            .iter()
            .any(|(library, _)| serves(library))
        {
            return Ok(Vec::new());
        }
        let target = look.json(TO).map_err(gap)?;
        if target.is_none() && reads_config_itself(look) {
            return Ok(Vec::new());
        }
        let set: Vec<_> = self
            .neutral
            .iter()
            .filter_map(|(name, neutral)| {
                let node = config.root().get(name)?;
                (node.kind() != Kind::Null && !node.same_value(neutral.node()))
                    .then_some((name, node))
            })
            .collect();
        if set.is_empty() {
            return Ok(Vec::new());
        }
        let mut edits = Vec::new();
        match target {
            None => {
                // A file that is there replaces all that the model's own would have given, the ids too.
                let ids = IDS.iter().filter_map(|name| {
                    let node = config.root().get(name)?;
                    (node.kind() != Kind::Null).then_some((*name, node))
                });
                let moved = set.iter().map(|(name, node)| (name.as_str(), *node));
                let members: Vec<String> = ids
                    .chain(moved)
                    .map(|(name, node)| {
                        format!("  {}: {}", RawValue::string(name).as_str(), node.literal())
                    })
                    .collect();
                edits.push(FileEdit::Create {
                    file: TO.to_owned(),
                    text: format!("{{\n{}\n}}\n", members.join(",\n")),
                });
            }
            Some(document) => {
                let missing = set
                    .iter()
                    .filter(|(name, _)| document.root().get(name).is_none());
                edits.extend(missing.map(|(name, node)| {
                    FileEdit::operation(
                        TO,
                        Operation::Add {
                            path: key(name),
                            value: raw(*node),
                        },
                    )
                }));
            }
        }
        edits.extend(
            set.iter()
                .map(|(name, _)| FileEdit::operation(FROM, Operation::Remove { path: key(name) })),
        );
        let evidence = set
            .iter()
            .take(3)
            .map(|(name, _)| look.evidence(FROM, &key(name), "not read here any more"));
        Ok(vec![cured(
            "settings",
            evidence.collect(),
            "none: the same settings, in the file that is read",
            edits,
        )])
    }
}

/// From 5 on transformers takes the settings from the model's own configuration where the file is missing.
fn reads_config_itself(look: &Look<'_, '_>) -> bool {
    let (Ok(transformers), Ok(range)) = (Library::named("transformers"), ">=5".parse::<Range>())
    else {
        return false;
    };
    look.target().runs(transformers, &range).is_yes()
}
