//! SIGKILL at every system call, and writes that are cut short before it.

use super::aftermath::{Aftermath, reproduce};
use crate::Result;
use crate::engine::{Act, Kind};
use crate::report::Tally;
use crate::scenario::Bench;
use crate::scenario::bench::kill_at;
use crate::tree::Verdict;

/// A system call of the unbroken run.
#[derive(Debug, Clone)]
pub(crate) struct Point {
    pub(crate) number: usize,
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// The system calls of the unbroken run, which must succeed.
pub(crate) fn points(bench: &Bench) -> Result<Vec<Point>> {
    bench.fresh()?;
    let mut points = Vec::new();
    let ended = bench.traced(&bench.program, &mut |number, call| {
        points.push(Point {
            number,
            name: call.name.clone(),
            kind: call.kind,
        });
        Act::Go
    })?;
    if !ended.exited(0) {
        return Err(format!("unbroken, but traced: {}", ended.describe()).into());
    }
    Ok(points)
}

/// Kills everything at each system call, which does not run.
pub(crate) fn kill(bench: &Bench, every: bool) -> Result<Tally> {
    let mut tally = Tally::about(reproduce(bench));
    let mut aftermath = Aftermath::default();
    let stride = if every { 1 } else { bench.stride };
    if stride > 1 {
        tally.note(format!(
            "every change of the disk and each {stride}th other call"
        ));
    }
    for point in points(bench)? {
        if point.kind == Kind::Plain && point.number % stride != 0 {
            continue;
        }
        bench.fresh()?;
        bench.traced(&bench.program, &mut |number, _| {
            kill_at(point.number, number)
        })?;
        let fault = format!("SIGKILL at call {} ({})", point.number, point.name);
        count(&mut tally, bench, &fault, aftermath.of_kill(bench)?);
    }
    // And after its exit with 0 it must be done.
    bench.fresh()?;
    let ended = bench.program.run()?;
    let found = aftermath.of_kill(bench)?.and_then(|verdict| match verdict {
        Verdict::Before if !bench.operation.is_recovery() => {
            Err("done, but it is as before".to_owned())
        }
        _ if !ended.exited(0) => Err(ended.describe()),
        good => Ok(good),
    });
    count(&mut tally, bench, "no fault", found);
    Ok(tally)
}

/// Cuts each write to half its length, then kills everything.
pub(crate) fn torn(bench: &Bench) -> Result<Tally> {
    let mut tally = Tally::about(reproduce(bench));
    let mut aftermath = Aftermath::default();
    for point in points(bench)? {
        if !matches!(point.kind, Kind::Write(len) if len > 1) {
            continue;
        }
        bench.fresh()?;
        bench.traced(&bench.program, &mut |number, _| {
            if number == point.number {
                Act::HalveAndKill
            } else {
                Act::Go
            }
        })?;
        let fault = format!("half of the write at call {}, then SIGKILL", point.number);
        count(&mut tally, bench, &fault, aftermath.of_kill(bench)?);
    }
    Ok(tally)
}

fn count(
    tally: &mut Tally,
    bench: &Bench,
    fault: &str,
    found: std::result::Result<Verdict, String>,
) {
    match found {
        Ok(verdict) => tally.pass(verdict.word()),
        Err(wrong) => tally.fail("bad", format!("{fault}: {wrong}")),
    }
}
