//! What several tests share.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

/// A reader that gives only so many bytes at a time.
pub(crate) struct Slow<'d> {
    text: Cursor<&'d [u8]>,
    step: usize,
}

impl<'d> Slow<'d> {
    pub(crate) fn new(text: &'d [u8], step: usize) -> Slow<'d> {
        Slow {
            text: Cursor::new(text),
            step,
        }
    }
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let step = self.step.min(buffer.len());
        self.text.read(&mut buffer[..step])
    }
}

impl Seek for Slow<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.text.seek(to)
    }
}
