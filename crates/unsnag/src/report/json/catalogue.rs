//! The documents of `list` and `explain`.

use serde::Serialize;
use unsnag_core::fix::{Fix, Safety};

use super::SCHEMA_VERSION;
use super::check::kind;
use crate::report::{finding, page};

/// The catalogue.
#[derive(Debug, Serialize)]
pub struct ListDocument {
    schema_version: u32,
    entries: Vec<EntryJson>,
}

/// One entry.
#[derive(Debug, Serialize)]
pub struct EntryJson {
    id: String,
    kind: &'static str,
    family: String,
    severity: &'static str,
    safety: Option<&'static str>,
    title: String,
    files: Vec<String>,
    target: Vec<String>,
    sure: String,
}

/// One entry with its page.
#[derive(Debug, Serialize)]
pub struct ExplainDocument {
    schema_version: u32,
    #[serde(flatten)]
    entry: EntryJson,
    references: Vec<String>,
    source: Vec<String>,
    page: String,
}

impl ListDocument {
    /// Of these fixes.
    pub fn new(fixes: &[&Fix]) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            entries: fixes.iter().map(|fix| EntryJson::new(fix)).collect(),
        }
    }
}

impl EntryJson {
    fn new(fix: &Fix) -> Self {
        Self {
            id: fix.id.clone(),
            kind: kind(fix.kind),
            family: fix.family.clone(),
            severity: fix.severity.name(),
            safety: fix.safety().map(Safety::name),
            title: fix.title.clone(),
            files: fix.edits.clone(),
            target: fix.target.iter().map(ToString::to_string).collect(),
            sure: finding::sure(fix),
        }
    }
}

impl ExplainDocument {
    /// Of one fix.
    pub fn new(fix: &Fix) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            entry: EntryJson::new(fix),
            references: fix.references.clone(),
            source: fix.source.clone(),
            page: page::page(fix),
        }
    }
}
