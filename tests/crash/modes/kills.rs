//! SIGKILL at every system call, and writes that are cut short before it.

use super::aftermath::{Aftermath, Judged, reproduce};
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
    let points = points(bench)?;
    bench.fresh()?;
    let fixture = bench.tree()?;
    let mut unchanged = None;
    let mut is_fresh = true;
    for point in points {
        if point.kind == Kind::Plain && !point.number.is_multiple_of(stride) {
            continue;
        }
        if !is_fresh {
            bench.fresh()?;
        }
        bench.traced(&bench.program, &mut |number, _| {
            kill_at(point.number, number)
        })?;
        // Most calls only read. What they leave is the fixture itself, time for time, and is judged once.
        let now = bench.tree()?;
        let found = match &unchanged {
            Some(found) if now == fixture => {
                is_fresh = true;
                std::result::Result::clone(found)
            }
            _ => {
                is_fresh = false;
                aftermath.of_kill(bench, &now)?
            }
        };
        if now == fixture {
            unchanged = Some(found.clone());
        }
        let fault = format!("SIGKILL at call {} ({})", point.number, point.name);
        count(&mut tally, &fault, found);
    }
    // And after its exit with 0 it must be done.
    bench.fresh()?;
    let ended = bench.program.run()?;
    let found = aftermath
        .of_kill(bench, &bench.tree()?)?
        .and_then(|verdict| match verdict {
            Verdict::Before if !bench.operation.is_recovery() => {
                Err("done, but it is as before".to_owned())
            }
            _ if !ended.exited(0) => Err(ended.describe()),
            good => Ok(good),
        });
    count(&mut tally, "no fault", found);
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
        count(
            &mut tally,
            &fault,
            aftermath.of_kill(bench, &bench.tree()?)?,
        );
    }
    Ok(tally)
}

pub(crate) fn count(tally: &mut Tally, fault: &str, found: Judged) {
    match found {
        Ok(verdict) => tally.pass(verdict.word()),
        Err(wrong) => tally.fail("bad", format!("{fault}: {wrong}")),
    }
}
