//! Keys of an adapter that a PEFT release does not know, where their value does nothing. The table is data in `args`.

use json_splice::{Kind, Node, Operation, RawValue};
use serde_json::{Map, Value};
use unsnag_core::rule::{FileEdit, Gap, Look, Rule, Site, Truth};
use unsnag_core::target::{Library, Range};

use super::support::{cured, key, refused};

const FILE: &str = "adapter_config.json";

#[derive(Debug)]
struct PeftFields {
    library: Library,
    /// Each field with the releases that lack it.
    lacking: Vec<(String, Range)>,
    /// Values, beside null, false and `{}`, with which a field does nothing; none for any value.
    neutral: Vec<(String, Option<RawValue>)>,
}

/// Takes `fields`: field to first release, and `neutral`: field to JSON text or `*`.
pub(super) fn build(args: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    let library = Library::named("peft").map_err(|_| "peft is not a known library")?;
    let table = |name: &str| {
        args.get(name)
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
    };
    let mut lacking = Vec::new();
    for (field, first) in table("fields") {
        let first = first
            .as_str()
            .ok_or_else(|| format!("fields.{field}: a version is expected"))?;
        let range = format!("<{first}")
            .parse()
            .map_err(|error| format!("fields.{field}: {error}"))?;
        lacking.push((field.clone(), range));
    }
    let mut neutral = Vec::new();
    for (field, value) in table("neutral") {
        let text = value
            .as_str()
            .ok_or_else(|| format!("neutral.{field}: JSON text is expected"))?;
        let value = if text == "*" {
            None
        } else {
            Some(
                text.parse()
                    .map_err(|error| format!("neutral.{field}: {error}"))?,
            )
        };
        neutral.push((field.clone(), value));
    }
    if lacking.is_empty() {
        return Err("`fields` is missing".to_owned());
    }
    Ok(Box::new(PeftFields {
        library,
        lacking,
        neutral,
    }))
}

impl Rule for PeftFields {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let Some(adapter) = look.json(FILE).map_err(|gap| vec![gap])? else {
            return Ok(Vec::new());
        };
        let root = adapter.root();
        let mut edits = Vec::new();
        let mut evidence = Vec::new();
        let mut truth = Truth::No;
        let mut loud = Vec::new();
        for (field, range) in &self.lacking {
            let Some(node) = root.get(field) else {
                continue;
            };
            let lacks = look.target().runs(self.library, range);
            if lacks.is_no() {
                continue;
            }
            evidence.push(look.evidence(FILE, &key(field), "not known to this release"));
            truth = Truth::any([truth, lacks]);
            if self.is_neutral(field, node) {
                edits.push(FileEdit::operation(
                    FILE,
                    Operation::Remove { path: key(field) },
                ));
            } else {
                loud.push(field.as_str());
            }
        }
        let site = match (truth.is_no(), loud.is_empty()) {
            (true, _) => return Ok(Vec::new()),
            (_, true) => cured("keys", evidence, "none: the keys that go do nothing", edits),
            (_, false) => refused(
                "keys",
                evidence,
                format!("{} is on, and this release cannot do that", loud.join(", ")),
            ),
        };
        Ok(vec![Site { truth, ..site }])
    }
}

impl PeftFields {
    fn is_neutral(&self, field: &str, node: Node<'_>) -> bool {
        let listed = self.neutral.iter().filter(|(name, _)| name == field);
        node.kind() == Kind::Null
            || node.as_bool() == Some(false)
            || (matches!(node.kind(), Kind::Object | Kind::Array) && node.is_empty())
            || listed.into_iter().any(|(_, value)| {
                value
                    .as_ref()
                    .is_none_or(|value| value.node().same_value(node))
            })
    }
}
