//! A document in a reader that can seek.

use super::CHUNK;
use crate::engine::Source;
use crate::position::{Position, PositionCounter};
use crate::scan::{self, Fault, Sink};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

/// A reader as a source. Its parts are read when they are asked for.
#[derive(Debug)]
pub(super) struct ReaderSource<R> {
    reader: RefCell<R>,
}

impl<R: Read + Seek> ReaderSource<R> {
    pub(super) fn new(reader: R) -> ReaderSource<R> {
        ReaderSource {
            reader: RefCell::new(reader),
        }
    }

    /// Scans the whole document into `sink`.
    pub(super) fn scan<K: Sink>(&self, sink: K) -> io::Result<Result<K, Fault>> {
        let mut scanner = scan::Scanner::new(sink);
        let mut fault = None;
        self.pieces(0..usize::MAX, |piece| {
            fault = scanner.feed(piece).err();
            fault.is_none()
        })?;
        Ok(match fault {
            Some(fault) => Err(fault),
            None => scanner.finish(),
        })
    }

    /// Hands the bytes of `range` to `take` in pieces, until it says no or the text ends.
    fn pieces(&self, range: Range<usize>, mut take: impl FnMut(&[u8]) -> bool) -> io::Result<()> {
        let mut reader = self.reader.borrow_mut();
        reader.seek(SeekFrom::Start(range.start as u64))?;
        let mut left = range.len();
        let mut buffer = vec![0; CHUNK.min(left)];
        while left > 0 {
            let room = buffer.len().min(left);
            let read = match reader.read(buffer.get_mut(..room).unwrap_or_default()) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let piece = buffer.get(..read).unwrap_or_default();
            if piece.is_empty() || !take(piece) {
                break;
            }
            left -= read;
        }
        Ok(())
    }
}

impl<R: Read + Seek> Source for ReaderSource<R> {
    type Error = io::Error;

    fn read(&self, range: Range<usize>) -> io::Result<Cow<'_, [u8]>> {
        let mut bytes = Vec::with_capacity(range.len());
        self.pieces(range.clone(), |piece| {
            bytes.extend_from_slice(piece);
            true
        })?;
        if bytes.len() < range.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Cow::Owned(bytes))
    }

    fn feed<K: Sink>(&self, range: Range<usize>, scanner: &mut scan::Scanner<K>) -> io::Result<()> {
        let mut changed = false;
        self.pieces(range, |piece| {
            changed = scanner.feed(piece).is_err();
            !changed
        })?;
        if changed {
            return Err(io::Error::other("the document changed while it was read"));
        }
        Ok(())
    }

    fn position(&self, offset: usize) -> io::Result<Position> {
        let mut counter = PositionCounter::default();
        self.pieces(0..offset, |piece| {
            counter.pass(piece);
            true
        })?;
        Ok(counter.position())
    }
}
