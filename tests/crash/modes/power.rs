//! The power goes at each call that changes the disk: what was not synced is lost.

use std::path::Path;

use super::aftermath::{Aftermath, reproduce};
use super::kills::{count, points};
use crate::Result;
use crate::engine::disk::{Flush, Kind};
use crate::engine::{Act, Disk};
use crate::report::Tally;
use crate::scenario::{Bench, Lab, Operation, Scenario};
use crate::tree::Verdict;

/// Cuts the power at each mutating call and once after the exit, on a file system of its own.
pub(crate) fn power(
    lab: &Lab,
    place: &Path,
    kind: &Kind,
    scenario: &Scenario,
    operation: Operation,
    portable: bool,
) -> Result<Tally> {
    let disk = Disk::make(kind, &place.join("case"))?;
    let bench = Bench::new(lab, place.to_owned(), scenario, operation, portable)?;
    let mut tally = Tally::about(reproduce(&bench));
    let mut aftermath = Aftermath::default();
    let points = points(&bench)?;
    for flush in [Flush::Nothing, Flush::Log] {
        for point in &points {
            if point.kind == crate::engine::Kind::Plain {
                continue;
            }
            bench.fresh()?;
            disk.sync()?;
            let mut cut = Ok(());
            bench.traced(&bench.program, &mut |number, _| {
                if number == point.number {
                    cut = disk.cut(flush);
                    Act::Kill
                } else {
                    Act::Go
                }
            })?;
            cut?;
            disk.restart()?;
            let found = aftermath.of_kill(&bench, &bench.tree()?)?;
            let fault = format!(
                "power cut ({flush:?}) at call {} ({})",
                point.number, point.name
            );
            count(&mut tally, &fault, found);
        }
        // What exited with 0 must last.
        bench.fresh()?;
        disk.sync()?;
        let ended = bench.program.run()?;
        disk.cut(flush)?;
        disk.restart()?;
        let found = match bench.expected.judge(&bench.tree()?) {
            _ if !ended.exited(0) => Err(ended.describe()),
            Verdict::After => Ok(Verdict::After),
            Verdict::Before if bench.operation.is_recovery() => Ok(Verdict::Before),
            lost => Err(format!("it was done, and after a power cut it is {lost}")),
        };
        count(
            &mut tally,
            &format!("power cut ({flush:?}) after exit 0"),
            found,
        );
    }
    Ok(tally)
}
