//! The lines of the suite: each scenario with each operation on each path in each mode, and what stands for itself.

use std::fmt;
use std::path::Path;

use crate::Result;
use crate::modes::{errors, kills};
use crate::report::Tally;
use crate::scenario::operation::ALL as OPERATIONS;
use crate::scenario::{self, Bench, Change, Lab, Operation, Scenario};

/// What a line does in an empty folder of its own.
pub(crate) type Run = Box<dyn Fn(&Lab, &Path) -> Result<Tally> + Send + Sync>;

/// A line.
pub(crate) struct Line {
    /// Its parts can be asked for on the command line.
    pub(crate) name: String,
    pub(crate) run: Run,
}

/// A way to break a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Kill,
    Torn,
    Short,
    Errors,
    Signals,
}

const MODES: [Mode; 5] = [
    Mode::Kill,
    Mode::Torn,
    Mode::Short,
    Mode::Errors,
    Mode::Signals,
];

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kill => "kill",
            Self::Torn => "torn",
            Self::Short => "short",
            Self::Errors => "errors",
            Self::Signals => "signals",
        })
    }
}

/// Every line, in order.
pub(crate) fn lines(every: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    for mode in MODES {
        for scenario in scenario::ALL {
            for operation in OPERATIONS {
                for portable in [false, true] {
                    if fits(scenario, *operation)
                        && (every || scenario.tries_all || operation.is_core())
                    {
                        lines.push(matrix(mode, *scenario, *operation, portable, every));
                    }
                }
            }
        }
    }
    lines
}

/// Whether an operation is possible in a scenario: only fixes make twins.
fn fits(scenario: &Scenario, operation: Operation) -> bool {
    !operation.is_twin() || matches!(scenario.change, Change::Fix(_))
}

fn matrix(
    mode: Mode,
    scenario: Scenario,
    operation: Operation,
    portable: bool,
    every: bool,
) -> Line {
    let path = if portable { "portable" } else { "exchange" };
    Line {
        name: format!("{mode} {} {operation} {path}", scenario.name),
        run: Box::new(move |lab, place| {
            let bench = Bench::new(lab, place.to_owned(), &scenario, operation, portable)?;
            match mode {
                Mode::Kill => kills::kill(&bench, every),
                Mode::Torn => kills::torn(&bench),
                Mode::Short => errors::short(&bench),
                Mode::Errors => errors::errors(&bench, every),
                Mode::Signals => errors::signals(&bench, every),
            }
        }),
    }
}
