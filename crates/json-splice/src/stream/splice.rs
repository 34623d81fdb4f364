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
    pub fn copy(&self, mut document: impl Read + Seek, mut to: impl Write) -> io::Result<u64> {
        // Long stretches go straight from file to file; short ones are gathered.
        let mut gathered = Vec::new();
        let (mut done, mut written) = (0, 0);
        document.seek(SeekFrom::Start(0))?;
        for splice in self.splices() {
            let gap = splice.range.start - done;
            if gap < CHUNK {
                let held = gathered.len();
                gathered.resize(held + gap, 0);
                document.read_exact(gathered.get_mut(held..).unwrap_or_default())?;
            } else {
                to.write_all(&gathered)?;
                gathered.clear();
                if io::copy(&mut (&mut document).take(gap as u64), &mut to)? < gap as u64 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            gathered.extend_from_slice(&splice.replacement);
            if gathered.len() >= CHUNK {
                to.write_all(&gathered)?;
                gathered.clear();
            }
            written += (gap + splice.replacement.len()) as u64;
            done = splice.range.end;
            document.seek(SeekFrom::Start(done as u64))?;
        }
        to.write_all(&gathered)?;
        Ok(written + io::copy(&mut document, &mut to)?)
    }
}
