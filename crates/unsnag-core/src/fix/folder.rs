//! Fixes read from folders: the catalogue's own, a family, a single fix, or a person's.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Entry, FixFile};

/// A fix folder that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FolderError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong, in words; for TOML with line and column.
    pub problem: String,
}

/// The fix folders at or below `path`, at most two levels down, by path.
///
/// # Errors
/// `path` is no folder, or has no `fix.toml` at these levels.
pub fn fix_folders(path: &Path) -> Result<Vec<PathBuf>, FolderError> {
    let mut found = Vec::new();
    let mut level = vec![path.to_owned()];
    for _ in 0..3 {
        let mut next = Vec::new();
        for folder in level {
            if folder.join("fix.toml").is_file() {
                found.push(folder);
                continue;
            }
            let entries = fs::read_dir(&folder).map_err(|error| FolderError {
                path: folder.clone(),
                problem: error.to_string(),
            })?;
            next.extend(
                entries
                    .filter_map(Result::ok)
                    .map(|entry| entry.path())
                    .filter(|path| path.is_dir()),
            );
        }
        level = next;
    }
    found.sort();
    if found.is_empty() {
        return Err(FolderError {
            path: path.to_owned(),
            problem: "no fix.toml here; expected FIX-ID/fix.toml or FAMILY/FIX-ID/fix.toml"
                .to_owned(),
        });
    }
    Ok(found)
}

/// Reads one fix folder.
///
/// # Errors
/// It cannot be read, or `fix.toml` is not what the format says.
pub fn read_fix(folder: &Path) -> Result<Entry, FolderError> {
    let file = folder.join("fix.toml");
    let text = fs::read_to_string(&file).map_err(|error| FolderError {
        path: file.clone(),
        problem: error.to_string(),
    })?;
    let fix: FixFile = toml::from_str(&text).map_err(|error| FolderError {
        path: file,
        problem: error.to_string().trim_end().to_owned(),
    })?;
    let absolute = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = |path: Option<&Path>| {
        path.and_then(Path::file_name)
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default()
    };
    Ok(Entry {
        family: Cow::Owned(name(absolute.parent())),
        id: Cow::Owned(name(Some(&absolute))),
        file: fix,
        explanation: Cow::Owned(
            fs::read_to_string(folder.join("explanation.md")).unwrap_or_default(),
        ),
    })
}
