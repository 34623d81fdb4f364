//! A validated text, read on demand: nothing is decoded before it is asked for.

mod members;
mod node;
mod same;

pub use members::{Elements, Member, Members};
pub use node::Node;
pub(crate) use same::same_value;

use crate::engine::{Locator, Trie};
use crate::pointer::Pointer;
use crate::scan::{self, BOM, Fault, Machine};
use crate::syntax::{Found, SyntaxError};
use crate::text::skip_space;

/// A JSON text that has been validated from end to end.
///
/// ```
/// use json_splice::{Document, Kind};
///
/// let document = Document::parse(br#"{"rope": {"factor": 4.0, "eps": 1e-06}}"#)?;
/// let eps = document.find(&"/rope/eps".parse()?).unwrap();
/// assert_eq!(eps.kind(), Kind::Number);
/// assert_eq!(eps.literal(), "1e-06");
/// assert_eq!(eps.span(), 32..37);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Document<'d> {
    text: &'d str,
}

/// From so many tokens on one scan is cheaper than going over the inside of each value again.
const DEEP: usize = 32;

impl<'d> Document<'d> {
    /// Validates `bytes`: RFC 8259, and beside it bare `NaN`, `Infinity`, `-Infinity`, a UTF-8 byte
    /// order mark, and any depth.
    ///
    /// # Errors
    /// The first place that breaks the grammar or is not UTF-8.
    pub fn parse(bytes: &'d [u8]) -> Result<Document<'d>, SyntaxError> {
        let text = match simdutf8::basic::from_utf8(bytes) {
            Ok(text) => text,
            Err(_) => {
                scan::scan(bytes, ())?;
                return Err(not_utf8(bytes));
            }
        };
        let mut machine = Machine::new(());
        machine
            .feed(bytes)
            .and_then(|()| machine.finish())
            .map_err(|fault| fault.locate(bytes))?;
        Ok(Document { text })
    }

    /// A text that is known to be valid.
    pub(crate) fn trusted(text: &'d str) -> Document<'d> {
        Document { text }
    }

    /// The outermost value.
    pub fn root(&self) -> Node<'d> {
        let bytes = self.text.as_bytes();
        let start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let end = bytes.trim_ascii_end().len();
        Node::spanning(self.text, skip_space(bytes, start)..end)
    }

    /// The whole text, as it was given.
    pub fn bytes(&self) -> &'d [u8] {
        self.text.as_bytes()
    }

    /// The value at `pointer`. Of a key that stands twice in an object the last one counts, as
    /// Python reads it; `-` and indices with leading zeros name no element.
    pub fn find(&self, pointer: &Pointer) -> Option<Node<'d>> {
        if pointer.tokens().len() < DEEP {
            return self.root().find(pointer);
        }
        let located = scan::scan(self.bytes(), Locator::new(Trie::new([pointer])));
        let (_, span) = located.ok()?.find(pointer)?;
        Some(Node::at(self.text, span.start))
    }
}

/// The error for text that [`scan::scan`] let pass although it is not UTF-8: there is none, but the
/// types cannot say so.
fn not_utf8(bytes: &[u8]) -> SyntaxError {
    Fault {
        offset: bytes.len(),
        found: Found::End,
        expected: "UTF-8",
    }
    .locate(bytes)
}
