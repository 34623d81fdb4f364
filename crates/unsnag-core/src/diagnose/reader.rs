//! Reading a log once: chunks of whole lines, a search for telling words, and only then a look at lines.

use std::io::{self, Read};
use std::sync::mpsc;
use std::thread;

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memchr_iter;

use super::chunks::Chunks;
use super::encoding::decoded;
use super::facts::Facts;
use super::failure::Failure;
use super::line::{LONGEST, LONGEST_RECORD, Line, may_be_record, undress};
use super::traceback::{Taken, Tracebacks};

/// So much after an engine's start every line is looked at, in bytes: there stand the facts, and remarks that are no errors.
const START: u64 = 2 << 20;
/// Lines after a telling one that are looked at too.
const AFTER: u64 = 12;
/// What later lines are searched for. Few and long, since more than a dozen make the search twice as slow.
const SEARCHED: [&str; 12] = [
    "Error",
    "ERROR",
    "Traceback",
    "xception",
    "OutOfRes",
    "ailed",
    "Killed",
    "panicked",
    "error",
    "startup complete",
    "default args",
    "ServerArgs",
];
/// Words that tell in a line that is looked at: of failures, and of symptoms that are no exception.
const TELLING: [&str; 35] = [
    "Error",
    "error",
    "ERROR",
    "Traceback",
    "xception",
    "OutOfResources",
    "ailed",
    "Killed",
    "panicked",
    "terminate called",
    "Segmentation fault",
    "scaling factor",
    "config_backup",
    "KV cache dtype",
    "Downcasting",
    "git-lfs",
    "Unrecognized",
    "not supported",
    "is invalid",
    "missing tensor",
    "cannot ",
    "not found",
    "No space",
    "refused",
    "in use",
    "Out of memory",
    "out of memory",
    "non-default generation",
    "override",
    "Overriding",
    "startup complete",
    "fired up",
    "is listening on",
    "Connected to target server",
    "is not a valid",
];
/// Before a message that journald writes as numbers, since it has colours: no word is found in it.
const NUMBERS: &str = "\"MESSAGE\":[";
/// Words of an engine's start.
const STARTS: [&str; 2] = ["default args", "ServerArgs("];

/// What a log shows.
#[derive(Debug, Default)]
pub struct Log {
    /// What it says of engine, model and GPU.
    pub facts: Facts,
    /// Failures in the order of their lines, each once.
    pub failures: Vec<Failure>,
    /// Other telling lines.
    pub remarks: Vec<Remark>,
    /// The first line of a traceback that the log was cut in.
    pub cut: Option<u64>,
    /// How many lines say only that something failed.
    pub wrappers: u64,
    /// How many lines there are.
    pub lines: u64,
    /// There is nothing in it but white space.
    pub empty: bool,
}

/// A telling line that is no exception, or not yet known to be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Its line in the log, from 1.
    pub line: u64,
    /// What it says.
    pub text: String,
    /// Marked as harmless.
    pub quiet: bool,
    /// Marked as an error.
    pub loud: bool,
    /// The engine served after it.
    pub survived: bool,
}

/// The most telling lines that are kept.
const MOST: usize = 400;

struct Reading {
    searched: AhoCorasick,
    /// What is searched for once a message of numbers was seen; slower, so not from the beginning.
    searched_too: Option<AhoCorasick>,
    telling: AhoCorasick,
    tracebacks: Tracebacks,
    log: Log,
    /// The line until which every line is looked at.
    alert_until: u64,
    /// Where in the log the line in hand begins.
    offset: u64,
    /// The offset until which every line is looked at.
    start_until: u64,
}

/// Reads a log to its end, in UTF-8 or UTF-16; a thread of its own reads ahead. Lines longer than 16 kB are cut, however long they are.
///
/// # Errors
/// The reader fails.
pub fn read(input: impl Read + Send) -> io::Result<Log> {
    let mut reading = Reading::new()?;
    let mut chunks = Chunks::new(decoded(input)?, LONGEST_RECORD);
    thread::scope(|scope| {
        let (ahead, taken) = mpsc::sync_channel(1);
        let (done, spare) = mpsc::channel();
        let read_ahead = move || {
            while let Some(chunk) = chunks
                .next(spare.try_recv().unwrap_or_default())
                .transpose()
            {
                let failed = chunk.is_err();
                if ahead.send(chunk).is_err() || failed {
                    break;
                }
            }
        };
        thread::Builder::new().spawn_scoped(scope, read_ahead)?;
        for chunk in taken {
            let chunk = chunk?;
            reading.take(chunk.lines());
            // The thread is gone when nothing is left to read.
            let _ = done.send(chunk);
        }
        io::Result::Ok(())
    })?;
    let (failures, cut, wrappers) = reading.tracebacks.finish();
    Ok(Log {
        failures,
        cut,
        wrappers,
        ..reading.log
    })
}

