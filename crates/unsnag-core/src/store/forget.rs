//! Forgetting: the patched files stay, backups and history go. For a directory that is about to be uploaded.

use std::path::Path;

use super::apply::roll_back_leftovers;
use super::entry::EntryId;
use super::home::Home;
use super::state::{JOURNAL, Move, MoveKind, STATE, State, StepChange};
use super::{Options, StoreError, transaction};

/// What was forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// The files that stay patched.
    pub files: Vec<String>,
    /// Parked files, which come back under another name.
    pub parked: Vec<String>,
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
    Ok(State::read(&folder, STATE)?
        .map(|state| describe(&state))
        .unwrap_or_default())
}

fn describe(state: &State) -> Forgotten {
    let (parked, files) = state
        .origins
        .iter()
        .partition::<Vec<_>, _>(|origin| is_parked(state, &origin.path));
    let names = |origins: Vec<&super::origin::Origin>| {
        origins.iter().map(|origin| origin.path.clone()).collect()
    };
    Forgotten {
        files: names(files),
        parked: names(parked),
    }
}

fn is_parked(state: &State, path: &str) -> bool {
    state
        .steps_of(path)
        .next_back()
        .is_some_and(|(_, file)| file.change == StepChange::Park)
}

/// Keeps the patched files and drops the state. Parked files come back as `NAME.parked`.
///
/// # Errors
/// An operation is pending; a `NAME.parked` is there already; the file system refuses.
pub fn forget(path: &Path, options: &Options) -> Result<Forgotten, StoreError> {
    let Some(home) = Home::open_existing(path, options)? else {
        return Ok(Forgotten::default());
    };
    roll_back_leftovers(&home)?;
    let Some(state) = State::read(&home.folder, STATE)? else {
        home.clean(None)?;
        return Ok(Forgotten::default());
    };
    let forgotten = describe(&state);
    let mut next = State::new();
    for origin in state
        .origins
        .iter()
        .filter(|origin| is_parked(&state, &origin.path))
    {
        let new = EntryId::at(&home.folder, &origin.slot)?;
        let path = format!("{}.parked", origin.path);
        next.moves.push(Move {
            path,
            slot: origin.slot.clone(),
            kind: MoveKind::Place,
            old: None,
            new,
        });
    }
    transaction::run(&home, &next, options)?;
    Ok(forgotten)
}
