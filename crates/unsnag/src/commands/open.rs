//! Opening a model directory, and what stops every verb before it begins.

use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use unsnag_core::store;
use unsnag_core::view::Directory;

use crate::exit::{Failure, Status};
use crate::output::command;
use crate::run;

/// Opens a model directory.
///
/// # Errors
/// It is no directory, or has none of the files that a fix reads.
pub fn model(path: &Path) -> Result<Directory, Failure> {
    folder(path)?;
    let directory = Directory::open(path).map_err(|error| store_failure(error.into()))?;
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
    let what = match path.metadata() {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => "is not a directory",
        Err(error) if error.kind() == ErrorKind::NotFound => "does not exist",
        Err(error) => {
            return Err(Failure::new(format!("{}: {error}", path.display())));
        }
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
                "{} brings the directory back to what it was before",
                command("recover", path, &[])
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

/// What is below some directories.
#[derive(Debug, Default)]
pub struct Below {
    /// The model directories, each before what is in it.
    pub models: Vec<PathBuf>,
    /// What could not be looked into.
    pub unread: Vec<Failure>,
}

/// Every model directory at or below the given ones, in order; folders that begin with a dot are passed over.
pub fn below(roots: &[PathBuf]) -> Below {
    let mut below = Below::default();
    let mut open: Vec<PathBuf> = roots.iter().rev().cloned().collect();
    while let Some(path) = open.pop() {
        let entries = match path.read_dir() {
            Ok(entries) => entries,
            Err(error) => {
                below.unread.push(match folder(&path) {
                    Ok(()) => Failure::new(format!("{}: {error}", path.display())),
                    Err(failure) => failure,
                });
                continue;
            }
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
            below.models.push(path);
        }
        open.extend(folders);
    }
    below
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
