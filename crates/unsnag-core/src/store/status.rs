//! Which patches are in place, whether the files are as they were left, and what the directory's kind means for them.

use std::path::Path;

use super::StoreError;
use super::change::{Options, Touched};
use super::entry;
use super::fsys::{Digest, FsError, Layout, Root};
use super::home;
use super::recover::{Pending, pending};
use super::state::{Operation, STATE, State, Step};

/// What is known of a directory's patches.
#[derive(Debug, Clone, Default)]
pub struct Status {
    /// The patches in place, in order.
    pub steps: Vec<Step>,
    /// Every patched file, by path.
    pub files: Vec<FileStatus>,
    /// Files that a forced revert kept aside: path, and where they are.
    pub kept: Vec<(String, String)>,
    /// An operation that waits to be taken back.
    pub pending: Option<Pending>,
    /// Whether leftovers wait to be removed; they mean nothing.
    pub leftovers: bool,
    /// What the person should know.
    pub notes: Vec<String>,
    /// The source, where this is a patched twin.
    pub twin_of: Option<String>,
}

/// A patched file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileStatus {
    /// Path in the model directory.
    pub path: String,
    /// How it stands.
    pub standing: Standing,
    /// The steps that touch it.
    pub steps: Vec<u64>,
}

/// How a patched file stands, by its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// As it was left.
    AsLeft,
    /// Somebody brought the original back: the patch is not there.
    Original,
    /// Edited since.
    Edited,
    /// A link stands there now.
    Link,
    /// Gone, or there although it was parked.
    Moved,
    /// It cannot be read.
    Unreadable(FsError),
}

/// Looks at a directory. Changes nothing.
///
/// # Errors
/// It is no directory, or its state folder is not what this program wrote.
pub fn status(path: &Path) -> Result<Status, StoreError> {
    let root = Root::open(path)?;
    let mut status = Status {
        twin_of: super::out::twin_of(&root)?,
        ..Status::default()
    };
    let Some(folder) = home::existing(&root)? else {
        return Ok(status);
    };
    status.pending = pending(path, None)?;
    let state = match status.pending {
        None => home::state(&folder)?,
        Some(_) => State::read(&folder, STATE)?,
    };
    status.leftovers = status.pending.is_none()
        && status.twin_of.is_none()
        && home::has_leftovers(&folder, state.as_ref())?;
    let Some(state) = state else {
        return Ok(status);
    };
    for origin in &state.origins {
        let left = state.left(&origin.path).flatten();
        let read = root.read(&origin.path, entry::LIMIT);
        let is_link = matches!(&read, Ok(Some(read)) if read.link.is_some());
        let standing = match read.map(|read| read.map(|read| Digest::of(&read.bytes))) {
            Err(error) => Standing::Unreadable(error),
            Ok(now) if now == left && !is_link => Standing::AsLeft,
            Ok(now) if now == origin.digest => Standing::Original,
            Ok(_) if is_link => Standing::Link, // a patched file never is one
            Ok(Some(_)) if left.is_some() => Standing::Edited,
            Ok(_) => Standing::Moved,
        };
        let steps = state
            .steps_of(&origin.path)
            .map(|(step, _)| step.number)
            .collect();
        status.files.push(FileStatus {
            path: origin.path.clone(),
            standing,
            steps,
        });
    }
    status.files.sort_by(|a, b| a.path.cmp(&b.path));
    status.kept = state
        .kept
        .iter()
        .map(|kept| {
            (
                kept.path.clone(),
                folder.full(&kept.slot).display().to_string(),
            )
        })
        .collect();
    status.steps = state.steps;
    Ok(status)
}

/// Every operation, in order. Changes nothing.
///
/// # Errors
/// As [`status`].
pub fn history(path: &Path) -> Result<Vec<Operation>, StoreError> {
    let root = Root::open(path)?;
    let Some(folder) = home::existing(&root)? else {
        return Ok(Vec::new());
    };
    Ok(State::read(&folder, STATE)?
        .map(|state| state.history)
        .unwrap_or_default())
}

/// What this kind of directory means for a patch.
pub(super) fn notes(root: &Root, touched: &[Touched], options: &Options) -> Vec<String> {
    let mut notes = Vec::new();
    match root.layout() {
        Layout::HubSnapshot { revision, .. } => {
            if touched.iter().any(|file| file.was_link) {
                notes.push("hub cache: the link was replaced by a file; the blob is untouched, and revert puts the link back".to_owned());
            }
            notes.push(format!(
                "the patch belongs to revision {} only: a newer revision loads unpatched. `hf cache verify` reports a mismatch until revert; `hf cache rm` takes patch and backup along; `--force-download` does not undo it",
                revision.get(..12).unwrap_or(revision)
            ));
        }
        Layout::LocalDir if !options.fresh_mtime => {
            notes.push("the modification time is kept, so that the next `hf download --local-dir` leaves the patch (--fresh-mtime changes that)".to_owned());
        }
        Layout::LocalDir => notes.push("with a new modification time the next `hf download --local-dir` fetches the file again, over the patch".to_owned()),
        Layout::ModelScope => notes.push("ModelScope downloads a file of another size again at the next snapshot_download: load by path, or offline".to_owned()),
        Layout::Plain => {}
    }
    if let Ok(directory) = root.folder().identity() {
        let owner = directory.owner;
        if rustix::process::geteuid().is_root() && owner.uid != 0 {
            notes.push(format!(
                "the directory belongs to user {}; the patched file and the backup keep that owner",
                owner.uid
            ));
        }
        if owner.mode & 0o020 != 0 {
            notes.push(
                "the directory is shared by a group: others will see the patch, and can revert it"
                    .to_owned(),
            );
        }
    }
    notes
}
