//! A site: where a fix applies, the evidence, and what can be done.

use std::ops::Range;

use json_splice::{Edits, Operation, Pointer};

use super::place::Captures;
use super::truth::Truth;
use crate::fix::Safety;

/// One place in one directory that a fix is about.
#[derive(Debug, Clone)]
pub struct Site {
    /// What tells it from the fix's other sites: usually a pointer.
    pub key: String,
    /// What the place's captures took.
    pub captures: Captures,
    /// What was seen, the main thing first.
    pub evidence: Vec<Evidence>,
    /// Whether the directory shows it: yes, or unknown with the facts that would decide. Never no.
    pub truth: Truth,
    /// What can be done.
    pub outcome: Outcome,
}

/// What can be done at a site.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// One of these cures, in the order of preference; never empty.
    Cures(Vec<Cure>),
    /// No cure holds, for this reason.
    Refused(String),
    /// The fix is an advice: no edit is right.
    Advice,
}

/// An edit of the directory that cures a site.
#[derive(Debug, Clone)]
pub struct Cure {
    /// Its name among the fix's cures.
    pub name: String,
    /// Whether it keeps everything.
    pub safety: Safety,
    /// Its price, in words.
    pub cost: String,
    /// What a lossy cure loses.
    pub loses: Option<String>,
    /// Whether its own conditions hold: yes or unknown.
    pub truth: Truth,
    /// What it does.
    pub edits: Vec<FileEdit>,
}

/// What is done to one file.
#[derive(Debug, Clone, PartialEq)]
pub enum FileEdit {
    /// An RFC 6902 operation.
    Operation {
        /// The file.
        file: String,
        /// The operation.
        operation: Operation,
    },
    /// Byte splices, for files that are not JSON yet.
    Repair {
        /// The file.
        file: String,
        /// The splices.
        edits: Edits,
    },
    /// A new file.
    Create {
        /// The file.
        file: String,
        /// Its content.
        text: String,
    },
    /// The file leaves the directory for the state folder.
    Park {
        /// The file.
        file: String,
    },
}

impl FileEdit {
    /// An operation on `file`.
    #[must_use]
    pub fn operation(file: impl Into<String>, operation: Operation) -> Self {
        Self::Operation {
            file: file.into(),
            operation,
        }
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &str {
        match self {
            Self::Operation { file, .. }
            | Self::Repair { file, .. }
            | Self::Create { file, .. }
            | Self::Park { file } => file,
        }
    }
}

/// Something that was seen: a place in a file, with the text under the caret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The file.
    pub file: String,
    /// The place, where the file is JSON.
    pub pointer: Option<Pointer>,
    /// The bytes to underline, where the file's bytes are at hand.
    pub span: Option<Range<usize>>,
    /// The text under the caret.
    pub label: String,
}

impl Evidence {
    /// A whole file.
    #[must_use]
    pub fn file(file: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            pointer: None,
            span: None,
            label: label.into(),
        }
    }

    /// A value in a file.
    #[must_use]
    pub fn value(
        file: impl Into<String>,
        pointer: Pointer,
        span: Range<usize>,
        label: impl Into<String>,
    ) -> Self {
        Self {
            file: file.into(),
            pointer: Some(pointer),
            span: Some(span),
            label: label.into(),
        }
    }
}
