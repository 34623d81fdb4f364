//! Copies `chat_template.jinja` into `tokenizer_config.json`.

use json_splice::{Operation, RawValue};
use serde_json::{Map, Value};
use unsnag_core::rule::{Evidence, FileEdit, Gap, Look, Rule, Site};

use super::support::{cured, key};

const TEMPLATE: &str = "chat_template.jinja";
const CONFIG: &str = "tokenizer_config.json";

#[derive(Debug)]
struct ChatTemplate;

/// Takes no arguments.
pub(super) fn build(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(ChatTemplate))
}

impl Rule for ChatTemplate {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        if !look.view().has(TEMPLATE) {
            return Ok(Vec::new());
        }
        let Some(config) = look.json(CONFIG).map_err(|gap| vec![gap])? else {
            return Ok(Vec::new());
        };
        if config.root().get("chat_template").is_some() {
            return Ok(Vec::new());
        }
        let template = look
            .view()
            .text(TEMPLATE)
            .map_err(|reason| vec![Gap::directory(TEMPLATE, reason)])?;
        let Some(template) = template else {
            return Ok(Vec::new());
        };
        let edit = Operation::Add {
            path: key("chat_template"),
            value: RawValue::string(template),
        };
        let evidence = vec![Evidence::file(TEMPLATE, "the template stands here alone")];
        let cost = "two copies of the template; newer consumers prefer the .jinja";
        Ok(vec![cured(
            "chat_template",
            evidence,
            cost,
            vec![FileEdit::operation(CONFIG, edit)],
        )])
    }
}
