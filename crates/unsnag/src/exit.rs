//! The exit status and the errors that lead to it, in one place.

use std::fmt::Write as _;
use std::process::ExitCode;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Nothing to do, or done.
    Done,
    /// There are findings.
    Findings,
    /// An error; nothing was changed.
    Error,
    /// No model directory there.
    NoModel,
    /// Applied, and the disk did not confirm that it will last.
    Unsure,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Done => 0,
            Status::Findings => 1,
            Status::Error => 2,
            Status::NoModel => 3,
            Status::Unsure => 4,
        })
    }
}

/// A run that failed: what, and what to do.
#[derive(Debug)]
pub struct Failure {
    /// How the run ends.
    pub status: Status,
    /// What happened, with the place.
    pub message: String,
    /// What to do.
    pub hints: Vec<String>,
}

impl Failure {
    /// An error.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            status: Status::Error,
            message: message.into(),
            hints: Vec::new(),
        }
    }

    /// With another status.
    pub fn with_status(mut self, status: Status) -> Self {
        self.status = status;
        self
    }

    /// With a line that says what to do.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// As it is printed.
    pub fn render(&self) -> String {
        let mut text = format!("error: {}\n", self.message);
        for hint in &self.hints {
            let _ = writeln!(text, "hint: {hint}");
        }
        text
    }
}

/// What a verb returns.
pub type Outcome = Result<Status, Failure>;
