//! A JSON value kept as the text it was written in.

use crate::document::{Document, Node};
use crate::syntax::SyntaxError;
use crate::text::encode;
use std::fmt;
use std::str::FromStr;

/// A valid JSON value as text, its spelling kept: `1e-06` stays `1e-06`.
///
/// Equality is equality of the text; [`Node::same_value`] compares values.
///
/// ```
/// use json_splice::RawValue;
///
/// let value: RawValue = "1e-06".parse()?;
/// assert_eq!(value.as_str(), "1e-06");
/// assert_eq!(RawValue::string("a\"b").as_str(), r#""a\"b""#);
/// # Ok::<(), json_splice::SyntaxError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RawValue {
    text: String,
}

impl RawValue {
    /// The JSON string that spells `plain`.
    pub fn string(plain: &str) -> RawValue {
        RawValue {
            text: encode(plain),
        }
    }

    /// A text that is known to be a value.
    pub(crate) fn trusted(text: String) -> RawValue {
        RawValue { text }
    }

    /// The value's text, without white space around it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The value, to look into.
    pub fn node(&self) -> Node<'_> {
        Document::trusted(&self.text).root()
    }
}

impl From<Node<'_>> for RawValue {
    /// A copy of the node's text.
    fn from(node: Node<'_>) -> RawValue {
        RawValue {
            text: node.literal().to_owned(),
        }
    }
}

impl FromStr for RawValue {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<RawValue, SyntaxError> {
        Ok(Document::parse(text.as_bytes())?.root().into())
    }
}

impl fmt::Display for RawValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
