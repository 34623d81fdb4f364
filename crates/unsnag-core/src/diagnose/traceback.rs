//! Tracebacks gathered a process at a time, with their chains; and exceptions that stand alone.

use std::collections::{BTreeMap, VecDeque};

use super::failure::{Failure, exception};
use super::line::{Line, Writer};
use super::words::{is_harmless, is_ready, is_wrapper};

/// What a line was to the gatherer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// Part of a traceback that is there on purpose.
    Harmless,
    /// It says only that something failed.
    Wrapper,
    /// The engine serves: what went before did not end it.
    Ready,
    /// Anything else.
    Other,
}

/// The gatherer.
#[derive(Debug, Default)]
pub(super) struct Tracebacks {
    open: BTreeMap<Writer, Open>,
    found: Vec<Failure>,
    /// Where a failure stands among those found, by its key.
    known: BTreeMap<String, usize>,
    /// The writer of the last traceback's head.
    latest: Writer,
    announced: Option<Writer>,
    /// An exception group was begun, so that bars may stand before lines.
    grouped: bool,
    /// The last wrapper: something died there.
    death: u64,
    /// Wrappers seen since the engine last served.
    wrappers: u64,
}

#[derive(Debug, Default)]
struct Open {
    harmless: bool,
    /// Line of the traceback's head; 0 after its exception.
    began: u64,
    modules: Vec<String>,
    frame: Option<String>,
    /// Its last lines.
    context: VecDeque<(u64, String)>,
    /// The exception that a chain began with.
    first: Option<usize>,
    /// A chain marker stood after the last exception.
    chained: bool,
    /// Its line.
    marked: u64,
    /// The exception whose following lines may belong to it.
    last: Option<(usize, u64)>,
}

impl Open {
    /// Whether a bare line may belong here.
    fn goes_on(&self) -> bool {
        self.began > 0 || self.chained || self.last.is_some()
    }

    /// Whether the line of a number may belong here.
    fn is_alert(&self, number: u64) -> bool {
        let near = |line: u64, most: u64| number.saturating_sub(line) <= most;
        self.began > 0 && near(self.began, LONGEST)
            || self.chained && near(self.marked, FOLLOWING)
            || self.last.is_some_and(|(_, line)| near(line, FOLLOWING))
    }

    /// The last line that was known to belong here.
    fn touched(&self) -> u64 {
        let last = self.last.map_or(0, |(_, line)| line);
        let frame = self.context.back().map_or(0, |(line, _)| *line);
        self.began.max(self.marked).max(last).max(frame)
    }

    fn frame_line(&mut self, number: u64, text: &str) {
        // Marks below a line of code say little without a terminal.
        if !text.chars().all(|c| "^~ \t".contains(c)) {
            if self.context.len() >= CONTEXT {
                self.context.pop_front();
            }
            self.context.push_back((number, start(text, PLACE)));
        }
        let Some(rest) = text.trim_start().strip_prefix("File \"") else {
            return;
        };
        let Some((path, rest)) = rest.split_once('"') else {
            return;
        };
        let place = rest.trim_start_matches([',', ' ']);
        let (path, place) = (start(path, PLACE), start(place, PLACE));
        self.frame = Some(format!("{path}, {place}"));
        if self.modules.len() < FRAMES {
            self.modules.push(format!("{path} {place}"));
        }
    }
}

/// The most different failures that are kept.
const FAILURES: usize = 200;
/// The most frames that are kept of a traceback.
const FRAMES: usize = 64;
/// The most characters that are kept of a frame's path, of its place, and of a line of context.
const PLACE: usize = 300;
/// The most lines of context.
const CONTEXT: usize = 4;
/// The most lines after an exception's that may belong to it.
const FOLLOWING: u64 = 12;
/// The most bytes that are kept of a message.
const MESSAGE: usize = 4096;
/// The most writers that are told apart.
const WRITERS: usize = 256;
/// A traceback that is longer is none.
const LONGEST: u64 = 2000;

