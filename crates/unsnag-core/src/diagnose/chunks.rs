//! A log in chunks of whole lines, in constant memory: a line longer than a chunk is cut to its beginning.

use std::io::{self, Read};

/// How much is read at a time.
const CHUNK: usize = 1 << 20;

/// Whole lines of a log.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    buffer: Vec<u8>,
    end: usize,
}

impl Chunk {
    /// The lines; each but the log's last ends with a newline.
    pub(super) fn lines(&self) -> &[u8] {
        self.buffer.get(..self.end).unwrap_or_default()
    }
}

/// Reads chunks.
#[derive(Debug)]
pub(super) struct Chunks<R> {
    input: R,
    /// So much of a line that fills a chunk is kept.
    longest: usize,
    /// The beginning of a line that is not read to its end.
    unfinished: Vec<u8>,
    /// Inside a line whose beginning was given already.
    skipping: bool,
}

impl<R: Read> Chunks<R> {
    pub(super) fn new(input: R, longest: usize) -> Self {
        Self {
            input,
            longest: longest.clamp(1, CHUNK),
            unfinished: Vec::new(),
            skipping: false,
        }
    }

    /// The next chunk, in the memory of one that is done with; none at the log's end.
    ///
    /// # Errors
    /// The reader fails.
    pub(super) fn next(&mut self, done: Chunk) -> io::Result<Option<Chunk>> {
        let mut buffer = done.buffer;
        buffer.resize(CHUNK, 0);
        let mut filled = self.unfinished.len();
        if let Some(front) = buffer.get_mut(..filled) {
            front.copy_from_slice(&self.unfinished);
        }
        self.unfinished.clear();
        loop {
            let read = match self
                .input
                .read(buffer.get_mut(filled..).unwrap_or_default())
            {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if read == 0 {
                return Ok((filled > 0).then_some(Chunk {
                    buffer,
                    end: filled,
                }));
            }
            let mut new = filled..filled + read;
            if self.skipping {
                let rest = buffer.get(new.clone()).unwrap_or_default();
                let Some(at) = memchr::memchr(b'\n', rest) else {
                    continue;
                };
                self.skipping = false;
                buffer.copy_within(new.start + at + 1..new.end, 0);
                new = 0..read - at - 1;
            }
            filled = new.end;
            let newest = buffer.get(new.clone()).unwrap_or_default();
            if let Some(at) = memchr::memrchr(b'\n', newest) {
                let end = new.start + at + 1;
                let unfinished = buffer.get(end..filled).unwrap_or_default();
                self.unfinished.extend_from_slice(unfinished);
                return Ok(Some(Chunk { buffer, end }));
            }
            if filled == buffer.len() {
                if let Some(last) = buffer.get_mut(self.longest - 1) {
                    *last = b'\n';
                }
                self.skipping = true;
                let end = self.longest;
                return Ok(Some(Chunk { buffer, end }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives so many bytes at a time, and is interrupted before each.
    struct Slow<'b>(&'b [u8], usize, bool);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.2 = !self.2;
            if self.2 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let most = buffer.len().min(self.1);
            self.0.read(buffer.get_mut(..most).unwrap_or_default())
        }
    }

    fn whole(bytes: &[u8], step: usize) -> Vec<u8> {
        let mut chunks = Chunks::new(Slow(bytes, step, false), 100);
        let (mut out, mut chunk) = (Vec::new(), Chunk::default());
        while let Some(next) = chunks.next(chunk).unwrap() {
            assert!(next.lines().ends_with(b"\n") || bytes.ends_with(next.lines()));
            out.extend_from_slice(next.lines());
            chunk = next;
        }
        out
    }

    #[test]
    fn all_lines_come_through_in_any_steps() {
        let many: Vec<u8> = (0..300_000)
            .flat_map(|n| format!("line {n}\r\n").into_bytes())
            .collect();
        for bytes in [&b""[..], b"\n", b"a", b"a\nb", b"\n\na\n", &many] {
            for step in [1, 7, 4096, CHUNK * 2] {
                assert!(
                    whole(bytes, step) == bytes,
                    "{} bytes by {step}",
                    bytes.len()
                );
            }
        }
    }

    #[test]
    fn of_a_line_longer_than_a_chunk_the_beginning_stays() {
        let long = "x".repeat(CHUNK * 2 + 5);
        let cut = "x".repeat(99);
        for step in [4096, CHUNK - 1, CHUNK * 3] {
            let log = format!("before\n{long}\nafter\n{long}");
            let kept = format!("before\n{cut}\nafter\n{cut}\n");
            assert!(whole(log.as_bytes(), step) == kept.as_bytes(), "by {step}");
        }
    }
}
