//! Opening a model directory, and what stops every verb before it begins.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use unsnag_core::store;
use unsnag_core::view::Directory;

use crate::exit::{Failure, Status};
use crate::output::quoted;
use crate::run;

/// Opens a model directory.
///
/// # Errors
/// It is no directory, or has none of the files that a fix reads.
pub fn model(path: &Path) -> Result<Directory, Failure> {
    folder(path)?;
    let directory = Directory::open(path).map_err(|error| Failure::new(error.to_string()))?;
    if directory.is_model_directory() {
        return Ok(directory);
    }
    Err(Failure::new(format!("{}: no model directory", path.display())).with_status(Status::NoModel).hint(
        "expected one of config.json, adapter_config.json, tokenizer_config.json, modules.json, params.json, model.safetensors.index.json",
    ))
}

/// Stops where there is no directory.
///
/// # Errors
/// There is none.
pub fn folder(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        return Ok(());
    }
    let what = if path.exists() {
        "is not a directory"
    } else {
        "does not exist"
    };
    Err(Failure::new(format!("{}: {what}", path.display()))
        .with_status(Status::NoModel)
        .hint("expected a model directory, such as one that has a config.json"))
}

/// Stops where an operation was cut off and waits for `recover`.
///
/// # Errors
/// One is pending, or the state folder cannot be read.
pub fn refuse_pending(path: &Path) -> Result<(), Failure> {
    match store::pending(path, Some(run::waiting)) {
        Ok(None) => Ok(()),
        Ok(Some(pending)) => Err(Failure::new(format!("{}: {pending}", path.display())).hint(
            format!(
                "unsnag recover {} brings the directory back to what it was before",
                quoted(&path.display().to_string())
            ),
        )),
        Err(error) => Err(store_failure(error)),
    }
}

/// The same for a verb that reads the model's files alone: where the state folder is closed to this user, it says so and goes on.
///
/// # Errors
/// An operation is pending, or the state folder is broken.
pub fn warn_pending(path: &Path) -> Result<Option<String>, Failure> {
    match store::pending(path, Some(run::waiting)) {
        Err(store::StoreError::System(error)) if error.is_of_reading() => Ok(Some(format!(
            "note: {error}; whether an operation was cut off there is not known\n"
        ))),
        _ => refuse_pending(path).map(|()| None),
    }
}

/// A failure of the store, with its status and what to do.
pub fn store_failure(error: store::StoreError) -> Failure {
    let status = if error.is_unsure() {
        Status::Unsure
    } else {
        Status::Error
    };
    let failure = Failure::new(error.to_string()).with_status(status);
    error.hints().into_iter().fold(failure, Failure::hint)
}

/// Every model directory at or below the given ones, in order; folders that begin with a dot are passed over.
pub fn below(roots: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = roots.iter().rev().cloned().collect();
    while let Some(path) = open.pop() {
        let Ok(entries) = path.read_dir() else {
            continue;
        };
        let mut folders: Vec<PathBuf> = entries
            .filter_map(Result::ok)
            .filter(|entry| {
                entry.file_type().is_ok_and(|kind| kind.is_dir())
                    && !entry.file_name().to_string_lossy().starts_with('.')
            })
            .map(|entry| entry.path())
            .collect();
        folders.sort_by(|a, b| b.cmp(a));
        if Directory::open(&path).is_ok_and(|directory| directory.is_model_directory()) {
            found.push(path);
        }
        open.extend(folders);
    }
    found
}

/// An error of a file, as `file:line:column: what` where the error begins with a place.
pub fn located(file: &Path, error: &impl Display) -> String {
    let text = error.to_string();
    let space = if text.starts_with(|first: char| first.is_ascii_digit()) {
        ""
    } else {
        " "
    };
    format!("{}:{space}{text}", file.display())
}
