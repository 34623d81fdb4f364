//! What an operation is asked to do, under which conditions, and what it did.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;
use json_splice::Edits;
use serde::{Deserialize, Serialize};

use super::fsys::Digest;
use super::state::Operation;

/// One operation.
#[derive(Debug, Clone)]
pub struct Request {
    /// What happens to which file; each file once.
    pub changes: Vec<FileChange>,
    /// Files that the changes rest on without touching them.
    pub consulted: Vec<Consulted>,
    /// What the history says of it.
    pub label: Label,
}

/// What happens to one file.
#[derive(Debug, Clone, PartialEq)]
pub struct FileChange {
    /// Path in the model directory.
    pub path: String,
    /// What the plan read.
    pub before: Before,
    /// What is done.
    pub action: Action,
}

/// What a plan read of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// There is none.
    Missing,
    /// These bytes.
    Present {
        /// Their hash.
        digest: Digest,
        /// Their number.
        len: u64,
    },
}

/// What is done to a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// These splices on its bytes.
    Edit(Edits),
    /// It is created with these bytes.
    Create(Vec<u8>),
    /// It is taken out of the directory.
    Park,
}

/// A file that a plan rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consulted {
    /// Path in the model directory.
    pub path: String,
    /// What the plan read.
    pub before: Before,
}

/// What the history says of an operation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The verb: `apply`, `patch`, `revert`.
    pub verb: String,
    /// The fixes, by id.
    pub fixes: Vec<String>,
    /// The words of the command line.
    pub command_line: Vec<String>,
}

/// How an operation is carried out.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// A new modification time also where `hf download --local-dir` would then fetch the file again.
    pub fresh_mtime: bool,
    /// Never exchange entries; use links and renames as on file systems that cannot.
    pub force_portable: bool,
    /// Revert also where somebody edited since; the edit is kept aside.
    pub force: bool,
    /// Set from outside to undo and stop.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// The time for the history.
    pub now: Timestamp,
    /// The words of the command line, for the history of a revert.
    pub command_line: Vec<String>,
    /// Called once where another process holds the lock.
    pub waiting: Option<fn()>,
}

impl Options {
    /// Whether somebody asked to stop.
    pub(super) fn interrupted(&self) -> bool {
        self.interrupt
            .as_ref()
            .is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// What an operation did.
#[derive(Debug, Clone)]
pub struct Applied {
    /// As the history has it.
    pub operation: Operation,
    /// The number of the step that `revert` can take back.
    pub step: u64,
    /// What was touched.
    pub files: Vec<Touched>,
    /// What the person should know of this directory's kind.
    pub notes: Vec<String>,
}

/// A file that was touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// Path in the model directory.
    pub path: String,
    /// Whether a link was replaced by a file.
    pub was_link: bool,
}
