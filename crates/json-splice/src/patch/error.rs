//! Why a patch does not apply to a document.

use crate::pointer::Pointer;
use crate::position::Position;
use crate::syntax::SyntaxError;
use std::error::Error;
use std::fmt;

/// Why a patch does not apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatchError {
    /// The document is not JSON.
    Syntax(SyntaxError),
    /// An operation cannot be carried out.
    Operation(Box<OperationError>),
}

/// An operation that cannot be carried out, and what stands in its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationError {
    /// Which operation of the patch, counted from 0.
    pub index: usize,
    /// Its name: `add`, `remove`, `replace`, `move`, `copy` or `test`.
    pub operation: &'static str,
    /// The pointer that leads nowhere: the operation's `path` or `from`.
    pub pointer: Pointer,
    /// What is wrong.
    pub kind: OperationErrorKind,
    /// The longest part of `pointer` that exists.
    pub prefix: Pointer,
    /// What stands at `prefix`, such as `an object with 3 members`.
    pub found: String,
    /// Where that stands in the document; `None` inside a value that the patch itself put there.
    pub position: Option<Position>,
    /// Names of members there that look like the one asked for, the nearest first.
    pub near: Vec<String>,
}

/// What is wrong with an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OperationErrorKind {
    /// The object has no such member.
    NoSuchMember(String),
    /// The array is too short.
    NoSuchElement {
        /// The element asked for, counted from 0.
        index: usize,
        /// How many elements there are.
        len: usize,
    },
    /// An array's elements are named by digits without leading zeros; `-` names the place after the
    /// last one, where only something new can stand.
    NotAnIndex(String),
    /// Neither an object nor an array stands there, so nothing is in it.
    NotAContainer,
    /// The object has the key twice, so which one is meant is not said.
    DuplicateKey {
        /// The key.
        name: String,
        /// Where it stands the second time.
        again: Option<Position>,
    },
    /// The whole document cannot be removed.
    RemoveRoot,
    /// A value cannot be moved into itself.
    MoveIntoItself,
    /// Another value stands there.
    TestFailed {
        /// The value that the operation names (its start, when it is long).
        expected: String,
        /// The value that stands there (its start, when it is long).
        actual: String,
    },
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatchError::Syntax(error) => error.fmt(f),
            PatchError::Operation(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for OperationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position {
            write!(f, "{position}: ")?;
        }
        write!(
            f,
            "operation {} ({} \"{}\"): {}",
            self.index, self.operation, self.pointer, self.kind
        )?;
        match &self.kind {
            OperationErrorKind::RemoveRoot
            | OperationErrorKind::MoveIntoItself
            | OperationErrorKind::TestFailed { .. } => {}
            _ => write!(f, "; at \"{}\" stands {}", self.prefix, self.found)?,
        }
        if !self.near.is_empty() {
            let near: Vec<String> = self.near.iter().map(|name| format!("{name:?}")).collect();
            write!(f, "; near: {}", near.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for OperationErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OperationErrorKind::NoSuchMember(name) => write!(f, "there is no member {name:?}"),
            OperationErrorKind::NoSuchElement { index, len } => {
                write!(
                    f,
                    "there is no element {index}, the array's length is {len}"
                )
            }
            OperationErrorKind::NotAnIndex(token) => {
                write!(f, "{token:?} names no element of an array")
            }
            OperationErrorKind::NotAContainer => f.write_str("nothing can be inside that value"),
            OperationErrorKind::DuplicateKey { name, again } => {
                write!(f, "the key {name:?} stands there twice")?;
                match again {
                    Some(position) => write!(f, " (again at {position})"),
                    None => Ok(()),
                }
            }
            OperationErrorKind::RemoveRoot => f.write_str("the whole document cannot be removed"),
            OperationErrorKind::MoveIntoItself => f.write_str("a value cannot move into itself"),
            OperationErrorKind::TestFailed { expected, actual } => {
                write!(f, "expected {expected}, found {actual}")
            }
        }
    }
}

impl Error for PatchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            PatchError::Syntax(error) => Some(error),
            PatchError::Operation(error) => Some(error),
        }
    }
}

impl Error for OperationError {}

impl From<SyntaxError> for PatchError {
    fn from(error: SyntaxError) -> PatchError {
        PatchError::Syntax(error)
    }
}
