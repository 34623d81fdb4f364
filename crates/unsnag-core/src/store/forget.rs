//! Forgetting: the patched files stay, backups and history go. For a directory that is about to be uploaded.

use std::path::Path;

use super::apply::roll_back_leftovers;
use super::entry::EntryId;
use super::fsys::{Folder, Kind};
use super::home::Home;
use super::recover::undone;
use super::state::{JOURNAL, Move, MoveKind, STATE, State, StepChange};
use super::transaction::Reserve;
use super::{Options, StoreError, transaction};

/// What was forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// The files that stay patched.
    pub files: Vec<String>,
    /// Parked files, which come back as `NAME.parked`.
    pub parked: Vec<String>,
    /// Files of somebody else that a revert kept, which come back as `NAME.kept`.
    pub kept: Vec<String>,
}

/// What `forget` would do. Changes nothing.
///
/// # Errors
/// An operation is pending; the state cannot be read.
pub fn preview(path: &Path) -> Result<Forgotten, StoreError> {
    let root = super::fsys::Root::open(path)?;
    let Some(folder) = super::home::existing(&root)? else {
        return Ok(Forgotten::default());
    };
    if State::read(&folder, JOURNAL)?.is_some() {
        return Err(StoreError::Pending {
            path: path.to_owned(),
        });
    }
    State::read(&folder, STATE)?.map_or_else(
        || Ok(Forgotten::default()),
        |state| describe(&folder, &state),
    )
}

fn describe(folder: &Folder, state: &State) -> Result<Forgotten, StoreError> {
    let mut forgotten = Forgotten::default();
    for origin in &state.origins {
        if is_parked(state, &origin.path) {
            forgotten.parked.push(origin.path.clone());
        } else {
            forgotten.files.push(origin.path.clone());
        }
    }
    forgotten.kept = kept(folder, state)?
        .into_iter()
        .map(|(path, _)| path.to_owned())
        .collect();
    Ok(forgotten)
}

/// What somebody else wrote: path and slot.
fn kept<'s>(folder: &Folder, state: &'s State) -> Result<Vec<(&'s str, &'s str)>, StoreError> {
    let mut kept: Vec<(&str, &str)> = state
        .kept
        .iter()
        .map(|kept| (kept.path.as_str(), kept.slot.as_str()))
        .collect();
    for origin in &state.origins {
        if !is_parked(state, &origin.path) && origin.is_written_to(folder)? {
            kept.push((&origin.path, &origin.slot));
        }
    }
    Ok(kept)
}

fn is_parked(state: &State, path: &str) -> bool {
    state
        .steps_of(path)
        .next_back()
        .is_some_and(|(_, file)| file.change == StepChange::Park)
}

/// Keeps the patched files and drops the state. Parked files come back as `NAME.parked`, what was kept for somebody as `NAME.kept`, a
/// second one as `NAME.kept2`.
///
/// # Errors
/// An operation is pending; a file of such a name is there already; the file system refuses.
pub fn forget(path: &Path, options: &Options) -> Result<Forgotten, StoreError> {
    let Some(home) = Home::open_existing(path, options)? else {
        return Ok(Forgotten::default());
    };
    roll_back_leftovers(&home)?;
    let Some(state) = State::read(&home.folder, STATE)? else {
        home.clean(None)?;
        return Ok(Forgotten::default());
    };
    let forgotten = describe(&home.folder, &state)?;
    let mut next = State::new();
    for origin in &state.origins {
        let (parent, name) = home.root.parent(&origin.path)?;
        let is_gone = !matches!(parent.stat(name)?, Some((Kind::File | Kind::Link, _)));
        if origin.digest.is_some() && !is_parked(&state, &origin.path) && is_gone {
            return Err(StoreError::Refused {
                path: parent.full(name),
                reason: "is gone, and the backup is the only copy".to_owned(),
                hint: "unsnag revert --force puts the original back".to_owned(),
            });
        }
    }
    let mut come_back = Vec::new();
    for origin in &state.origins {
        if is_parked(&state, &origin.path) {
            come_back.push((format!("{}.parked", origin.path), origin.slot.as_str()));
        }
    }
    let kept = kept(&home.folder, &state)?;
    for (index, (path, slot)) in kept.iter().enumerate() {
        let earlier = kept.iter().take(index).filter(|other| other.0 == *path);
        let number = match earlier.count() {
            0 => String::new(),
            earlier => (earlier + 1).to_string(),
        };
        come_back.push((format!("{path}.kept{number}"), *slot));
    }
    for (path, slot) in come_back {
        next.moves.push(Move {
            path,
            slot: slot.to_owned(),
            kind: MoveKind::Place,
            old: None,
            new: EntryId::at(&home.folder, slot)?,
        });
    }
    undone(
        &home,
        transaction::run(&home, &next, Reserve::Spend, options),
    )?;
    Ok(forgotten)
}
