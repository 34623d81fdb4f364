//! A disk that is really full: a small file system in memory, a page or an inode more at a time, until the operation fits.

use std::path::Path;

use super::aftermath::{Aftermath, reproduce};
use super::errors::count;
use crate::Result;
use crate::engine::Disk;
use crate::report::Tally;
use crate::scenario::{Bench, Lab, Operation, Scenario};

/// The operation fits when it succeeded this often in a row.
const ENOUGH: usize = 3;
/// More steps than any operation on the suite's small files needs.
const STEPS: u64 = 200;

/// Runs the operation with `n` free pages, then with `n` free inodes, for n from 0 to what it needs.
pub(crate) fn full(
    lab: &Lab,
    place: &Path,
    scenario: &Scenario,
    operation: Operation,
    portable: bool,
) -> Result<Tally> {
    let disk = Disk::memory(&place.join("case"))?;
    let bench = Bench::new(lab, place.to_owned(), scenario, operation, portable)?;
    let mut tally = Tally::about(reproduce(&bench));
    // Memory counts a hard link as an inode, which the way without exchanges needs; the file systems that go that way do not.
    let whats: &[&str] = if portable {
        &["pages"]
    } else {
        &["pages", "inodes"]
    };
    for what in whats {
        let mut aftermath = Aftermath::default();
        let mut in_a_row = 0;
        for free in 0..STEPS {
            disk.limit("size=50%")?;
            disk.limit("nr_inodes=100000")?;
            bench.fresh()?;
            let (pages, inodes) = disk.used()?;
            if *what == "pages" {
                disk.limit(&format!("size={}k", 4 * (pages + free)))?;
            } else {
                disk.limit(&format!("nr_inodes={}", inodes + free))?;
            }
            let ended = bench.program.run()?;
            let fault = format!("with {free} free {what}");
            count(&mut tally, &mut aftermath, &bench, &fault, &ended)?;
            // The way back of a patch in place was paid for when it was applied.
            if operation.ends_pristine() && !portable && !ended.exited(0) {
                tally.fail(
                    "bad",
                    format!(
                        "{fault}: a revert needs none, and it says {}",
                        ended.describe()
                    ),
                );
            }
            in_a_row = if ended.exited(0) { in_a_row + 1 } else { 0 };
            if in_a_row == ENOUGH {
                break;
            }
        }
        if in_a_row < ENOUGH {
            tally.fail("bad", format!("it does not fit with {STEPS} free {what}"));
        }
    }
    disk.limit("size=50%")?;
    disk.limit("nr_inodes=100000")?;
    Ok(tally)
}
