//! The documents of `diff`, `apply --dry-run` and `patch --dry-run`.

use std::path::Path;

use serde::Serialize;
use serde_json::value::RawValue;
use unsnag_core::plan::{Because, FilePlan, Plan};
use unsnag_core::target::Target;

use super::SCHEMA_VERSION;
use super::check::{EditJson, FindingJson, TargetJson};
use crate::report::udiff;

/// What a plan would do.
#[derive(Debug, Serialize)]
pub struct PlanDocument {
    schema_version: u32,
    path: String,
    target: TargetJson,
    fixes: Vec<String>,
    files: Vec<FileJson>,
    edits: Vec<StepJson>,
    held: Vec<HeldJson>,
}

#[derive(Debug, Serialize)]
struct FileJson {
    file: String,
    fixes: Vec<String>,
    diff: String,
}

#[derive(Debug, Serialize)]
struct StepJson {
    fix: String,
    cure: String,
    #[serde(flatten)]
    edit: EditJson,
}

#[derive(Debug, Serialize)]
struct HeldJson {
    because: &'static str,
    finding: FindingJson,
}

impl PlanDocument {
    /// From a plan.
    pub fn new(directory: &Path, target: &Target, plan: &Plan<'_>) -> Self {
        let step = |step: &unsnag_core::plan::Step| {
            step.edits
                .iter()
                .map(|edit| StepJson {
                    fix: step.fix.clone(),
                    cure: step.cure.clone(),
                    edit: EditJson::new(edit),
                })
                .collect::<Vec<_>>()
        };
        Self {
            schema_version: SCHEMA_VERSION,
            path: directory.display().to_string(),
            target: TargetJson::new(target),
            fixes: plan.fixes(),
            files: plan.files.iter().map(FileJson::new).collect(),
            edits: plan.steps.iter().flat_map(step).collect(),
            held: plan
                .held
                .iter()
                .map(|held| HeldJson {
                    because: because(held.because),
                    finding: FindingJson::new(&held.finding),
                })
                .collect(),
        }
    }
}

impl FileJson {
    fn new(file: &FilePlan) -> Self {
        Self {
            file: file.path.clone(),
            fixes: file.fixes.clone(),
            diff: udiff::unified(&file.path, file.before.as_deref(), file.after.as_deref()),
        }
    }
}

fn because(because: Because) -> &'static str {
    match because {
        Because::Lossy => "lossy",
        Because::MayApply => "may-apply",
        Because::Skipped => "skipped",
        Because::Refused => "refused",
        Because::Advice => "advice",
        Because::Cured => "cured-by-flag",
    }
}

/// What a person's own patch would do.
#[derive(Debug, Serialize)]
pub struct PatchDocument {
    schema_version: u32,
    path: String,
    files: Vec<FileJson>,
}

impl PatchDocument {
    /// From the files.
    pub fn new(directory: &Path, files: &[FilePlan]) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            path: directory.display().to_string(),
            files: files.iter().map(FileJson::new).collect(),
        }
    }
}

/// The concrete RFC 6902 documents.
#[derive(Debug, Serialize)]
pub struct PatchesDocument {
    schema_version: u32,
    files: Vec<FilePatch>,
}

#[derive(Debug, Serialize)]
struct FilePatch {
    file: String,
    /// `patch`, or `create-file`, `park-file`, `repair-bytes` where the change is no RFC 6902 document.
    change: &'static str,
    patch: Box<RawValue>,
}

/// Of a plan.
pub fn patches(plan: &Plan<'_>) -> PatchesDocument {
    let file = |file: &FilePlan| {
        let change = match (&file.before, &file.after) {
            (None, _) => "create-file",
            (_, None) => "park-file",
            _ if file.operations.is_empty() => "repair-bytes",
            _ => "patch",
        };
        let text = json_splice::Patch::new(file.operations.clone()).to_string();
        let patch = RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned());
        FilePatch {
            file: file.path.clone(),
            change,
            patch,
        }
    };
    PatchesDocument {
        schema_version: SCHEMA_VERSION,
        files: plan.files.iter().map(file).collect(),
    }
}
