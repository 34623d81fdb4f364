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
#[derive(Debug, Clone, Copy)]
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
    /// The user that patches; the suite's own without.
    pub(crate) user: Option<u32>,
    /// Only every n-th system call is a kill point, besides all that change the disk: for directories where a run is slow.
    pub(crate) stride: usize,
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
        user: None,
        stride: 1,
    }
}

/// All scenarios.
pub(crate) const ALL: &[Scenario] = &[
    scenario(
        "one-file",
        build::one_file,
        Change::Patch("config.json", SET_DTYPE),
    ),
    scenario(
        "two-files",
        build::two_files,
        Change::Fix("mla-fp8-kv-sm120"),
    ),
    scenario(
        "three-files-sub-folder",
        build::three_files,
        Change::Fix("three-files"),
    ),
    scenario(
        "hub-links",
        build::hub_links,
        Change::Fix("mla-fp8-kv-sm120"),
    ),
    scenario(
        "hub-shared-blobs",
        build::hub_shared,
        Change::Patch("config.json", SET_DTYPE),
    ),
    scenario(
        "link-and-file",
        build::link_and_file,
        Change::Fix("mla-fp8-kv-sm120"),
    ),
    scenario(
        "local-dir",
        build::local_dir,
        Change::Patch("config.json", SET_DTYPE),
    ),
    scenario(
        "hard-link",
        build::hard_link,
        Change::Patch("config.json", SET_DTYPE),
    ),
    scenario(
        "owner-1000-as-root",
        build::owner,
        Change::Patch("config.json", SET_DTYPE),
    ),
    Scenario {
        user: Some(1000),
        ..scenario(
            "as-user-1000",
            build::owner,
            Change::Patch("config.json", SET_DTYPE),
        )
    },
    scenario(
        "group-shared",
        build::group_shared,
        Change::Patch("config.json", SET_DTYPE),
    ),
    scenario(
        "acl-and-xattr",
        build::attributes,
        Change::Patch("config.json", SET_DTYPE),
    ),
    scenario(
        "mode-0400",
        build::read_only_file,
        Change::Patch("config.json", SET_DTYPE),
    ),
    scenario(
        "add-a-key",
        build::one_file,
        Change::Patch(
            "config.json",
            r#"[{"op": "add", "path": "/rope_theta", "value": 1e6}]"#,
        ),
    ),
    scenario(
        "delete-a-key",
        build::one_file,
        Change::Patch("config.json", r#"[{"op": "remove", "path": "/legacy"}]"#),
    ),
    scenario(
        "create-and-park",
        build::two_files,
        Change::Fix("create-and-park"),
    ),
    Scenario {
        stride: 25,
        ..scenario(
            "tokenizer-8-mb",
            build::tokenizer,
            Change::Patch(
                "tokenizer.json",
                r#"[{"op": "replace", "path": "/version", "value": "1.1"}]"#,
            ),
        )
    },
];

/// The change that is stacked on the first one.
pub(crate) const SECOND: Change = Change::Patch(
    "config.json",
    r#"[{"op": "add", "path": "/second", "value": true}]"#,
);

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
