//! From a byte offset to the line and column that a person sees.

use crate::scan::BOM;
use std::fmt;

/// A place in a text, both counted from 1. The column counts characters, not bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1. A line ends with a line feed.
    pub line: usize,
    /// The column in characters, from 1. A byte order mark has no column.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The position of the byte at `offset`; an offset past the end counts as the end.
pub fn position(text: &[u8], offset: usize) -> Position {
    let mut counter = PositionCounter::default();
    counter.pass(text.get(..offset).unwrap_or(text));
    counter.position()
}

/// Counts lines and columns of a text that comes in pieces.
#[derive(Debug, Clone, Default)]
pub(crate) struct PositionCounter {
    /// The first three bytes, as far as they have come: a byte order mark has no column.
    head: Vec<u8>,
    lines: usize,
    columns: usize,
}

impl PositionCounter {
    /// Goes past `piece`.
    pub(crate) fn pass(&mut self, piece: &[u8]) {
        let (head, rest) = piece.split_at(piece.len().min(BOM.len() - self.head.len()));
        self.count(head);
        self.head.extend_from_slice(head);
        if !head.is_empty() && self.head == BOM {
            self.columns = 0;
        }
        self.count(rest);
    }

    fn count(&mut self, piece: &[u8]) {
        let rest = match memchr::memrchr(b'\n', piece) {
            None => piece,
            Some(last) => {
                self.lines += memchr::memchr_iter(b'\n', piece).count();
                self.columns = 0;
                piece.get(last + 1..).unwrap_or_default()
            }
        };
        self.columns += rest.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
    }

    /// The position of the next byte.
    pub(crate) fn position(&self) -> Position {
        Position {
            line: self.lines + 1,
            column: self.columns + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_skip_the_byte_order_mark() {
        let text = "\u{feff}{\"é\": 1,\r\n  \"b\": 2}".as_bytes();
        assert_eq!(position(text, 3), Position { line: 1, column: 1 });
        assert_eq!(position(text, 7), Position { line: 1, column: 4 });
        assert_eq!(position(text, 16), Position { line: 2, column: 3 });
        assert_eq!(
            position(text, 999),
            Position {
                line: 2,
                column: 10
            }
        );
    }
}
