//! Where a log comes from: a pipe, or files, unpacked and decoded; of a damaged gzip file, as much as can be read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::bufread::GzDecoder;
use unsnag_core::diagnose::{Log, decoded, read};

use crate::exit::Failure;

/// A file whose end could not be read.
#[derive(Debug)]
pub struct Early {
    /// The file, `-` for standard input.
    pub file: String,
    /// So many bytes of it were read.
    pub byte: u64,
    /// So many whole lines were in them.
    pub lines: u64,
    /// What ended it.
    pub because: &'static str,
}

/// What to do about a file that ends early.
pub const SEND: &str = "send the file whole, copied anew from where the engine ran, or the log itself: docker logs NAME 2>&1 | unsnag diagnose";

type Ends = Arc<Mutex<Vec<Early>>>;
type Input<'r> = Box<dyn Read + Send + 'r>;

/// Reads files as one log in the order given, or standard input where there is none, with the places where files ended early.
///
/// # Errors
/// A file cannot be opened or read, or is packed and nothing of it can be unpacked.
pub fn read_logs(files: &[&PathBuf]) -> Result<(Log, Vec<Early>), Failure> {
    let ends = Ends::default();
    let standard = PathBuf::from("-");
    let files = if files.is_empty() {
        &[&standard]
    } else {
        files
    };
    let mut whole: Input<'_> = Box::new(io::empty());
    for path in files {
        let failed = |error: io::Error| Failure::new(format!("{}: {error}", path.display()));
        let input: Input<'_> = if path.as_os_str() == "-" {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(path).map_err(failed)?)
        };
        let input = unpacked(path, input, &ends).map_err(failed)?;
        let input = decoded(input).map_err(failed)?;
        whole = if files.len() == 1 {
            Box::new(input)
        } else {
            // A file without a last newline must not run into the next.
            Box::new(whole.chain(Ended::new(input)))
        };
    }
    let name = match files {
        [one] => one.display().to_string(),
        _ => "logs".to_owned(),
    };
    let log = read(whole).map_err(|error| Failure::new(format!("{name}: {error}")))?;
    let early = mem::take(&mut *ends.lock().unwrap_or_else(PoisonError::into_inner));
    Ok((log, early))
}

/// What is packed, unpacked.
fn unpacked<'r>(path: &Path, mut input: Input<'r>, ends: &Ends) -> io::Result<Input<'r>> {
    let mut start = Vec::new();
    // Reads on after an interruption, and until there are two.
    input.by_ref().take(2).read_to_end(&mut start)?;
    let packed = start == [0x1f, 0x8b];
    let whole = io::Cursor::new(start).chain(input);
    if !packed {
        return Ok(Box::new(whole));
    }
    let counted = Counted {
        inner: BufReader::with_capacity(1 << 16, Box::new(whole) as Input<'r>),
        taken: 0,
    };
    Ok(Box::new(Members {
        member: Some(GzDecoder::new(counted)),
        file: path.display().to_string(),
        given: 0,
        lines: 0,
        ends: Arc::clone(ends),
    }))
}

/// Counts what is taken of a file, to say where it ends.
struct Counted<'r> {
    inner: BufReader<Input<'r>>,
    taken: u64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.taken += read as u64;
        Ok(read)
    }
}

impl BufRead for Counted<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.taken += amount as u64;
        self.inner.consume(amount);
    }
}

/// The members of a gzip file, one after another, until the first that cannot be read.
struct Members<'r> {
    member: Option<GzDecoder<Counted<'r>>>,
    file: String,
    given: u64,
    lines: u64,
    ends: Ends,
}

/// So much is unpacked at a time: what a read unpacked before it met damage is lost.
const AT_A_TIME: usize = 1 << 14;

impl Members<'_> {
    fn end(&self, byte: u64, because: &'static str) {
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.push(Early {
            file: self.file.clone(),
            byte,
            lines: self.lines,
            because,
        });
    }
}

impl Read for Members<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(AT_A_TIME);
        let room = buffer.get_mut(..most).unwrap_or_default();
        if room.is_empty() {
            return Ok(0);
        }
        while let Some(mut member) = self.member.take() {
            match member.read(room) {
                Ok(0) => {
                    let mut rest = member.into_inner();
                    match rest.fill_buf()?.first() {
                        None => {}
                        Some(0x1f) => self.member = Some(GzDecoder::new(rest)),
                        Some(_) => self.end(rest.taken, "what follows is not gzip data"),
                    }
                }
                Ok(read) => {
                    self.member = Some(member);
                    self.given += read as u64;
                    let new = room.get(..read).unwrap_or_default();
                    self.lines += new.iter().filter(|byte| **byte == b'\n').count() as u64;
                    return Ok(read);
                }
                Err(error) => {
                    let because = match error.kind() {
                        io::ErrorKind::UnexpectedEof => "the gzip data is cut",
                        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                            "the gzip data is damaged"
                        }
                        _ => {
                            self.member = Some(member);
                            return Err(error);
                        }
                    };
                    if self.given == 0 {
                        return Err(io::Error::new(error.kind(), format!("{because}: {error}")));
                    }
                    self.end(member.get_ref().taken, because);
                }
            }
        }
        Ok(0)
    }
}

/// A log that ends with a newline where it holds anything.
struct Ended<R> {
    inner: R,
    last: u8,
}

impl<R> Ended<R> {
    fn new(inner: R) -> Self {
        Self { inner, last: b'\n' }
    }
}

impl<R: Read> Read for Ended<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let Some(first) = buffer.first_mut() else {
            return Ok(0);
        };
        if read == 0 && self.last != b'\n' {
            self.last = b'\n';
            *first = b'\n';
            return Ok(1);
        }
        if let Some(last) = buffer.get(..read).and_then(<[u8]>::last) {
            self.last = *last;
        }
        Ok(read)
    }
}
