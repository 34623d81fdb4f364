//! The members or elements of one container of a document that is not held in memory.

use super::CHUNK;
use super::error::StreamError;
use super::picker::{Outcome, Picked, Picker};
use super::scanner::Positioned;
use crate::patch::RawValue;
use crate::pointer::Pointer;
use crate::text::decode_lossy;
use std::io::{ErrorKind, Read};
use std::ops::Range;

/// Iterates over the members or elements of one object or array of a document in a reader.
///
/// The whole document is validated on the way; an error ends the iteration. Memory is needed for a
/// chunk and for the item at hand.
///
/// ```
/// use json_splice::Items;
///
/// let index = br#"{"metadata": {}, "weight_map": {"a.weight": "1.bin", "b.weight": "2.bin"}}"#;
/// let mut shards = Vec::new();
/// for item in Items::new(&index[..], &"/weight_map".parse()?) {
///     let item = item?;
///     shards.push((item.name.unwrap(), item.value.to_string()));
/// }
/// assert_eq!(shards[1], ("b.weight".to_owned(), "\"2.bin\"".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Items<R> {
    reader: R,
    pointer: Pointer,
    /// `None` once the document or an error has ended.
    scan: Option<Positioned<Picker>>,
    /// The bytes from `start` of the document on that are still needed.
    window: Vec<u8>,
    start: usize,
}

/// A member or an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// A member's name, a lone surrogate in it replaced by U+FFFD; `None` for an element.
    pub name: Option<String>,
    /// The value, as it is written.
    pub value: RawValue,
    /// Where the value stands, in bytes from the start of the document.
    pub span: Range<usize>,
}

impl<R: Read> Items<R> {
    /// What the container at `pointer` holds. A key on the way that stands twice is an error.
    pub fn new(reader: R, pointer: &Pointer) -> Items<R> {
        Items {
            reader,
            pointer: pointer.clone(),
            scan: Some(Positioned::new(Picker::new(pointer))),
            window: Vec::new(),
            start: 0,
        }
    }

    /// The next item, or `None` at the document's end.
    fn advance(&mut self) -> Result<Option<Item>, StreamError> {
        loop {
            let Some(scan) = &mut self.scan else {
                return Ok(None);
            };
            if let Some(picked) = scan.sink_mut().next() {
                return Ok(Some(self.item(picked)));
            }
            let needed = scan.sink_mut().needed_from();
            let end = self.start + self.window.len();
            let gone = needed.unwrap_or(end) - self.start;
            self.window.drain(..gone);
            self.start += gone;
            let held = self.window.len();
            self.window.resize(held + CHUNK, 0);
            let room = self.window.get_mut(held..).unwrap_or_default();
            let read = loop {
                match self.reader.read(room) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    read => break read,
                }
            };
            let read = read?;
            self.window.truncate(held + read);
            if read > 0 {
                scan.feed(self.window.get(held..).unwrap_or_default())?;
            } else {
                let outcome = match self.scan.take() {
                    Some(scan) => scan.finish()?.outcome(),
                    None => Outcome::Found,
                };
                return self.check(outcome);
            }
        }
    }

    fn check(&self, outcome: Outcome) -> Result<Option<Item>, StreamError> {
        let pointer = &self.pointer;
        Err(StreamError::NoContainer(match outcome {
            Outcome::Found => return Ok(None),
            Outcome::Missing => format!("nothing stands at \"{pointer}\""),
            Outcome::Other(kind) => {
                format!("{kind} stands on the way to \"{pointer}\" or at it")
            }
            Outcome::Twice => format!("a key on the way to \"{pointer}\" stands twice"),
        }))
    }

    fn item(&self, (name, span): Picked) -> Item {
        let within = span.start - self.start..span.end - self.start;
        let text = self.window.get(within).unwrap_or_default();
        Item {
            name: name.map(|name| decode_lossy(&name).into_owned()),
            value: RawValue::trusted(String::from_utf8_lossy(text).into_owned()),
            span,
        }
    }
}

impl<R: Read> Iterator for Items<R> {
    type Item = Result<Item, StreamError>;

    fn next(&mut self) -> Option<Result<Item, StreamError>> {
        let item = self.advance();
        if item.is_err() {
            self.scan = None;
        }
        item.transpose()
    }
}
