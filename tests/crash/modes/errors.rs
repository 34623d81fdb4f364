//! Calls that fail, writes that come back short, signals that ask to stop: the program goes on, and its exit status must say the truth.

use nix::errno::Errno;
use nix::sys::signal::Signal;

use super::aftermath::{Aftermath, Judged, reproduce};
use super::kills::points;
use crate::Result;
use crate::engine::{Act, Call, End, Ended, Kind};
use crate::report::Tally;
use crate::scenario::Bench;
use crate::tree::Verdict;
use crate::tree::verdict::is_pending;

/// The errors that are put in.
pub(crate) const ERRORS: [Errno; 8] = [
    Errno::ENOSPC,
    Errno::EIO,
    Errno::EDQUOT,
    Errno::EROFS,
    Errno::EACCES,
    Errno::EPERM,
    Errno::EMFILE,
    Errno::EINTR,
];

/// Of the matrix of errors, the default run takes each n-th.
const SAMPLE: usize = 11;

/// Each error at each call that changes the disk, once and from there on for good.
pub(crate) fn errors(bench: &Bench, every: bool) -> Result<Tally> {
    let mut tally = Tally::about(reproduce(bench));
    let mut aftermath = Aftermath::default();
    if !every {
        tally.note(format!("each {SAMPLE}th of the matrix"));
    }
    let mut cell = bench.expected.before.0.len(); // another start in each scenario
    for point in points(bench)? {
        if point.kind == Kind::Plain {
            continue;
        }
        for errno in ERRORS {
            for good in [false, true] {
                cell += 1;
                if !every && !cell.is_multiple_of(SAMPLE) {
                    continue;
                }
                let mut since = 0_usize;
                let mut decide = |number: usize, call: &Call| {
                    if number < point.number || !call.mutates() {
                        return Act::Go;
                    }
                    since += 1;
                    // An interrupted call is tried again, so EINTR for good is every other one.
                    let hit = if good && errno == Errno::EINTR {
                        since % 2 == 1
                    } else {
                        good || since == 1
                    };
                    if hit { Act::Fail(errno) } else { Act::Go }
                };
                bench.fresh()?;
                let ended = bench.traced(&bench.program, &mut decide)?;
                let times = if good { " and for good" } else { "" };
                let fault = format!("{errno:?}{times} at call {} ({})", point.number, point.name);
                if is_masked(errno, &ended) {
                    tally.fail("masked", format!("{fault}: it said: {}", ended.output));
                    continue;
                }
                count(&mut tally, &mut aftermath, bench, &fault, &ended)?;
            }
        }
    }
    Ok(tally)
}

/// Whether a run that failed does not say of what.
fn is_masked(errno: Errno, ended: &Ended) -> bool {
    let text = std::io::Error::from_raw_os_error(errno as i32).to_string();
    let words = text.split(" (").next().unwrap_or_default().to_lowercase();
    ended.exited(2) && errno != Errno::EINTR && !ended.output.to_lowercase().contains(&words)
}

/// Each write comes back with half its length, and the program goes on.
pub(crate) fn short(bench: &Bench) -> Result<Tally> {
    let mut tally = Tally::about(reproduce(bench));
    let mut aftermath = Aftermath::default();
    for point in points(bench)? {
        if !matches!(point.kind, Kind::Write(len) if len > 1) {
            continue;
        }
        bench.fresh()?;
        let ended = bench.traced(&bench.program, &mut |number, _| {
            if number == point.number {
                Act::Halve
            } else {
                Act::Go
            }
        })?;
        let fault = format!("half of the write at call {}", point.number);
        count(&mut tally, &mut aftermath, bench, &fault, &ended)?;
    }
    Ok(tally)
}

/// SIGINT and SIGTERM at calls: all that change the disk, or every one.
pub(crate) fn signals(bench: &Bench, every: bool) -> Result<Tally> {
    let mut tally = Tally::about(reproduce(bench));
    let mut aftermath = Aftermath::default();
    if !every {
        tally.note("at the calls that change the disk");
    }
    for point in points(bench)? {
        if point.kind == Kind::Plain && !every {
            continue;
        }
        for signal in [Signal::SIGINT, Signal::SIGTERM] {
            bench.fresh()?;
            let ended = bench.traced(&bench.program, &mut |number, _| {
                if number == point.number {
                    Act::Send(signal)
                } else {
                    Act::Go
                }
            })?;
            let fault = format!("{signal} at call {} ({})", point.number, point.name);
            count(&mut tally, &mut aftermath, bench, &fault, &ended)?;
        }
    }
    Ok(tally)
}

/// Judges a run that went on, and counts it.
pub(crate) fn count(
    tally: &mut Tally,
    aftermath: &mut Aftermath,
    bench: &Bench,
    fault: &str,
    ended: &Ended,
) -> Result<()> {
    match truth(aftermath, bench, ended)? {
        Ok(verdict) => tally.pass(format!("{} {}", ended.end, verdict.word())),
        Err(wrong) => {
            tally.fail(
                "bad",
                format!("{fault}: {wrong}; it said: {}", ended.describe()),
            );
        }
    }
    Ok(())
}

/// Whether the exit status says what was left.
fn truth(aftermath: &mut Aftermath, bench: &Bench, ended: &Ended) -> Result<Judged> {
    let now = bench.tree()?;
    let waits = is_pending(&now);
    let at_once = bench.expected.judge(&now);
    let twin = |path: &str| path == "twin" || path.starts_with("twin/");
    if let Some(torn) = bench.expected.torn(&now, &twin) {
        return Ok(Err(format!("torn: {torn}")));
    }
    let tells = ended.output.contains("recover");
    let found = match aftermath.recovered(bench)? {
        Ok(verdict) => verdict,
        Err(wrong) => return Ok(Err(wrong)),
    };
    let recovery = bench.operation.is_recovery();
    let lie = match (ended.end, &found) {
        (End::Exit(0), _) if waits => Some("exit 0, and an operation is pending"),
        (End::Exit(0), _) if !at_once.is_good() => Some("exit 0, and it needs recovery"),
        (End::Exit(0), Verdict::After) => None,
        (End::Exit(0), _) if recovery => None,
        (End::Exit(0), _) => Some("exit 0, and it is not done"),
        (End::Exit(4), Verdict::After) => None,
        (End::Exit(4), _) if recovery => None,
        (End::Exit(4), _) => Some("exit 4, and it is not done"),
        (End::Exit(2), Verdict::Before) if waits && !tells => {
            Some("exit 2, it left an operation pending and does not name `recover`")
        }
        (End::Exit(2), Verdict::Before) => None,
        (End::Exit(2), _) => Some("exit 2, and it is done"),
        (End::Signal(2 | 15), Verdict::Before) => None,
        _ => Some("an end that it should never have"),
    };
    Ok(lie.map_or(Ok(found), |lie| Err(lie.to_owned())))
}
