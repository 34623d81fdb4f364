//! The one pass over a text: validates it, fed in pieces of any size, and tells a [`Sink`] where
//! the values of the watched containers begin and end.

mod machine;
mod nest;
mod run;
mod state;
mod step;
mod utf8;

pub(crate) use machine::Machine;
pub(crate) use utf8::Scanner;

use crate::kind::Kind;
use crate::syntax::{Found, SyntaxError};
use std::ops::Range;

/// The UTF-8 byte order mark.
pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What a scan reports to. Offsets are absolute. Only the root and the children of watched
/// containers are reported; the others are checked and passed over.
pub(crate) trait Sink {
    /// A value of `kind` begins at `at`. True: watch inside it, if it is a container.
    fn begin(&mut self, at: usize, kind: Kind) -> bool;
    /// The value that began last, and has not ended, ends before `at`.
    fn end(&mut self, at: usize);
    /// A member's name: `raw` is the text between the quotes, `escaped` whether it may hold an
    /// escape; `span` counts the quotes.
    fn name(&mut self, raw: &[u8], escaped: bool, span: Range<usize>);
}

/// Watches nothing: a scan into it only validates.
impl Sink for () {
    fn begin(&mut self, _at: usize, _kind: Kind) -> bool {
        false
    }
    fn end(&mut self, _at: usize) {}
    fn name(&mut self, _raw: &[u8], _escaped: bool, _span: Range<usize>) {}
}

/// A breach of the grammar, its line and column not yet known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) offset: usize,
    pub(crate) found: Found,
    pub(crate) expected: &'static str,
}

impl Fault {
    /// The error, with the position that `text` gives to its offset.
    pub(crate) fn locate(self, text: &[u8]) -> SyntaxError {
        SyntaxError {
            offset: self.offset,
            position: crate::position::position(text, self.offset),
            found: self.found,
            expected: self.expected,
        }
    }
}

/// Scans a whole text into `sink`.
pub(crate) fn scan<S: Sink>(text: &[u8], sink: S) -> Result<S, SyntaxError> {
    let mut scanner = Scanner::new(sink);
    scanner
        .feed(text)
        .and_then(|()| scanner.finish())
        .map_err(|fault| fault.locate(text))
}
