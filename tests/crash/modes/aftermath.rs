//! What must hold after a run was cut off: whole files, reading verbs that say so, and a recovery that ends in one of the two states.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::Result;
use crate::engine::{End, Ended};
use crate::scenario::Bench;
use crate::tree::verdict::{has_state, is_pending};
use crate::tree::{Tree, Verdict};

/// Words that every verb must use for an operation that waits.
const CUT_OFF: &str = "an operation was cut off";

/// One of the two states, or what is wrong, in words.
pub(crate) type Judged = std::result::Result<Verdict, String>;

/// What follows a fault, with what was judged already.
#[derive(Debug, Default)]
pub(crate) struct Aftermath {
    /// Hashes of the trees that the reading verbs were tried on.
    read: HashSet<u64>,
    /// The same for reverts of what was left.
    reverted: HashSet<u64>,
}

impl Aftermath {
    /// Judges the tree that a kill left.
    pub(crate) fn of_kill(&mut self, bench: &Bench, now: &Tree) -> Result<Judged> {
        let twin = |path: &str| path == "twin" || path.starts_with("twin/");
        // Nobody serves a twin that is not finished: the command that makes it has not printed its path.
        if let Some(torn) = bench.expected.torn(now, &twin) {
            return Ok(Err(format!("torn before recovery: {torn}")));
        }
        if self.read.insert(key(now))
            && let Some(wrong) = reading(bench, now)?
        {
            return Ok(Err(wrong));
        }
        self.recovered(bench)
    }

    /// Recovers and judges.
    pub(crate) fn recovered(&mut self, bench: &Bench) -> Result<Judged> {
        let recover = bench.recover();
        let ended = recover.run()?;
        if !ended.exited(0) {
            return Ok(Err(format!("recover: {}", ended.describe())));
        }
        let now = bench.tree()?;
        let verdict = bench.expected.judge(&now);
        if !verdict.is_good() {
            return Ok(Err(format!("after recovery: {verdict}")));
        }
        if self.reverted.insert(key(&now))
            && let Some(wrong) = revert_is_exact(bench, &now)?
        {
            return Ok(Err(wrong));
        }
        Ok(Ok(verdict))
    }
}

/// The reading verbs on a tree that was cut off: they say so and change nothing.
fn reading(bench: &Bench, now: &Tree) -> Result<Option<String>> {
    let pending = is_pending(now);
    if !pending && !bench.operation.is_twin() && bench.expected.is_half(now) {
        return Ok(Some("half before recovery, and no journal".to_owned()));
    }
    let verbs = [
        bench.verb(&["status"]),
        bench.judging_verb("check"),
        bench.judging_verb("diff"),
    ];
    let before = bench.tree()?;
    for verb in &verbs {
        let ended = verb.run()?;
        let after = bench.tree()?;
        if let Some(difference) = after.first_difference(&before) {
            return Ok(Some(format!(
                "{} changed the directory: {difference}",
                verb.shell()
            )));
        }
        if let Some(wrong) = says_pending(&ended, pending) {
            return Ok(Some(format!("{}: {wrong}", verb.shell())));
        }
    }
    Ok(None)
}

fn says_pending(ended: &Ended, pending: bool) -> Option<String> {
    let names = ended.output.contains(CUT_OFF) && ended.output.contains("recover");
    if pending {
        let right = ended.exited(2) && names;
        return (!right)
            .then(|| format!("an operation is pending, and it says {}", ended.describe()));
    }
    let right = matches!(ended.end, End::Exit(0 | 1)) && !ended.output.contains(CUT_OFF);
    (!right).then(|| format!("nothing is pending, and it says {}", ended.describe()))
}

/// Where a patch is in place, reverting all of it gives exactly what was there in the beginning, and no state folder.
fn revert_is_exact(bench: &Bench, now: &Tree) -> Result<Option<String>> {
    if !has_state(now) || bench.operation.is_twin() {
        return Ok(None);
    }
    let revert = bench.verb(&["revert", "--all", "--yes"]);
    let ended = revert.run()?;
    let reverted = bench.tree()?;
    Ok(match reverted.first_difference(&bench.pristine) {
        None if ended.exited(0) => None,
        None => Some(format!("revert --all: {}", ended.describe())),
        Some(difference) => Some(format!(
            "revert --all is not exact: {difference}; {}",
            ended.describe()
        )),
    })
}

/// The same for trees that no later step can tell apart: the times of what a run makes are its own.
fn key(tree: &Tree) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (path, entry) in &tree.0 {
        path.hash(&mut hasher);
        entry.mode.hash(&mut hasher);
        format!(
            "{:?}",
            (&entry.body, entry.uid, entry.gid, &entry.attributes)
        )
        .hash(&mut hasher);
    }
    hasher.finish()
}

/// How to see a failing point again: with `--keep` the fixture stays.
pub(crate) fn reproduce(bench: &Bench) -> String {
    let user = bench
        .user
        .map_or(String::new(), |user| format!(" as user {user}"));
    format!(
        "cp -a {} {}; broken{user}: {}; then: {}",
        bench.place.join("fixture").display(),
        bench.place.join("case").display(),
        bench.program.shell(),
        bench.recover().shell()
    )
}
