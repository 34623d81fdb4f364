//! The document of `check`.

use std::path::Path;

use serde::Serialize;
use unsnag_core::check::{Finding, Report, Shown};
use unsnag_core::fix::KindFile;
use unsnag_core::rule::{FileEdit, Gap};
use unsnag_core::target::Target;
use unsnag_core::view;

use super::SCHEMA_VERSION;
use crate::exit::Failure;

/// The whole document.
#[derive(Debug, Serialize)]
pub struct CheckDocument {
    schema_version: u32,
    directories: Vec<Directory>,
}

impl CheckDocument {
    /// Of these directories.
    pub fn new(directories: Vec<Directory>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            directories,
        }
    }
}

/// One directory.
#[derive(Debug, Serialize)]
pub struct Directory {
    path: String,
    target: TargetJson,
    findings: Vec<FindingJson>,
    undecided: Vec<UndecidedJson>,
    errors: Vec<ErrorJson>,
}

/// Where the checkpoint is to run.
#[derive(Debug, Serialize)]
pub struct TargetJson {
    engine: Option<String>,
    version: Option<String>,
    with: Vec<String>,
    gpus: Vec<String>,
    intents: Vec<String>,
    brings: Vec<String>,
    /// Whether the engine is no newer than what the catalogue has read.
    judged: bool,
}

/// One finding.
#[derive(Debug, Serialize)]
pub struct FindingJson {
    id: String,
    kind: &'static str,
    status: &'static str,
    severity: &'static str,
    safety: Option<&'static str>,
    title: String,
    why: String,
    evidence: Vec<EvidenceJson>,
    edits: Vec<EditJson>,
    cost: Option<String>,
    refused: Option<String>,
    cured_by: Option<String>,
    needs: Vec<String>,
}

/// One piece of evidence. Line and column are from 1, or null for a whole file.
#[derive(Debug, Serialize)]
pub struct EvidenceJson {
    file: String,
    pointer: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    label: String,
}

/// One edit.
#[derive(Debug, Serialize)]
pub struct EditJson {
    file: String,
    op: &'static str,
    pointer: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
}

#[derive(Debug, Serialize)]
struct UndecidedJson {
    id: String,
    needs: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ErrorJson {
    file: String,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
}

impl Directory {
    /// From a report.
    pub fn new(directory: &view::Directory, target: &Target, report: &Report<'_>) -> Self {
        Self {
            path: directory.path().display().to_string(),
            target: TargetJson::new(target),
            findings: report.findings.iter().map(FindingJson::new).collect(),
            undecided: report
                .undecided
                .iter()
                .map(|open| UndecidedJson {
                    id: open.fix.id.clone(),
                    needs: needs(&open.needs),
                })
                .collect(),
            errors: report
                .broken
                .iter()
                .map(|broken| ErrorJson {
                    file: broken.file.clone(),
                    line: Some(broken.line),
                    column: Some(broken.column),
                    message: broken.problem.clone(),
                })
                .collect(),
        }
    }

    /// One that could not be checked.
    pub fn failed(path: &Path, target: &Target, failure: &Failure) -> Self {
        Self {
            path: path.display().to_string(),
            target: TargetJson::new(target),
            findings: Vec::new(),
            undecided: Vec::new(),
            errors: vec![ErrorJson {
                file: String::new(),
                line: None,
                column: None,
                message: failure.message.clone(),
            }],
        }
    }
}

impl TargetJson {
    /// From a target.
    pub fn new(target: &Target) -> Self {
        let engine = target.engines().first();
        Self {
            engine: engine.map(|(library, _)| library.to_string()),
            version: engine.and_then(|(_, version)| version.as_ref().map(ToString::to_string)),
            with: target
                .with()
                .iter()
                .map(|(library, version)| format!("{library}@{version}"))
                .collect(),
            gpus: target.gpus().iter().map(ToString::to_string).collect(),
            intents: target.intents().iter().map(ToString::to_string).collect(),
            brings: target.brought().collect(),
            judged: target.unread().next().is_none(),
        }
    }
}

impl FindingJson {
    /// From a finding.
    pub fn new(finding: &Finding<'_>) -> Self {
        let cure = finding.cures.first();
        Self {
            id: finding.fix.id.clone(),
            kind: kind(finding.fix.kind),
            status: finding.status.name(),
            severity: finding.fix.severity.name(),
            safety: cure.map(|cure| cure.safety.name()),
            title: finding.captures.fill(&finding.fix.title),
            why: finding.captures.fill(&finding.fix.why),
            evidence: finding.evidence.iter().map(EvidenceJson::new).collect(),
            edits: cure
                .map(|cure| cure.edits.iter().map(EditJson::new).collect())
                .unwrap_or_default(),
            cost: cure.map(|cure| cure.cost.clone()),
            refused: finding.refused.clone(),
            cured_by: finding.cured_by.clone(),
            needs: needs(&finding.needs),
        }
    }
}

impl EvidenceJson {
    fn new(shown: &Shown) -> Self {
        let some = |number: usize| (number > 0).then_some(number);
        Self {
            file: shown.evidence.file.clone(),
            pointer: shown.evidence.pointer.as_ref().map(ToString::to_string),
            line: some(shown.line),
            column: some(shown.column),
            label: shown.evidence.label.clone(),
        }
    }
}

impl EditJson {
    /// From an edit.
    pub fn new(edit: &FileEdit) -> Self {
        let file = edit.file().to_owned();
        let whole = |op| Self {
            file: file.clone(),
            op,
            pointer: String::new(),
            from: None,
        };
        match edit {
            FileEdit::Operation { operation, .. } => Self {
                file: file.clone(),
                op: operation.name(),
                pointer: operation.path().to_string(),
                from: operation.from_path().map(ToString::to_string),
            },
            FileEdit::Repair { .. } => whole("repair-bytes"),
            FileEdit::Create { .. } => whole("create-file"),
            FileEdit::Park { .. } => whole("park-file"),
        }
    }
}

/// `fix` or `advice`.
pub fn kind(kind: KindFile) -> &'static str {
    match kind {
        KindFile::Fix => "fix",
        KindFile::Advice => "advice",
    }
}

fn needs(gaps: &[Gap]) -> Vec<String> {
    gaps.iter().map(|gap| gap.fact.clone()).collect()
}