impl Reading {
    fn new() -> io::Result<Self> {
        let compiled = |words: &[&str]| {
            AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostFirst) // the kind with a vectorised search
                .build(words)
                .map_err(io::Error::other)
        };
        Ok(Self {
            searched: compiled(&SEARCHED)?,
            searched_too: Some(compiled(
                &[SEARCHED.as_slice(), [NUMBERS].as_slice()].concat(),
            )?),
            telling: compiled(&TELLING)?,
            tracebacks: Tracebacks::default(),
            log: Log {
                empty: true,
                ..Log::default()
            },
            alert_until: 0,
            offset: 0,
            start_until: START,
        })
    }

    /// Takes whole lines: every one while something is under way, else only those that are searched for.
    fn take(&mut self, bytes: &[u8]) {
        self.log.empty = self.log.empty && bytes.trim_ascii().is_empty();
        let mut rest = bytes;
        while !rest.is_empty() {
            let end = if self.is_alert() {
                let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
                let line = rest.get(..end).unwrap_or_default();
                self.log.lines += 1;
                self.line(self.log.lines, line.strip_suffix(b"\n").unwrap_or(line));
                end
            } else {
                self.tracebacks.calm(self.log.lines);
                let found = self.searched.find(rest);
                let before =
                    found.map_or(rest, |found| rest.get(..found.start()).unwrap_or_default());
                let end = match found {
                    Some(_) => memchr::memrchr(b'\n', before).map_or(0, |at| at + 1),
                    None => before.len(),
                };
                self.log.lines += newlines(before.get(..end).unwrap_or_default());
                if found.is_some() {
                    self.alert_until = self.log.lines + 1;
                }
                end
            };
            self.offset += end as u64;
            rest = rest.get(end..).unwrap_or_default();
        }
    }

    /// Whether the next line is looked at.
    fn is_alert(&self) -> bool {
        self.log.lines < self.alert_until
            || self.is_starting()
            || self.tracebacks.is_alert(self.log.lines + 1)
    }

    fn line(&mut self, number: u64, bytes: &[u8]) {
        let longest = if may_be_record(bytes) {
            LONGEST_RECORD
        } else {
            LONGEST
        };
        let bytes = bytes.get(..longest).unwrap_or(bytes);
        let numbers = memchr::memmem::find(bytes, NUMBERS.as_bytes()).is_some();
        if numbers && let Some(searched) = self.searched_too.take() {
            self.searched = searched;
        }
        if !numbers
            && !self.is_starting()
            && !self.tracebacks.is_alert(number)
            && !self.telling.is_match(bytes)
        {
            return;
        }
        undress(bytes, &mut |line| {
            // Asked of what is said: what tells may be a key, or another of the lines that a record holds.
            let tells = self.telling.is_match(line.text);
            if tells {
                self.alert_until = number + AFTER;
            }
            self.said(number, tells, line);
        });
    }

    fn is_starting(&self) -> bool {
        self.offset < self.start_until
    }

    /// One line of a message.
    fn said(&mut self, number: u64, tells: bool, line: &Line<'_>) {
        if self.is_starting() {
            self.log.facts.take(line.text);
        } else if STARTS.iter().any(|words| line.text.contains(words)) {
            self.start_until = self.offset + START;
        }
        let taken = if tells || self.tracebacks.is_alert(number) {
            self.tracebacks.take(number, line)
        } else {
            Taken::Other
        };
        match taken {
            Taken::Ready => {
                for remark in &mut self.log.remarks {
                    remark.survived = true;
                }
            }
            Taken::Other if tells => self.remark(number, line),
            Taken::Other | Taken::Harmless | Taken::Wrapper => {}
        }
    }

    fn remark(&mut self, number: u64, line: &Line<'_>) {
        let text: String = line.text.chars().take(2000).collect();
        let recent = self.log.remarks.iter().rev().take(64);
        let repeated = recent.clone().any(|known| known.text == text);
        if self.log.remarks.len() < MOST && !text.trim().is_empty() && !repeated {
            self.log.remarks.push(Remark {
                line: number,
                text,
                quiet: line.quiet,
                loud: line.loud,
                survived: false,
            });
        }
    }
}

fn newlines(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
}
