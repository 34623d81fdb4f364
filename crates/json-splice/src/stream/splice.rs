//! Patches of documents that are not held in memory.

use super::CHUNK;
use super::error::StreamError;
use super::reader::ReaderSource;
use crate::edit::Edits;
use crate::engine::{self, Source, Stop};
use crate::patch::{Patch, PatchError};
use crate::syntax::SyntaxError;
use std::io::{self, Read, Seek, SeekFrom, Write};

impl Patch {
    /// As [`Patch::edits`], of a document in a reader. It is scanned once in chunks; parts that the
    /// patch touches are read again. What is held grows with the patch and the values it moves,
    /// copies and tests, not with the document.
    ///
    /// ```
    /// use json_splice::Patch;
    /// use std::io::Cursor;
    ///
    /// let mut document = Cursor::new(br#"{"a": 1, "b": 2}"#);
    /// let patch = Patch::parse(br#"[{"op": "remove", "path": "/a"}]"#)?;
    /// let edits = patch.edits_in(&mut document)?;
    /// let mut edited = Vec::new();
    /// edits.copy(&mut document, &mut edited)?;
    /// assert_eq!(edited, br#"{"b": 2}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the document cannot be read or is not JSON, or the patch does not apply to it.
    pub fn edits_in(&self, document: impl Read + Seek) -> Result<Edits, StreamError> {
        let source = ReaderSource::new(document);
        let located = match source.scan(engine::locator(self))? {
            Ok(located) => located,
            Err(fault) => {
                return Err(StreamError::Syntax(SyntaxError {
                    offset: fault.offset,
                    position: source.position(fault.offset)?,
                    found: fault.found,
                    expected: fault.expected,
                }));
            }
        };
        engine::run(self, source, located).map_err(|stop| match stop {
            Stop::Operation(error) => StreamError::Patch(PatchError::Operation(error)),
            Stop::Source(error) => StreamError::Io(error),
        })
    }
}

impl Edits {
    /// Copies `document`, from its start to its end, with these edits made, and returns how many
    /// bytes were written. Only meant for the document the edits were made for.
    ///
    /// # Errors
    /// When reading or writing fails or the document is too short for the edits; what was written
    /// by then is of no use.
    pub fn copy(&self, mut document: impl Read + Seek, to: impl Write) -> io::Result<u64> {
        let mut out = Gathered::new(to);
        let mut done = 0;
        document.seek(SeekFrom::Start(0))?;
        for splice in self.splices() {
            if out.fill(&mut document, splice.range.start - done)? > 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            out.put(&splice.replacement)?;
            done = splice.range.end;
            document.seek(SeekFrom::Start(done as u64))?;
        }
        out.fill(&mut document, usize::MAX)?;
        out.flush()?;
        Ok(out.written)
    }
}

/// Bytes on their way to a writer, gathered to chunks. (On Linux, reading and writing chunks takes
/// less time than to have the kernel copy from file to file.)
struct Gathered<W> {
    to: W,
    chunk: Vec<u8>,
    /// How much of the chunk is filled.
    filled: usize,
    written: u64,
}

impl<W: Write> Gathered<W> {
    fn new(to: W) -> Gathered<W> {
        Gathered {
            to,
            chunk: vec![0; CHUNK],
            filled: 0,
            written: 0,
        }
    }

    /// Takes `length` bytes from a reader, fewer if it ends. Returns how many it lacked.
    fn fill(&mut self, from: &mut impl Read, length: usize) -> io::Result<usize> {
        let mut left = length;
        while left > 0 {
            let end = self.filled.saturating_add(left).min(CHUNK);
            let room = self.chunk.get_mut(self.filled..end).unwrap_or_default();
            let read = match from.read(room) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if read == 0 {
                break;
            }
            left -= read;
            self.filled += read;
            if self.filled == CHUNK {
                self.flush()?;
            }
        }
        Ok(left)
    }

    fn put(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.fill(&mut bytes, usize::MAX).map(drop)
    }

    fn flush(&mut self) -> io::Result<()> {
        let filled = self.chunk.get(..self.filled).unwrap_or_default();
        self.to.write_all(filled)?;
        self.written += self.filled as u64;
        self.filled = 0;
        Ok(())
    }
}
