//! Which of a log's failures is the root cause.

use super::reader::Log;
use super::traceback::Failure;

/// A failure as symptoms are matched against it: its class, what it says, and where it comes from.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) line: u64,
    /// What is shown.
    pub(super) message: String,
    /// What symptoms are matched against.
    pub(super) text: String,
    /// The same with the traceback, for `near`.
    pub(super) around: String,
    pub(super) failure: Option<Failure>,
}

/// Candidates in the order in which they are asked: exceptions by line, then other telling lines.
pub(super) fn candidates(log: &Log) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = log
        .failures
        .iter()
        .map(|failure| of_failure(log, failure))
        .collect();
    found.extend(log.telling.iter().map(|(line, text)| Candidate {
        line: *line,
        message: text.trim().to_owned(),
        text: text.clone(),
        around: near(log, *line),
        failure: None,
    }));
    found
}

fn of_failure(log: &Log, failure: &Failure) -> Candidate {
    let root = root_message(failure);
    let message = if failure.kind.is_empty() {
        root.clone()
    } else {
        format!("{}: {root}", failure.kind)
    };
    let text = format!("{}: {}\n{}", failure.kind, failure.message, root);
    let around = format!(
        "{}\n{text}\n{}",
        failure.modules.join("\n"),
        near(log, failure.line)
    );
    Candidate {
        line: failure.line,
        message,
        text,
        around,
        failure: Some(failure.clone()),
    }
}

/// A pydantic error says on its next lines what is wrong.
fn root_message(failure: &Failure) -> String {
    let mut lines = failure.message.lines();
    let first = lines.next().unwrap_or_default();
    if !failure.kind.contains("ValidationError") && !first.contains("validation error") {
        return first.to_owned();
    }
    let rest: Vec<&str> = lines.collect();
    for line in &rest {
        if let Some((_, value)) = line.split_once("Value error, ") {
            return value.split(" [type=").next().unwrap_or(value).to_owned();
        }
    }
    let extra: Vec<String> = rest
        .windows(2)
        .filter_map(|pair| match pair {
            [field, said] if said.contains("Extra inputs are not permitted") => {
                Some(format!("{} Extra inputs are not permitted", field.trim()))
            }
            _ => None,
        })
        .collect();
    if extra.is_empty() {
        rest.first()
            .map_or_else(|| first.to_owned(), |line| (*line).to_owned())
    } else {
        extra.join("; ")
    }
}

/// The telling lines of the forty before.
fn near(log: &Log, line: u64) -> String {
    let close = log
        .telling
        .iter()
        .filter(|(number, _)| *number <= line && line - number <= 40);
    close
        .map(|(_, text)| text.as_str())
        .collect::<Vec<_>>()
        .join("\n")
}
