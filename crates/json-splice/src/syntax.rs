//! Why a text is not a JSON document.

use crate::position::Position;
use std::error::Error;
use std::fmt;

/// The first place where a text breaks the grammar of JSON (or is not UTF-8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Offset in bytes from the start of the file, a byte order mark counted.
    pub offset: usize,
    /// The same place as line and column.
    pub position: Position,
    /// What stands there.
    pub found: Found,
    /// What would have been right there.
    pub expected: &'static str,
}

/// What stands at the place of a [`SyntaxError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The text ends.
    End,
    /// A character.
    Char(char),
    /// A byte that starts no valid UTF-8 sequence.
    Byte(u8),
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::End => f.write_str("the end of the text"),
            Found::Char(c) if c.is_control() || (c.is_whitespace() && *c != ' ') => {
                write!(f, "U+{:04X}", u32::from(*c))
            }
            Found::Char(c) => write!(f, "'{c}'"),
            Found::Byte(byte) => write!(f, "the byte 0x{byte:02X}, which is not UTF-8"),
        }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: found {}, expected {}",
            self.position, self.found, self.expected
        )
    }
}

impl Error for SyntaxError {}
