//! What sort of JSON value a node is.

use std::fmt;

/// The six kinds of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, `NaN`, `Infinity` and `-Infinity` among them.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// Whether a value of this kind holds other values.
    pub fn is_container(self) -> bool {
        matches!(self, Kind::Array | Kind::Object)
    }

    /// The kind of the value that starts with `byte`, if any does.
    pub(crate) fn of_first_byte(byte: u8) -> Option<Kind> {
        Some(match byte {
            b'"' => Kind::String,
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b't' | b'f' => Kind::Bool,
            b'n' => Kind::Null,
            b'-' | b'0'..=b'9' | b'N' | b'I' => Kind::Number,
            _ => return None,
        })
    }
}

impl fmt::Display for Kind {
    /// The kind with its article: `a number`, `an object`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Null => "null",
            Kind::Bool => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
        })
    }
}
