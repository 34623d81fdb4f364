//! Forgetting: the patched files stay, backups and history go. For a directory that is about to be uploaded.

use std::collections::BTreeSet;
use std::path::Path;

use super::apply::roll_back_leftovers;
use super::entry::EntryId;
use super::fsys::{Folder, Kind, Root};
use super::home::Home;
use super::origin::Origin;
use super::recover::{pending, undone};
use super::state::{Kept, Move, MoveKind, State, StepChange};
use super::transaction::Reserve;
use super::{Options, StoreError, transaction};

/// What was forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// The files that stay patched.
    pub files: Vec<String>,
    /// Parked files, which come back as `NAME.parked`.
    pub parked: Vec<Returned>,
    /// What somebody else wrote and a revert or the slot of an original kept, which comes back as `NAME.kept`.
    pub kept: Vec<Returned>,
}

/// A file that comes back beside its place, under the first free name: a second one is `NAME.kept2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Returned {
    /// Path in the model directory of what it was.
    pub path: String,
    /// Path in the model directory that it gets.
    pub name: String,
    slot: String,
}

/// What `forget` would do. Changes nothing.
///
/// # Errors
/// An operation is pending; the state cannot be read.
pub fn preview(path: &Path) -> Result<Forgotten, StoreError> {
    let root = Root::open(path)?;
    let Some(folder) = super::home::existing(&root)? else {
        return Ok(Forgotten::default());
    };
    if pending(path, None)?.is_some() {
        return Err(StoreError::Pending {
            path: path.to_owned(),
        });
    }
    super::home::state(&folder)?.map_or_else(
        || Ok(Forgotten::default()),
        |state| describe(&root, &folder, &state),
    )
}

fn describe(root: &Root, folder: &Folder, state: &State) -> Result<Forgotten, StoreError> {
    let mut forgotten = Forgotten::default();
    let mut taken = BTreeSet::new();
    let mut returned = |path: &str, slot: &str, suffix: &str| -> Result<Returned, StoreError> {
        let name = free_name(root, path, suffix, &taken)?;
        taken.insert(name.clone());
        Ok(Returned {
            path: path.to_owned(),
            name,
            slot: slot.to_owned(),
        })
    };
    for Kept { path, slot } in &state.kept {
        forgotten.kept.push(returned(path, slot, "kept")?);
    }
    for Origin { path, slot, .. } in &state.origins {
        let is_parked = state
            .steps_of(path)
            .next_back()
            .is_some_and(|(_, file)| file.change == StepChange::Park);
        if is_parked {
            forgotten.parked.push(returned(path, slot, "parked")?);
        } else {
            forgotten.files.push(path.clone());
        }
    }
    for origin in &state.origins {
        let stays = forgotten.files.contains(&origin.path);
        if stays && origin.is_written_to(folder)? {
            let kept = returned(&origin.path, &origin.slot, "kept")?;
            forgotten.kept.push(kept);
        }
    }
    Ok(forgotten)
}

/// `PATH.SUFFIX`, with the first number from 2 where that is taken.
fn free_name(
    root: &Root,
    path: &str,
    suffix: &str,
    taken: &BTreeSet<String>,
) -> Result<String, StoreError> {
    let (parent, _) = root.parent(path)?;
    let mut number = 1;
    loop {
        let name = match number {
            1 => format!("{path}.{suffix}"),
            number => format!("{path}.{suffix}{number}"),
        };
        let last = name.rsplit('/').next().unwrap_or(&name);
        if !taken.contains(&name) && parent.stat(last)?.is_none() {
            return Ok(name);
        }
        number += 1;
    }
}

/// Keeps the patched files and drops the state; what is kept for somebody comes back beside its place.
///
/// # Errors
/// An operation is pending; a patched file is gone, so that the backup is the only copy; the file system refuses.
pub fn forget(path: &Path, options: &Options) -> Result<Forgotten, StoreError> {
    let Some(home) = Home::open_existing(path, options)? else {
        return Ok(Forgotten::default());
    };
    roll_back_leftovers(&home)?;
    let Some(state) = super::home::state(&home.folder)? else {
        home.clean(None)?;
        return Ok(Forgotten::default());
    };
    let forgotten = describe(&home.root, &home.folder, &state)?;
    for path in &forgotten.files {
        let had_one = state
            .origin(path)
            .is_some_and(|origin| origin.digest.is_some());
        let stands = match home.root.parent(path) {
            Ok((parent, name)) => {
                matches!(parent.stat(name)?, Some((Kind::File | Kind::Link, _)))
            }
            Err(error) if error.errno() == Some(rustix::io::Errno::NOENT) => false,
            Err(error) => return Err(error.into()),
        };
        if had_one && !stands {
            return Err(StoreError::Refused {
                path: home.root.path().join(path),
                reason: "is gone, and the backup is the only copy".to_owned(),
                hint: "unsnag revert --force puts the original back".to_owned(),
            });
        }
    }
    let mut next = State::new();
    for returned in forgotten.parked.iter().chain(&forgotten.kept) {
        let names = (returned.name.as_str(), returned.slot.as_str());
        let new = EntryId::at(&home.folder, &returned.slot)?;
        let place = Move::new(&home.folder, names, MoveKind::Place, None, new)?;
        next.moves.push(place);
    }
    undone(
        &home,
        transaction::run(&home, &next, Reserve::Spend, options),
    )?;
    Ok(forgotten)
}
