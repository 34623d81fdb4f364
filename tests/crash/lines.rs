//! The lines of the suite: each scenario with each operation on each path in each mode, and what stands for itself.

use std::fmt;
use std::path::Path;

use crate::Result;
use crate::engine::disk;
use crate::modes::{contained, crowd, errors, exact, foreign, full, kills, power, refused};
use crate::report::Tally;
use crate::scenario::operation::ALL as OPERATIONS;
use crate::scenario::{self, Bench, Lab, Operation, Scenario};

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
    Foreign,
    Full,
    Contained,
    Exact,
    Power(disk::Kind),
}

const MODES: [Mode; 12] = [
    Mode::Kill,
    Mode::Torn,
    Mode::Short,
    Mode::Errors,
    Mode::Signals,
    Mode::Foreign,
    Mode::Full,
    Mode::Contained,
    Mode::Exact,
    Mode::Power(disk::KINDS[0]),
    Mode::Power(disk::KINDS[1]),
    Mode::Power(disk::KINDS[2]),
];

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kill => "kill",
            Self::Torn => "torn",
            Self::Short => "short",
            Self::Errors => "errors",
            Self::Signals => "signals",
            Self::Foreign => "foreign",
            Self::Full => "full",
            Self::Contained => "contained",
            Self::Exact => "exact",
            Self::Power(kind) => return write!(f, "power {}", kind.name),
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
                    if scenario.fits(*operation)
                        && suits(mode, *operation)
                        && (every || is_default(mode, scenario, *operation))
                    {
                        lines.push(matrix(mode, *scenario, *operation, portable, every));
                    }
                }
            }
        }
    }
    for portable in [false, true] {
        for bait in contained::BAITS {
            lines.push(Line {
                name: format!("bait {} {}", bait.name, path(portable)),
                run: Box::new(move |lab, place| {
                    contained::baited(lab, place, &scenario::BAITED, *bait, portable)
                }),
            });
        }
        for refusal in refused::REFUSALS {
            lines.push(Line {
                name: format!("refused {} {}", refusal.name, path(portable)),
                run: Box::new(move |lab, place| {
                    refused::refused(lab, place, &scenario::CROWDED, refusal, portable)
                }),
            });
        }
        lines.push(Line {
            name: format!("crowd {}", path(portable)),
            run: Box::new(move |lab, place| crowd::crowd(lab, place, &scenario::CROWDED, portable)),
        });
    }
    lines
}

/// Whether a mode says something about an operation.
fn suits(mode: Mode, operation: Operation) -> bool {
    match mode {
        Mode::Exact => operation == Operation::Revert,
        // What is broken already may meet a conflict, and then a recovery says so and does nothing.
        Mode::Foreign => {
            !operation.is_recovery() && !operation.is_twin() && operation != Operation::Forget
        }
        _ => true,
    }
}

fn is_default(mode: Mode, scenario: &Scenario, operation: Operation) -> bool {
    match mode {
        Mode::Exact => true,
        Mode::Foreign | Mode::Full | Mode::Power(_) => scenario.tries_all && operation.is_core(),
        _ => scenario.tries_all || operation.is_core(),
    }
}

fn path(portable: bool) -> &'static str {
    if portable { "portable" } else { "exchange" }
}

fn matrix(
    mode: Mode,
    scenario: Scenario,
    operation: Operation,
    portable: bool,
    every: bool,
) -> Line {
    Line {
        name: format!("{mode} {} {operation} {}", scenario.name, path(portable)),
        run: Box::new(move |lab, place| {
            let bench = || Bench::new(lab, place.to_owned(), &scenario, operation, portable);
            match mode {
                Mode::Kill => kills::kill(&bench()?, every),
                Mode::Torn => kills::torn(&bench()?),
                Mode::Short => errors::short(&bench()?),
                Mode::Errors => errors::errors(&bench()?, every),
                Mode::Signals => errors::signals(&bench()?, every),
                Mode::Foreign => foreign::foreign(&bench()?),
                Mode::Full => full::full(lab, place, &scenario, operation, portable),
                Mode::Contained => contained::contained(&bench()?),
                Mode::Exact => exact::exact(&bench()?),
                Mode::Power(kind) => {
                    power::power(lab, place, &kind, &scenario, operation, portable)
                }
            }
        }),
    }
}