impl Tracebacks {
    /// Takes a line.
    pub(super) fn take(&mut self, number: u64, line: &Line<'_>) -> Taken {
        let line = &Line {
            text: if self.grouped {
                grouped(line.text)
            } else {
                line.text
            },
            ..line.clone()
        };
        let text = line.text.trim_end();
        self.grouped |= text.contains("Exception Group Traceback");
        if is_ready(text) {
            self.ready(line);
            return Taken::Ready;
        }
        let writer = self.writer(line);
        if is_harmless(text) {
            self.announced = Some(writer.clone());
        }
        if text.ends_with("Traceback (most recent call last):")
            || text
                .trim_start()
                .starts_with("Traceback (most recent call last)")
        {
            self.head(number, writer, line.quiet);
            return Taken::Other;
        }
        let wrapper = is_wrapper(text);
        if wrapper {
            self.wrappers += 1;
            self.death = number;
        }
        if text.contains("The above exception was the direct cause")
            || text.contains("During handling of the above exception")
        {
            if let Some(open) = self.open.get_mut(&writer) {
                open.chained = true;
                open.marked = number;
            }
            return Taken::Other;
        }
        let exception = exception(text);
        if self.open.get(&writer).is_some_and(|open| open.began > 0) {
            return self.inside(number, line, &writer, exception);
        }
        if exception.is_none() && self.follows(number, &writer, text) {
            return Taken::Other;
        }
        if let Some((kind, message)) = exception.filter(|_| !line.quiet && !wrapper) {
            let index = self.add(Failure {
                line: number,
                service: line.service.to_owned(),
                process: line.process.to_owned(),
                kind,
                message: vec![(number, message)],
                frame: None,
                modules: Vec::new(),
                context: Vec::new(),
                repeated: 0,
            });
            let open = self.opened(number, writer);
            open.last = index.map(|index| (index, number));
        }
        if wrapper {
            Taken::Wrapper
        } else {
            Taken::Other
        }
    }

    /// A bare line goes on with its own traceback, or with that of the last prefix.
    fn writer(&self, line: &Line<'_>) -> Writer {
        let own = line.writer();
        let goes_on = |writer: &Writer| self.open.get(writer).is_some_and(Open::goes_on);
        let theirs = line.bare
            && !goes_on(&own)
            && self.latest.service == line.service
            && goes_on(&self.latest);
        if theirs { self.latest.clone() } else { own }
    }

    /// What a writer has open. Of too many the one that was silent longest is given up, so that the rest are read on.
    fn opened(&mut self, number: u64, writer: Writer) -> &mut Open {
        if self.open.len() >= WRITERS && !self.open.contains_key(&writer) {
            self.calm(number);
            let silent = self.open.iter().min_by_key(|(_, open)| open.touched());
            if self.open.len() >= WRITERS
                && let Some((silent, _)) = silent
            {
                let silent = silent.clone();
                self.open.remove(&silent);
            }
        }
        self.open.entry(writer).or_default()
    }

    fn head(&mut self, number: u64, writer: Writer, quiet: bool) {
        let announced = self.announced.take_if(|by| *by == writer).is_some();
        let open = self.opened(number, writer.clone());
        let first = open.first.filter(|_| open.chained);
        let harmless = announced || quiet || open.chained && open.harmless;
        *open = Open {
            harmless,
            began: number,
            first,
            ..Open::default()
        };
        self.latest = writer;
    }

