//! Tracebacks gathered a process at a time, with their chains; and exceptions that stand alone.

use std::collections::BTreeMap;

use super::line::Line;

/// An exception that ended something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Its line in the log, from 1.
    pub line: u64,
    /// The process, where the log says it.
    pub process: String,
    /// Its class, such as `ValueError`; empty where the line has no class.
    pub kind: String,
    /// What it says, joined with the lines that belong to it.
    pub message: String,
    /// The innermost frame: file, line, function.
    pub frame: Option<String>,
    /// Modules of the traceback, outermost first.
    pub modules: Vec<String>,
    /// How many times the same came from other processes.
    pub repeated: u64,
    /// Whether a traceback led to it.
    pub traced: bool,
}

/// Wrappers say that something failed and never what.
const WRAPPERS: [&str; 20] = [
    "Engine core initialization failed",
    "WorkerProc initialization failed",
    "WorkerProc failed to start",
    "See root cause above",
    "See stack trace above",
    "Failed core proc",
    "EngineDeadError",
    "EngineCore encountered",
    "EngineCore failed to start",
    "EngineCore hit an exception",
    "ActorDiedError",
    "BrokenPipeError",
    "Parent process exited",
    "died unexpectedly",
    "Child job 2 terminated",
    "Executor worker",
    "Received sigquit from a child process",
    "Rank 0 scheduler is dead",
    "Engine process failed to start",
    "Cancelled by user",
];

/// Lines before tracebacks that engines print on purpose and live on after.
const HARMLESS: [&str; 4] = [
    "Fallback to regular model init",
    "Exception ignored in",
    "falling back to",
    "Falling back to",
];

/// Whether the text never is a cause.
pub(super) fn is_wrapper(text: &str) -> bool {
    WRAPPERS.iter().any(|wrapper| text.contains(wrapper))
        || (text.contains("Call to ") && text.ends_with(" method failed"))
}

/// The gatherer.
#[derive(Debug, Default)]
pub(super) struct Tracebacks {
    open: BTreeMap<String, Open>,
    found: Vec<Failure>,
    /// Wrappers seen, so that a cut log is known to be of a failure.
    pub(super) wrappers: u64,
    harmless_until: BTreeMap<String, bool>,
}

#[derive(Debug, Default)]
struct Open {
    harmless: bool,
    /// Line of the traceback's head; 0 after its exception.
    began: u64,
    modules: Vec<String>,
    frame: Option<String>,
    /// The exception that a chain began with.
    first: Option<usize>,
    /// A chain marker stood after the last exception.
    chained: bool,
    /// The exception whose following lines may belong to it.
    last: Option<(usize, u64)>,
}

/// The most different failures that are kept.
const MOST: usize = 200;

impl Tracebacks {
    /// Takes a line.
    pub(super) fn take(&mut self, number: u64, line: &Line<'_>) {
        let text = line.text.as_ref();
        let trimmed = text.trim_end();
        if is_wrapper(trimmed) && !trimmed.starts_with("Traceback") {
            self.wrappers += 1;
        }
        if HARMLESS.iter().any(|words| trimmed.contains(words)) {
            self.harmless_until.insert(line.process.clone(), true);
        }
        if trimmed
            .trim_start()
            .starts_with("Traceback (most recent call last)")
            || trimmed.ends_with("Traceback (most recent call last):")
        {
            let announced = self.harmless_until.remove(&line.process).unwrap_or(false);
            let open = self.open.entry(line.process.clone()).or_default();
            if !open.chained {
                open.first = None;
            }
            *open = Open {
                harmless: announced || line.quiet,
                began: number,
                first: open.first,
                ..Open::default()
            };
            return;
        }
        if trimmed.contains("The above exception was the direct cause")
            || trimmed.contains("During handling of the above exception")
        {
            if let Some(open) = self.open.get_mut(&line.process) {
                open.chained = true;
            }
            return;
        }
        let exception = exception(trimmed);
        let state = self.open.get_mut(&line.process);
        if let Some(open) = state.filter(|open| open.began > 0) {
            let indented = text.starts_with([' ', '\t'])
                || trimmed.is_empty()
                || trimmed.chars().all(|c| "^~ ".contains(c));
            if indented {
                open.frame_line(trimmed);
                return;
            }
            let (kind, message) = exception.unwrap_or_else(|| (String::new(), trimmed.to_owned()));
            let (harmless, modules, frame, began) = (
                open.harmless,
                std::mem::take(&mut open.modules),
                open.frame.take(),
                open.began,
            );
            let (first, chained) = (open.first, open.chained);
            open.began = 0;
            open.chained = false;
            if harmless || is_wrapper(trimmed) {
                return;
            }
            let failure = Failure {
                line: number,
                process: line.process.clone(),
                kind,
                message,
                frame,
                modules,
                repeated: 0,
                traced: began > 0,
            };
            // The first exception of a chain is the cause; later ones are what it led to.
            let _ = chained;
            let index = if first.is_none() {
                self.add(failure)
            } else {
                first
            };
            if let Some(open) = self.open.get_mut(&line.process) {
                open.first = index;
                open.last = index
                    .map(|index| (index, number))
                    .filter(|_| first.is_none());
            }
            return;
        }
        if let Some(open) = self.open.get_mut(&line.process)
            && let Some((index, at)) = open.last
        {
            let belongs =
                number.saturating_sub(at) <= 12 && !trimmed.is_empty() && exception.is_none();
            if belongs
                && let Some(failure) = self
                    .found
                    .get_mut(index)
                    .filter(|failure| failure.message.len() < 4096)
            {
                failure.message.push('\n');
                failure.message.push_str(trimmed.trim());
                return;
            }
            open.last = None;
        }
        if let Some((kind, message)) = exception
            && !line.quiet
            && !is_wrapper(trimmed)
        {
            let failure = Failure {
                line: number,
                process: line.process.clone(),
                kind,
                message,
                frame: None,
                modules: Vec::new(),
                repeated: 0,
                traced: false,
            };
            let index = self.add(failure);
            let open = self.open.entry(line.process.clone()).or_default();
            open.last = index.map(|index| (index, number));
        }
    }

