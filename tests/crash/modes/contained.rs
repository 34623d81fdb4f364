//! Where a run writes: traced, every call that changes a disk must stay inside the model directory and its twin.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::aftermath::reproduce;
use crate::Result;
use crate::engine::{Act, Call, Ended, Kind, Program};
use crate::report::Tally;
use crate::scenario::{Bench, Lab, Operation, Scenario};
use crate::tree::Tree;

/// The operation as it is, traced.
pub(crate) fn contained(bench: &Bench) -> Result<Tally> {
    let mut tally = Tally::about(reproduce(bench));
    bench.fresh()?;
    let (ended, writes) = traced(bench, &bench.program)?;
    judge(&mut tally, bench, &writes);
    if !ended.exited(0) {
        tally.fail("bad", ended.describe());
    }
    Ok(tally)
}

/// What a planted link stands in for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bait {
    pub(crate) name: &'static str,
    /// The entry in the case, below the model directory unless it begins with a slash.
    at: &'static str,
    /// Whether it leads to a folder.
    to_folder: bool,
    /// Whether it is planted in a directory that is patched already.
    patched: bool,
}

const fn bait(name: &'static str, at: &'static str, to_folder: bool, patched: bool) -> Bait {
    Bait {
        name,
        at,
        to_folder,
        patched,
    }
}

/// The baits: each entry that a run opens, makes, renames or removes.
pub(crate) const BAITS: &[Bait] = &[
    bait("file", "config.json", false, false),
    bait("patched-file", "config.json", false, true),
    bait("second-file", "hf_quant_config.json", false, false),
    bait("state-folder", ".unsnag", true, false),
    bait("state-folder-of-a-patch", ".unsnag", true, true),
    bait("state", ".unsnag/state", false, true),
    bait("journal", ".unsnag/journal", false, true),
    bait("new-journal", ".unsnag/journal.new", false, true),
    bait("first-journal", ".unsnag/journal", false, false),
    bait("lock", ".unsnag/lock", false, true),
    bait("first-lock", ".unsnag/lock", false, false),
    bait("ignore", ".unsnag/.gitignore", false, false),
    bait("reserve", ".unsnag/reserve", false, true),
    bait("slot", ".unsnag/o1", false, true),
    bait("first-slot", ".unsnag/o1", false, false),
    bait("next-slot", ".unsnag/t2", false, true),
    bait("copy", ".unsnag/o1.copy", false, true),
    bait("parent", "1_Pooling", true, false),
    bait("twin", "/twin", true, false),
    bait("twin-in-the-making", "/.twin.unsnag-new", true, false),
    bait("old-twin", "/.twin.unsnag-old", true, false),
];

/// Every verb that writes, in a directory with a planted link. Where it leads nothing may change, whatever the verb says.
pub(crate) fn baited(
    lab: &Lab,
    place: &Path,
    scenario: &Scenario,
    bait: Bait,
    portable: bool,
) -> Result<Tally> {
    let operation = if bait.patched {
        Operation::Revert
    } else {
        Operation::Apply
    };
    let bench = Bench::new(lab, place.to_owned(), scenario, operation, portable)?;
    let mut tally = Tally::about(reproduce(&bench));
    let outside = place.join("outside");
    fs::create_dir(&outside)?;
    let apply = bench.first.clone();
    let twin = bench.twin_of(&apply);
    let verbs = [
        apply,
        bench.second.clone(),
        bench.verb(&["revert", "--yes"]),
        bench.verb(&["revert", "--yes", "--force"]),
        bench.verb(&["revert", "--yes", "--all"]),
        bench.recover(),
        bench.verb(&["forget", "--yes"]),
        twin.clone(),
        bench.verb(&["status"]),
    ];
    for verb in &verbs {
        bench.fresh()?;
        plant(&bench, &outside, bait)?;
        let before = Tree::read(&outside)?;
        let (_, writes) = traced(&bench, verb)?;
        judge(&mut tally, &bench, &writes);
        let after = Tree::read(&outside)?;
        match after.first_difference(&before) {
            None => tally.pass("untouched"),
            Some(difference) => tally.fail(
                "touched",
                format!("{}: where the link leads, {difference}", verb.shell()),
            ),
        }
    }
    Ok(tally)
}

/// Puts a link where the bait stands, to a victim outside with what stood there.
fn plant(bench: &Bench, outside: &Path, bait: Bait) -> Result<()> {
    let at = match bait.at.strip_prefix('/') {
        Some(name) => bench.root().join(name),
        None => bench.model.join(bait.at),
    };
    let victim = outside.join("victim");
    if victim.is_dir() {
        fs::remove_dir_all(&victim)?;
    }
    if let Some(parent) = at.parent() {
        fs::create_dir_all(parent)?;
    }
    match fs::symlink_metadata(&at) {
        // What is there moves away, so that the bait holds what a run hopes to find.
        Ok(_) => fs::rename(&at, &victim)?,
        Err(_) if bait.to_folder => {
            fs::create_dir(&victim)?;
            fs::write(victim.join("config.json"), "{\"legacy\": 1}\n")?;
        }
        Err(_) => fs::write(&victim, "{\"legacy\": 1}\n")?,
    }
    Ok(symlink(&victim, at)?)
}

/// Runs it and gathers every entry that it writes to.
fn traced(bench: &Bench, program: &Program) -> Result<(Ended, Vec<(String, PathBuf)>)> {
    let mut writes = Vec::new();
    let ended = bench.traced(program, &mut |_, call: &Call| {
        if call.kind != Kind::Plain {
            let targets = call.targets();
            if targets.is_empty() {
                writes.push((call.name.clone(), PathBuf::from("?")));
            }
            writes.extend(targets.into_iter().map(|path| (call.name.clone(), path)));
        }
        Act::Go
    })?;
    Ok((ended, writes))
}

fn judge(tally: &mut Tally, bench: &Bench, writes: &[(String, PathBuf)]) {
    for (name, path) in writes {
        let twin = bench.root();
        let making = path.strip_prefix(&twin).is_ok_and(|rest| {
            let first = rest.components().next();
            first.is_some_and(|part| {
                let part = part.as_os_str().to_string_lossy();
                part == "twin" || part == ".twin.unsnag-new" || part == ".twin.unsnag-old"
            })
        });
        // Making, exchanging and removing a twin begins with a lock of the folder that holds it and ends with its sync; neither changes an entry.
        let parent = matches!(name.as_str(), "flock" | "fsync") && *path == twin;
        if path.starts_with(&bench.model) || making || parent {
            tally.pass("inside");
        } else {
            tally.fail("outside", format!("{name} {}", path.display()));
        }
    }
}