    /// A line while a traceback is open: a frame, or the exception that ends it.
    fn inside(
        &mut self,
        number: u64,
        line: &Line<'_>,
        writer: &Writer,
        exception: Option<(String, String)>,
    ) -> Taken {
        let text = line.text.trim_end();
        let Some(open) = self.open.get_mut(writer) else {
            return Taken::Other;
        };
        let indented = line.text.starts_with([' ', '\t'])
            || text.is_empty()
            || text.chars().all(|c| "^~ ".contains(c));
        let harmless = open.harmless;
        if indented {
            open.frame_line(number, text);
        } else {
            let (kind, message) = exception.unwrap_or_else(|| (String::new(), text.to_owned()));
            open.began = 0;
            open.chained = false;
            let first = open.first;
            let failure = Failure {
                line: number,
                service: line.service.to_owned(),
                process: line.process.to_owned(),
                kind,
                message: vec![(number, message)],
                frame: open.frame.take(),
                modules: std::mem::take(&mut open.modules),
                context: std::mem::take(&mut open.context).into(),
                repeated: 0,
            };
            // The first exception of a chain is the cause; later ones are what it led to.
            if !harmless && !is_wrapper(text) && first.is_none() {
                let index = self.add(failure);
                if let Some(open) = self.open.get_mut(writer) {
                    open.first = index;
                    open.last = index.map(|index| (index, number));
                }
            }
        }
        if harmless {
            Taken::Harmless
        } else if is_wrapper(text) {
            Taken::Wrapper
        } else {
            Taken::Other
        }
    }

    /// Whether a line belongs to the exception before it, as pydantic's do.
    fn follows(&mut self, number: u64, writer: &Writer, text: &str) -> bool {
        let Some(open) = self.open.get_mut(writer) else {
            return false;
        };
        let Some((index, at)) = open.last else {
            return false;
        };
        if number.saturating_sub(at) > FOLLOWING || text.is_empty() || is_wrapper(text) {
            open.last = None;
            return false;
        }
        if let Some(failure) = self.found.get_mut(index)
            && failure.whole().len() < MESSAGE
        {
            failure.message.push((number, text.trim().to_owned()));
        }
        true
    }

    /// What the engine survived was no failure, unless something died in between.
    fn ready(&mut self, line: &Line<'_>) {
        let death = self.death;
        let before = self.found.len();
        self.found
            .retain(|failure| failure.line < death || failure.service != line.service);
        if self.found.len() < before {
            self.known = (self.found.iter().map(Failure::key)).zip(0..).collect();
        }
        self.open.clear();
        if self.found.is_empty() {
            self.wrappers = 0;
        }
    }

    /// Adds a failure, folding one that another process said already.
    fn add(&mut self, failure: Failure) -> Option<usize> {
        let key = failure.key();
        if let Some(known) = self
            .known
            .get(&key)
            .and_then(|index| self.found.get_mut(*index))
        {
            known.repeated += 1;
            if known.modules.is_empty() {
                known.modules = failure.modules;
                known.frame = failure.frame;
            }
            return None;
        }
        let index = self.found.len();
        if index >= FAILURES {
            return None;
        }
        self.known.insert(key, index);
        self.found.push(failure);
        Some(index)
    }

    /// Whether the line of a number may go on with something.
    pub(super) fn is_alert(&self, number: u64) -> bool {
        self.open.values().any(|open| open.is_alert(number))
    }

    /// Forgets what the line of a number can no longer go on with.
    pub(super) fn calm(&mut self, number: u64) {
        self.open.retain(|_, open| open.is_alert(number));
    }

    /// What was found, the line of a traceback that the log was cut in, and how many lines only said that something failed.
    pub(super) fn finish(self) -> (Vec<Failure>, Option<u64>, u64) {
        let cut = self
            .open
            .values()
            .filter(|open| open.began > 0 && !open.harmless)
            .map(|open| open.began)
            .min();
        (self.found, cut, self.wrappers)
    }
}

/// A line of an exception group without the bars that Python draws before it.
fn grouped(text: &str) -> &str {
    let inner = text.trim_start_matches(' ');
    match inner.strip_prefix('|') {
        Some("") => "",
        Some(rest) => rest.strip_prefix(' ').unwrap_or(text),
        // `+-+------- 1 -------`: what went before has ended.
        None if inner.starts_with("+-") => "",
        None => text,
    }
}

/// The first characters of a text.
fn start(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
