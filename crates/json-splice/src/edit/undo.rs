//! The way back from an edited text, exact to the byte.

use super::edits::Edits;
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fmt;

/// An undo record: the inverse splices, with length and SHA-256 of the text before and after.
///
/// ```
/// use json_splice::{Patch, Undo};
///
/// let before = br#"{"a": 1, "b": [1e-06]}"#;
/// let patch = Patch::parse(br#"[{"op": "remove", "path": "/a"}]"#)?;
/// let edits = patch.edits(before)?;
/// let after = edits.apply(before);
/// assert_eq!(after, br#"{"b": [1e-06]}"#);
///
/// let stored = edits.undo(before).to_json();
/// assert_eq!(Undo::from_json(stored.as_bytes())?.restore(&after)?, before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undo {
    pub(super) edits: Edits,
    pub(super) before: Print,
    pub(super) after: Print,
}

/// What a text is recognised by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Print {
    pub(super) length: usize,
    pub(super) sha256: [u8; 32],
}

/// Why an undo record cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UndoError {
    /// The text is not the one that the edits made: it changed since.
    Changed {
        /// Length in bytes of the text that the edits made.
        expected: usize,
        /// Length in bytes of the text given.
        found: usize,
    },
    /// The record is damaged: what it restores is not what it says.
    Damaged,
    /// A stored record cannot be read; says what is wrong with it.
    Malformed(String),
}

impl Print {
    pub(super) fn of(text: &[u8]) -> Print {
        Print {
            length: text.len(),
            sha256: Sha256::digest(text).into(),
        }
    }
}

impl Undo {
    pub(super) fn new(edits: &Edits, original: &[u8]) -> Undo {
        Undo {
            edits: edits.inverse(original),
            before: Print::of(original),
            after: Print::of(&edits.apply(original)),
        }
    }

    /// The splices that lead back. They fit the edited text only.
    pub fn edits(&self) -> &Edits {
        &self.edits
    }

    /// The text as it was before.
    ///
    /// # Errors
    /// When `edited` is not, to the byte, what the edits made.
    pub fn restore(&self, edited: &[u8]) -> Result<Vec<u8>, UndoError> {
        if Print::of(edited) != self.after {
            return Err(UndoError::Changed {
                expected: self.after.length,
                found: edited.len(),
            });
        }
        let restored = self.edits.apply(edited);
        if Print::of(&restored) != self.before {
            return Err(UndoError::Damaged);
        }
        Ok(restored)
    }
}

impl fmt::Display for UndoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UndoError::Changed { expected, found } if expected == found => {
                f.write_str("the text changed since the edit: its SHA-256 is another one")
            }
            UndoError::Changed { expected, found } => write!(
                f,
                "the text changed since the edit: it has {found} bytes, the edit left {expected}"
            ),
            UndoError::Damaged => f.write_str("the undo record is damaged: its digests disagree"),
            UndoError::Malformed(why) => write!(f, "not an undo record: {why}"),
        }
    }
}

impl Error for UndoError {}
