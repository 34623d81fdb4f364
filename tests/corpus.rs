//! Real directories under many targets: what fires stands in `tests/corpus.toml` with the record that says why, and nothing else fires.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)] // a test may fail loudly

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};
use support::{OneOrMany, TargetFile};
use unsnag_core::check::check;
use unsnag_core::view::{Directory, Overlay, View};

const TARGETS: [(&str, &str); 17] = [
    ("vllm@0.13.0", "sm90"),
    ("vllm@0.15.1", "sm80"),
    ("vllm@0.15.1", "sm90"),
    ("vllm@0.15.1", "sm100"),
    ("vllm@0.15.1", "sm120"),
    ("vllm@0.19.1", "sm80"),
    ("vllm@0.19.1", "sm120"),
    ("vllm@0.24.0", "sm100"),
    ("vllm@0.33.0", "sm90"),
    ("vllm@0.33.0", "sm120"),
    ("transformers@4.40.2", ""),
    ("transformers@4.57.6", ""),
    ("transformers@5.24.0", ""),
    ("sglang@0.5.8", "sm100"),
    ("sglang@0.5.12", "sm120"),
    ("tensorrt-llm@1.2.0", "sm90"),
    ("llama.cpp", ""),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    fix: BTreeMap<String, Row>,
}

/// Where a fix fires, and why that is right.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// The records of the evidence.
    record: String,
    /// By the digest of the file that is shown first: the targets.
    fires: BTreeMap<String, BTreeSet<String>>,
}

/// (fix, digest of the file, target)
type Firings = BTreeSet<(String, String, String)>;

fn corpus() -> Option<Vec<PathBuf>> {
    let entries = fs::read_dir(support::root().join("../shared/corpus")).ok()?;
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    Some(found)
}

fn digest(path: &Path) -> String {
    let mut word = String::new();
    for byte in Sha256::digest(fs::read(path).unwrap()).iter().take(8) {
        word.push_str(&format!("{byte:02x}"));
    }
    word
}

fn firings(directories: &[PathBuf]) -> Firings {
    let catalogue = unsnag_fixes::catalogue().unwrap();
    let mut found = Firings::new();
    for path in directories {
        let directory = Directory::open(path).unwrap();
        if !directory.is_model_directory() {
            continue;
        }
        let overlay = Overlay::default();
        for (engine, gpu) in TARGETS {
            let target = support::target(
                &TargetFile {
                    engine: Some(engine.to_owned()),
                    gpu: OneOrMany::Many(
                        Some(gpu.to_owned())
                            .filter(|gpu| !gpu.is_empty())
                            .into_iter()
                            .collect(),
                    ),
                    ..TargetFile::default()
                },
                &catalogue,
            );
            let view = View::new(&directory, &overlay);
            for finding in check(&view, &target, &catalogue).findings {
                let shown = finding
                    .evidence
                    .iter()
                    .map(|shown| path.join(&shown.evidence.file));
                let file = shown
                    .chain(
                        ["config.json", "model.safetensors.index.json"].map(|file| path.join(file)),
                    )
                    .find(|file| file.is_file())
                    .unwrap_or_else(|| {
                        panic!("{}: no file shows {}", path.display(), finding.fix.id)
                    });

                found.insert((
                    finding.fix.id.clone(),
                    digest(&file),
                    format!("{engine} {gpu} {}", finding.status.name()).replace("  ", " "),
                ));
            }
        }
    }
    found
}

#[test]
fn nothing_fires_over_real_directories_but_what_a_record_says() {
    let Some(directories) = corpus() else {
        println!("no corpus beside the repository: nothing to look at");
        return;
    };
    let table: Table =
        toml::from_str(&fs::read_to_string(support::root().join("tests/corpus.toml")).unwrap())
            .unwrap();
    assert!(table.fix.values().all(|row| !row.record.is_empty()));
    let expected: Firings = table
        .fix
        .into_iter()
        .flat_map(|(fix, row)| {
            row.fires.into_iter().flat_map(move |(file, targets)| {
                let fix = fix.clone();
                targets
                    .into_iter()
                    .map(move |target| (fix.clone(), file.clone(), target))
            })
        })
        .collect();
    let halves: Vec<&[PathBuf]> = directories.chunks(directories.len().div_ceil(4)).collect();
    let found: Firings = std::thread::scope(|scope| {
        let running: Vec<_> = halves
            .into_iter()
            .map(|half| scope.spawn(move || firings(half)))
            .collect();
        running
            .into_iter()
            .flat_map(|half| half.join().unwrap())
            .collect()
    });
    let new: Vec<_> = found.difference(&expected).collect();
    let lost: Vec<_> = expected.difference(&found).collect();
    assert!(
        new.is_empty() && lost.is_empty(),
        "new: {new:#?}\nlost: {lost:#?}"
    );
}
