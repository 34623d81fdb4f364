//! The directories that are patched, what is done to them, and the bench that sets one up again and again.

pub(crate) mod bench;
mod build;
pub(crate) mod operation;

pub(crate) use bench::{Bench, Lab};
pub(crate) use build::Case;
pub(crate) use operation::Operation;

use std::path::Path;

use crate::Result;

/// What is changed in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// A person's own RFC 6902 patch on a file.
    Patch(&'static str, &'static str),
    /// A fix of the catalogue, or of the suite's own folder.
    Fix(&'static str),
}

/// A kind of model directory with a change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// Makes the tree; returns the model directory in it.
    pub(crate) build: fn(&Case<'_>) -> Result<&'static str>,
    pub(crate) change: Change,
    /// What is stacked on it.
    pub(crate) second: Change,
    /// The user that patches; the suite's own without.
    pub(crate) user: Option<u32>,
    /// Only every n-th system call is a kill point, besides all that change the disk: for directories where a run is slow.
    pub(crate) stride: usize,
    /// Whether the default run tries every operation, not only those that differ most.
    pub(crate) tries_all: bool,
}

const SET_DTYPE: &str = r#"[{"op": "replace", "path": "/dtype", "value": "float16"}]"#;

const fn scenario(
    name: &'static str,
    build: fn(&Case<'_>) -> Result<&'static str>,
    change: Change,
) -> Scenario {
    Scenario {
        name,
        build,
        change,
        second: SECOND,
        user: None,
        stride: 1,
        tries_all: false,
    }
}

/// A scenario in which the default run tries every operation.
const fn thorough(
    name: &'static str,
    build: fn(&Case<'_>) -> Result<&'static str>,
    change: Change,
) -> Scenario {
    Scenario {
        tries_all: true,
        ..scenario(name, build, change)
    }
}

/// The founding checkpoint's edit, in two files.
const FOUNDING: Change = Change::Fix("mla-fp8-kv-sm120");
const ONE: Change = Change::Patch("config.json", SET_DTYPE);
const ADD: Change = Change::Patch(
    "config.json",
    r#"[{"op": "add", "path": "/rope_theta", "value": 1e6}]"#,
);
/// Taken back together with what it undoes, it leaves the original's bytes in two entries.
const UNDO_ADD: Change = Change::Patch(
    "config.json",
    r#"[{"op": "remove", "path": "/rope_theta"}]"#,
);
const DELETE: Change = Change::Patch("config.json", r#"[{"op": "remove", "path": "/legacy"}]"#);
const VERSION: Change = Change::Patch(
    "tokenizer.json",
    r#"[{"op": "replace", "path": "/version", "value": "1.1"}]"#,
);

/// All scenarios.
pub(crate) const ALL: &[Scenario] = &[
    scenario("one-file", build::one_file, ONE),
    thorough("two-files", build::two_files, FOUNDING),
    scenario(
        "three-files-sub-folder",
        build::three_files,
        Change::Fix("three-files"),
    ),
    thorough("hub-links", build::hub_links, FOUNDING),
    scenario("hub-shared-blobs", build::hub_shared, ONE),
    scenario("link-and-file", build::link_and_file, FOUNDING),
    scenario("local-dir", build::local_dir, ONE),
    scenario("hard-link", build::hard_link, ONE),
    scenario("owner-1000-as-root", build::owner, ONE),
    Scenario {
        user: Some(1000),
        ..scenario("as-user-1000", build::owner, ONE)
    },
    scenario("group-shared", build::group_shared, ONE),
    scenario("acl-and-xattr", build::attributes, ONE),
    scenario("mode-0400", build::read_only_file, ONE),
    scenario("add-a-key", build::one_file, ADD),
    scenario("delete-a-key", build::one_file, DELETE),
    Scenario {
        second: UNDO_ADD,
        ..thorough("cancelled-out", build::hard_link, ADD)
    },
    thorough(
        "create-and-park",
        build::two_files,
        Change::Fix("create-and-park"),
    ),
    Scenario {
        stride: 25,
        ..scenario("tokenizer-8-mb", build::tokenizer, VERSION)
    },
];

/// What a crowd works on.
pub(crate) const CROWDED: Scenario = scenario("crowded", build::crowded, DELETE);

/// What is full of baits: three files, one in a sub-folder.
pub(crate) const BAITED: Scenario =
    scenario("baited", build::three_files, Change::Fix("three-files"));

/// The change that is mostly stacked on the first one.
const SECOND: Change = Change::Patch(
    "config.json",
    r#"[{"op": "add", "path": "/second", "value": true}]"#,
);

impl Scenario {
    /// Whether an operation is possible: only fixes make twins, and what a later change undoes is not taken back alone.
    pub(crate) fn fits(&self, operation: Operation) -> bool {
        match operation {
            Operation::Out | Operation::OutAgain => matches!(self.change, Change::Fix(_)),
            Operation::FirstRevert => self.second != UNDO_ADD,
            _ => true,
        }
    }
}

impl Change {
    /// The words of the command that makes it, after the program's name. A patch is written beside the case.
    pub(crate) fn words(&self, model: &Path, patch: &Path, fixes: &Path) -> Result<Vec<String>> {
        let text = |path: &Path| path.display().to_string();
        Ok(match self {
            Self::Patch(file, operations) => {
                std::fs::write(patch, operations)?;
                [
                    "patch".to_owned(),
                    text(model),
                    text(patch),
                    "--file".to_owned(),
                    (*file).to_owned(),
                    "--yes".to_owned(),
                ]
                .into()
            }
            Self::Fix(fix) => {
                let mut words = vec![
                    "--fixes".to_owned(),
                    text(fixes),
                    "apply".to_owned(),
                    text(model),
                    "--fix".to_owned(),
                    (*fix).to_owned(),
                    "--yes".to_owned(),
                ];
                words.extend(TARGET.map(str::to_owned));
                words
            }
        })
    }
}

/// The target that every command names.
pub(crate) const TARGET: [&str; 5] = ["--engine", "vllm@0.15.1", "--gpu", "sm120", "--no-detect"];