    /// Adds a failure, folding one that another process said already.
    fn add(&mut self, failure: Failure) -> Option<usize> {
        let key = masked(&failure);
        if let Some(index) = self.found.iter().position(|known| masked(known) == key) {
            if let Some(known) = self.found.get_mut(index) {
                known.repeated += 1;
                if known.modules.is_empty() {
                    known.modules = failure.modules;
                    known.frame = failure.frame;
                }
            }
            return None;
        }
        if self.found.len() >= MOST {
            return None;
        }
        self.found.push(failure);
        Some(self.found.len() - 1)
    }

    /// Whether a traceback is open, so that the next lines matter.
    pub(super) fn is_alert(&self) -> bool {
        self.open
            .values()
            .any(|open| open.began > 0 || open.last.is_some())
    }

    /// Forgets what can no longer be continued.
    pub(super) fn calm(&mut self, number: u64) {
        self.open
            .retain(|_, open| open.began > 0 && number.saturating_sub(open.began) < 2000);
    }

    /// What was found, and the line of a traceback that the log was cut in.
    pub(super) fn finish(self) -> (Vec<Failure>, Option<u64>) {
        let cut = self
            .open
            .values()
            .filter(|open| open.began > 0 && !open.harmless)
            .map(|open| open.began)
            .min();
        (self.found, cut)
    }
}

impl Open {
    fn frame_line(&mut self, text: &str) {
        let Some(rest) = text.trim_start().strip_prefix("File \"") else {
            return;
        };
        let Some((path, rest)) = rest.split_once('"') else {
            return;
        };
        let place = rest.trim_start_matches([',', ' ']);
        self.frame = Some(format!("{path}, {place}"));
        if self.modules.len() < 64 {
            self.modules.push(format!("{path} {place}"));
        }
    }
}

/// Class and message of an exception line: `vllm.x.SomeError: text`, `ValueError("text")`.
fn exception(text: &str) -> Option<(String, String)> {
    let text = text.trim_start_matches('*');
    let end = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))
        .unwrap_or(text.len());
    let (path, rest) = text.split_at(end);
    let class = path.rsplit('.').next()?;
    let named = class.starts_with(|c: char| c.is_ascii_uppercase())
        && (class.ends_with("Error")
            || class.ends_with("Exception")
            || class.ends_with("OutOfResources")
            || class.ends_with("Warning") && class == "DeprecationWarning");
    if !named {
        return None;
    }
    let message = match rest.chars().next() {
        None => String::new(),
        Some(':') => rest.get(1..)?.trim().to_owned(),
        Some('(') => rest
            .trim_matches(['(', ')'])
            .trim_matches(['"', '\''])
            .to_owned(),
        Some(_) => return None,
    };
    Some((class.to_owned(), message))
}

/// The text with numbers and paths masked, by which the same failure of several processes is known.
fn masked(failure: &Failure) -> String {
    let mut out = failure.kind.clone();
    let first = failure.message.lines().next().unwrap_or_default();
    for c in first.chars().take(400) {
        if !c.is_ascii_digit() {
            out.push(c);
        }
    }
    out
}
