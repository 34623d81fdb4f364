//! Directories that must be refused, which only a privileged machine can make: one clear error, and nothing changed.

use std::fs;
use std::path::Path;

use crate::Result;
use crate::engine::process::helper;
use crate::report::Tally;
use crate::scenario::{Bench, Lab, Operation, Scenario};

/// What makes a directory one that must be refused, and what takes that back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Refusal {
    pub(crate) name: &'static str,
    prepare: fn(&Path) -> Result<()>,
    release: fn(&Path) -> Result<()>,
    /// What the error and its hint must say.
    words: &'static [&'static str],
}

/// All of them.
pub(crate) const REFUSALS: &[Refusal] = &[
    Refusal {
        name: "file-mounted-by-itself",
        prepare: |model| {
            let (file, host) = (model.join("config.json"), model.with_file_name("host.json"));
            fs::copy(&file, &host)?;
            helper("mount", &[Path::new("--bind"), &host, &file])
        },
        release: |model| helper("umount", &[&model.join("config.json")]),
        words: &["config.json", "mount its directory"],
    },
    Refusal {
        name: "immutable-file",
        prepare: |model| helper("chattr", &[Path::new("+i"), &model.join("config.json")]),
        release: |model| helper("chattr", &[Path::new("-i"), &model.join("config.json")]),
        words: &["config.json", "immutable", "--out"],
    },
    Refusal {
        name: "read-only-mount",
        prepare: |model| {
            helper("mount", &[Path::new("--bind"), model, model])?;
            let options = Path::new("remount,bind,ro");
            helper("mount", &[Path::new("-o"), options, model])
        },
        release: |model| helper("umount", &[model]),
        words: &["read-only", "--out"],
    },
];

/// Apply on such a directory.
pub(crate) fn refused(
    lab: &Lab,
    place: &Path,
    scenario: &Scenario,
    refusal: &Refusal,
    portable: bool,
) -> Result<Tally> {
    let bench = Bench::new(lab, place.to_owned(), scenario, Operation::Apply, portable)?;
    let mut tally = Tally::default();
    bench.fresh()?;
    (refusal.prepare)(&bench.model)
        .map_err(|error| format!("skipped: this machine makes no such directory: {error}"))?;
    let before = bench.tree();
    let ended = bench.program.run();
    let after = bench.tree();
    (refusal.release)(&bench.model)?;
    let ended = ended?;
    match after?.first_difference(&before?) {
        None if ended.exited(2) => tally.pass("refused"),
        None => tally.fail("bad", ended.describe()),
        Some(difference) => tally.fail("bad", format!("{difference}; {}", ended.describe())),
    }
    for word in refusal.words {
        if ended.output.contains(word) {
            tally.pass("said");
        } else {
            tally.fail(
                "unsaid",
                format!("`{word}` is missing in: {}", ended.output),
            );
        }
    }
    Ok(tally)
}
