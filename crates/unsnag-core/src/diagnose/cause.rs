//! Which of a log's failures is the root cause.

use super::failure::Failure;
use super::reader::{Log, Remark};
use super::words::{is_end, is_wrapper};

/// A failure as symptoms are matched against it: its class, what it says, and where it comes from.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) line: u64,
    /// What is shown.
    pub(super) message: String,
    /// What symptoms are matched against.
    pub(super) text: String,
    pub(super) source: Source,
}

/// What a candidate was in the log.
#[derive(Debug, Clone)]
pub(super) enum Source {
    Failure(Failure),
    Remark(Remark),
}

impl Candidate {
    /// The exception, where it is one.
    pub(super) fn failure(&self) -> Option<&Failure> {
        match &self.source {
            Source::Failure(failure) => Some(failure),
            Source::Remark(_) => None,
        }
    }

    /// What stands around it, in lower case, for `near`: its text, its traceback, and the telling lines before it. Made for who asks; all of them
    /// together can be far more than the log's share of memory.
    pub(super) fn around(&self, log: &Log) -> String {
        let (line, around) = match &self.source {
            Source::Failure(failure) => {
                let modules = failure.modules.join("\n");
                (failure.line, format!("{modules}\n{}\n", self.text))
            }
            Source::Remark(remark) => (remark.line, String::new()),
        };
        (around + &near(log, line)).to_lowercase()
    }

    /// Whether the engine served after it.
    pub(super) fn survived(&self) -> bool {
        matches!(&self.source, Source::Remark(remark) if remark.survived)
    }

    /// Whether it ended something: an exception, or a line that says so.
    pub(super) fn is_fatal(&self) -> bool {
        match &self.source {
            Source::Failure(_) => true,
            Source::Remark(remark) => {
                !remark.quiet
                    && !remark.survived
                    && !is_wrapper(&remark.text)
                    && (remark.loud || is_end(&remark.text))
            }
        }
    }
}

/// Candidates in the order in which they are asked: exceptions by line, then other telling lines.
pub(super) fn candidates(log: &Log) -> Vec<Candidate> {
    let failures = log.failures.iter().map(of_failure);
    let remarks = log.remarks.iter().map(|remark| Candidate {
        line: remark.line,
        message: remark.text.trim().to_owned(),
        text: remark.text.clone(),
        source: Source::Remark(remark.clone()),
    });
    failures.chain(remarks).collect()
}

fn of_failure(failure: &Failure) -> Candidate {
    let (line, root) = root(failure);
    let message = if failure.kind.is_empty() {
        root.clone()
    } else {
        format!("{}: {root}", failure.kind)
    };
    let text = format!("{}: {}\n{root}", failure.kind, failure.whole());
    Candidate {
        line,
        message,
        text,
        source: Source::Failure(failure.clone()),
    }
}

/// What is wrong, and the line that says it. Pydantic says it on the lines after the exception's.
fn root(failure: &Failure) -> (u64, String) {
    let first = (failure.line, failure.first().to_owned());
    let pydantic =
        failure.kind.contains("ValidationError") || failure.first().contains("validation error");
    let rest = failure.message.get(1..).unwrap_or_default();
    if !pydantic || rest.is_empty() {
        return first;
    }
    for (line, text) in rest {
        if let Some((_, value)) = text.split_once("Value error, ") {
            let value = value.split(" [type=").next().unwrap_or(value);
            return (*line, value.to_owned());
        }
    }
    let extra: Vec<(u64, String)> = rest
        .windows(2)
        .filter_map(|pair| match pair {
            [(line, field), (_, said)] if said.contains("Extra inputs are not permitted") => {
                Some((
                    *line,
                    format!("{} Extra inputs are not permitted", field.trim()),
                ))
            }
            _ => None,
        })
        .collect();
    match extra.first() {
        Some((line, _)) => {
            let all: Vec<&str> = extra.iter().map(|(_, text)| text.as_str()).collect();
            (*line, all.join("; "))
        }
        None if failure.kind.starts_with("Strict") => first,
        None => rest.first().cloned().unwrap_or(first),
    }
}

/// The telling lines of the forty before.
fn near(log: &Log, line: u64) -> String {
    let close = log
        .remarks
        .iter()
        .filter(|remark| remark.line <= line && line - remark.line <= 40);
    close
        .map(|remark| remark.text.as_str())
        .collect::<Vec<_>>()
        .join("\n")
}
