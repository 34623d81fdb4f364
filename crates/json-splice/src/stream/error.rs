//! Why a document cannot be worked on from a reader.

use crate::patch::PatchError;
use crate::syntax::SyntaxError;
use std::error::Error;
use std::fmt;
use std::io;

/// Why a document cannot be worked on from a reader.
#[derive(Debug)]
#[non_exhaustive]
pub enum StreamError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It is not JSON.
    Syntax(SyntaxError),
    /// The patch does not apply to it.
    Patch(PatchError),
    /// No object or array stands at the pointer asked for; says what does.
    NoContainer(String),
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::Io(error) => error.fmt(f),
            StreamError::Syntax(error) => error.fmt(f),
            StreamError::Patch(error) => error.fmt(f),
            StreamError::NoContainer(found) => f.write_str(found),
        }
    }
}

impl Error for StreamError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            StreamError::Io(error) => Some(error),
            StreamError::Syntax(error) => Some(error),
            StreamError::Patch(error) => Some(error),
            StreamError::NoContainer(_) => None,
        }
    }
}

impl From<io::Error> for StreamError {
    fn from(error: io::Error) -> StreamError {
        StreamError::Io(error)
    }
}

impl From<SyntaxError> for StreamError {
    fn from(error: SyntaxError) -> StreamError {
        StreamError::Syntax(error)
    }
}

impl From<PatchError> for StreamError {
    fn from(error: PatchError) -> StreamError {
        match error {
            PatchError::Syntax(error) => StreamError::Syntax(error),
            error => StreamError::Patch(error),
        }
    }
}
