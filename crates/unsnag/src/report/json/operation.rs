//! The documents of the verbs that change a directory, and of `status` and `history`.

use std::path::Path;

use serde::Serialize;
use unsnag_core::store::revert::Reverted;
use unsnag_core::store::{
    Applied, FileStatus, Forgotten, Operation, Recovered, Returned, Standing, Status,
};

use super::SCHEMA_VERSION;

/// What `apply` or `patch` did.
#[derive(Debug, Serialize)]
pub struct AppliedDocument {
    schema_version: u32,
    path: String,
    step: u64,
    operation: Operation,
    notes: Vec<String>,
}

/// What `apply --out` did.
#[derive(Debug, Serialize)]
pub struct TwinDocument {
    schema_version: u32,
    path: String,
    serve: String,
    fixes: Vec<String>,
}

/// What `revert` did.
#[derive(Debug, Serialize)]
pub struct RevertedDocument {
    schema_version: u32,
    path: String,
    steps: Vec<u64>,
    remaining: usize,
    operation: Option<Operation>,
    kept: Vec<KeptJson>,
    notes: Vec<String>,
}

/// What `recover` did.
#[derive(Debug, Serialize)]
pub struct RecoveredDocument {
    schema_version: u32,
    path: String,
    verb: Option<String>,
    files: Vec<String>,
    leftovers: bool,
}

/// What `forget` did.
#[derive(Debug, Serialize)]
pub struct ForgottenDocument {
    schema_version: u32,
    path: String,
    files: Vec<String>,
    parked: Vec<ReturnedJson>,
    kept: Vec<ReturnedJson>,
}

/// A file that comes back beside its place.
#[derive(Debug, Serialize)]
pub struct ReturnedJson {
    file: String,
    name: String,
}

impl ReturnedJson {
    fn new(returned: &Returned) -> Self {
        Self {
            file: returned.path.clone(),
            name: returned.name.clone(),
        }
    }
}

/// Which patches are in place.
#[derive(Debug, Serialize)]
pub struct StatusDocument {
    schema_version: u32,
    path: String,
    steps: Vec<StepJson>,
    files: Vec<FileJson>,
    kept: Vec<KeptJson>,
    unneeded: Vec<UnneededJson>,
    twin_of: Option<String>,
}

/// A patch that the target does not need.
#[derive(Debug, Clone, Serialize)]
pub struct UnneededJson {
    /// The fix.
    pub id: String,
    /// What it costs, in words.
    pub cost: String,
}

#[derive(Debug, Serialize)]
struct StepJson {
    number: u64,
    time: String,
    verb: String,
    fixes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct FileJson {
    file: String,
    standing: &'static str,
    steps: Vec<u64>,
}

#[derive(Debug, Serialize)]
struct KeptJson {
    file: String,
    place: String,
}

/// Every operation.
#[derive(Debug, Serialize)]
pub struct HistoryDocument {
    schema_version: u32,
    path: String,
    operations: Vec<Operation>,
}

fn kept(kept: &[(String, String)]) -> Vec<KeptJson> {
    kept.iter()
        .map(|(file, place)| KeptJson {
            file: file.clone(),
            place: place.clone(),
        })
        .collect()
}

impl AppliedDocument {
    /// From what was done.
    pub fn new(directory: &Path, applied: &Applied) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            path: directory.display().to_string(),
            step: applied.step,
            operation: applied.operation.clone(),
            notes: applied.notes.clone(),
        }
    }
}

impl TwinDocument {
    /// Of a directory, with the path to serve: the twin, or the directory itself where there was nothing to edit.
    pub fn new(directory: &Path, serve: &Path, fixes: Vec<String>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            path: directory.display().to_string(),
            serve: serve.display().to_string(),
            fixes,
        }
    }
}

impl RevertedDocument {
    /// From what was done.
    pub fn new(directory: &Path, reverted: &Reverted) -> Self {
        Self {
            steps: reverted.steps.clone(),
            remaining: reverted.remaining,
            operation: Some(reverted.operation.clone()),
            kept: kept(&reverted.kept),
            notes: reverted.notes.clone(),
            ..Self::nothing(directory)
        }
    }

    /// Where there was nothing to revert.
    pub fn nothing(directory: &Path) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            path: directory.display().to_string(),
            steps: Vec::new(),
            remaining: 0,
            operation: None,
            kept: Vec::new(),
            notes: Vec::new(),
        }
    }
}

impl RecoveredDocument {
    /// From what was done.
    pub fn new(directory: &Path, recovered: &Recovered) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            path: directory.display().to_string(),
            verb: recovered
                .operation
                .as_ref()
                .map(|operation| operation.verb.clone()),
            files: recovered
                .operation
                .as_ref()
                .map(|operation| operation.files.clone())
                .unwrap_or_default(),
            leftovers: recovered.leftovers,
        }
    }
}

impl ForgottenDocument {
    /// From what was done.
    pub fn new(directory: &Path, forgotten: &Forgotten) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            path: directory.display().to_string(),
            files: forgotten.files.clone(),
            parked: forgotten.parked.iter().map(ReturnedJson::new).collect(),
            kept: forgotten.kept.iter().map(ReturnedJson::new).collect(),
        }
    }
}

impl StatusDocument {
    /// From a status.
    pub fn new(directory: &Path, status: &Status, unneeded: Vec<UnneededJson>) -> Self {
        let step = |step: &unsnag_core::store::Step| StepJson {
            number: step.number,
            time: step.time.to_string(),
            verb: step.label.verb.clone(),
            fixes: step.label.fixes.clone(),
        };
        Self {
            schema_version: SCHEMA_VERSION,
            path: directory.display().to_string(),
            steps: status.steps.iter().map(step).collect(),
            files: status.files.iter().map(FileJson::new).collect(),
            kept: kept(&status.kept),
            unneeded,
            twin_of: status.twin_of.clone(),
        }
    }
}

impl FileJson {
    fn new(file: &FileStatus) -> Self {
        let standing = match file.standing {
            Standing::AsLeft => "as-left",
            Standing::Original => "original",
            Standing::Edited => "edited",
            Standing::Link => "link",
            Standing::Moved => "moved",
            Standing::Unreadable(_) => "unreadable",
        };
        Self {
            file: file.path.clone(),
            standing,
            steps: file.steps.clone(),
        }
    }
}

impl HistoryDocument {
    /// Of these operations.
    pub fn new(directory: &Path, operations: Vec<Operation>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            path: directory.display().to_string(),
            operations,
        }
    }
}
