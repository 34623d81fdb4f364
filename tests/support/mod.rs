//! What the tests over whole directories share: the cases of the fixes, and targets written as on the command line.
#![allow(dead_code, unreachable_pub)] // each test target uses a part

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use unsnag_core::fix::Catalogue;
use unsnag_core::target::{Library, Target, Version};

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A case of a fix.
#[derive(Debug, Clone)]
pub struct Case {
    /// The fix it belongs to.
    pub fix: String,
    /// Its folder's name.
    pub name: String,
    /// `case.toml`.
    pub file: CaseFile,
    /// Where its `before` is.
    pub before: PathBuf,
    /// Where its `after` is, where it has one.
    pub after: Option<PathBuf>,
}

/// `case.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    pub what: String,
    #[serde(default)]
    pub target: TargetFile,
    pub from: Option<String>,
    pub expect: Option<String>,
    pub cure: Option<String>,
    #[serde(default)]
    pub lossy: bool,
}

/// A target as in `case.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetFile {
    pub engine: Option<String>,
    #[serde(default)]
    pub gpu: OneOrMany,
    #[serde(default)]
    pub with: Vec<String>,
    #[serde(default)]
    pub intent: Vec<String>,
    #[serde(default)]
    pub args: Vec<String>,
}

/// One or several words.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl Default for OneOrMany {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl OneOrMany {
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::One(word) => vec![word.clone()],
            Self::Many(words) => words.clone(),
        }
    }
}

impl Case {
    /// What is expected: `fires`, `silent`, `refused`, `may-apply`, `advice`, `undecided`.
    pub fn expectation(&self) -> &str {
        match &self.file.expect {
            Some(expect) => expect,
            None if self.name.starts_with("clean-") => "silent",
            None => "fires",
        }
    }
}

/// Every case of every fix, by fix and name.
pub fn cases() -> Vec<Case> {
    let mut found = Vec::new();
    for family in folders(&root().join("fixes")) {
        for fix in folders(&family) {
            for case in folders(&fix.join("cases")) {
                let path = case.join("case.toml");
                let text = fs::read_to_string(&path)
                    .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let file: CaseFile = toml::from_str(&text)
                    .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let from = file
                    .from
                    .as_ref()
                    .map_or_else(|| case.clone(), |from| fix.join("cases").join(from));
                let after = case.join("after");
                let shared = from.join("after");
                let name = name(&case);
                let after = if after.is_dir() {
                    Some(after)
                } else if file.from.is_some()
                    && shared.is_dir()
                    && !name.starts_with("clean-")
                    && file.expect.is_none()
                {
                    Some(shared)
                } else {
                    None
                };
                found.push(Case {
                    fix: self::name(&fix),
                    name,
                    before: from.join("before"),
                    after,
                    file,
                });
            }
        }
    }
    assert!(!found.is_empty(), "no cases found");
    found
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(path) else {
        return Vec::new();
    };
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Copies a case's directory; `X.safetensors.header.json` becomes `X.safetensors`.
pub fn materialise(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let path = entry.unwrap().path();
        let name = name(&path);
        if path.is_dir() {
            materialise(&path, &to.join(name));
        } else if let Some(shard) = name.strip_suffix(".header.json") {
            fs::write(to.join(shard), safetensors(&fs::read(&path).unwrap())).unwrap();
        } else {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

/// A safetensors file with this header and zeros for the data.
pub fn safetensors(header: &[u8]) -> Vec<u8> {
    let parsed: serde_json::Value = serde_json::from_slice(header).unwrap();
    let ends = parsed
        .as_object()
        .unwrap()
        .values()
        .filter_map(|tensor| tensor["data_offsets"][1].as_u64());
    let data = usize::try_from(ends.max().unwrap_or(0)).unwrap();
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    bytes.resize(bytes.len() + data, 0);
    bytes
}

/// Every file of a directory with its bytes, by path.
pub fn contents(directory: &Path) -> Vec<(String, Vec<u8>)> {
    fn walk(directory: &Path, prefix: &str, found: &mut Vec<(String, Vec<u8>)>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("{prefix}{}", name(&path));
            if name == ".unsnag" {
                continue;
            }
            if path.is_dir() {
                walk(&path, &format!("{name}/"), found);
            } else {
                found.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    walk(directory, "", &mut found);
    found.sort();
    found
}

/// A target from the words of the command line.
pub fn target(file: &TargetFile, catalogue: &Catalogue) -> Target {
    let split = |word: &String| {
        let (name, version) = word
            .split_once('@')
            .map_or((word.as_str(), None), |(name, version)| {
                (name, Some(version))
            });
        let library = Library::named(name).unwrap_or_else(|_| panic!("{name} is not known"));
        (
            library,
            version.map(|version| version.parse::<Version>().unwrap()),
        )
    };
    let engines = file.engine.iter().map(split).collect();
    let with = file
        .with
        .iter()
        .map(split)
        .map(|(library, version)| (library, version.unwrap()))
        .collect();
    let gpus = file
        .gpu
        .words()
        .iter()
        .map(|gpu| gpu.parse().unwrap())
        .collect();
    let intents = file
        .intent
        .iter()
        .map(|intent| intent.parse().unwrap())
        .collect::<BTreeSet<_>>();
    Target::new(engines, with, gpus, intents, catalogue.releases())
        .with_arguments(file.args.clone())
}
