//! Counting points, and the lines that are printed.

use std::collections::BTreeMap;
use std::fmt;

/// What one line of the suite found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    /// One text for each failing point, with how to reproduce it.
    pub(crate) failures: Vec<String>,
    /// Why nothing was tried.
    pub(crate) skipped: Option<String>,
    counts: BTreeMap<String, usize>,
    note: String,
    context: String,
}

/// Failing points that are printed for one line; the rest are counted.
const SHOWN: usize = 8;

impl Tally {
    /// Nothing was tried, for this reason.
    pub(crate) fn skipped(reason: impl Into<String>) -> Self {
        Self {
            skipped: Some(reason.into()),
            ..Self::default()
        }
    }

    /// A count whose points can be seen again in this way.
    pub(crate) fn about(context: String) -> Self {
        Self {
            context,
            ..Self::default()
        }
    }

    /// A point that holds.
    pub(crate) fn pass(&mut self, verdict: impl Into<String>) {
        self.passed += 1;
        *self.counts.entry(verdict.into()).or_default() += 1;
    }

    /// A point that does not.
    pub(crate) fn fail(&mut self, verdict: impl Into<String>, how: String) {
        *self.counts.entry(verdict.into()).or_default() += 1;
        self.failures.push(how);
    }

    /// Says how the points were chosen.
    pub(crate) fn note(&mut self, text: impl Into<String>) {
        self.note = text.into();
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = &self.skipped {
            return write!(f, "skipped: {reason}");
        }
        let points = self.passed + self.failures.len();
        write!(f, "{points} points")?;
        if !self.note.is_empty() {
            write!(f, " ({})", self.note)?;
        }
        for (verdict, count) in &self.counts {
            write!(f, ", {verdict} {count}")?;
        }
        if !self.failures.is_empty() {
            write!(f, "   {} FAILED", self.failures.len())?;
            if !self.context.is_empty() {
                write!(f, "\n    {}", self.context)?;
            }
        }
        for failure in self.failures.iter().take(SHOWN) {
            write!(f, "\n    FAIL {}", failure.replace('\n', "\n         "))?;
        }
        if self.failures.len() > SHOWN {
            write!(f, "\n    and {} more", self.failures.len() - SHOWN)?;
        }
        Ok(())
    }
}
