//! Whatever is not committed goes back to the original. Idempotent, and itself killable anywhere.

use std::fmt;
use std::path::Path;

use super::entry::EntryId;
use super::error::Conflict;
use super::fsys::{Folder, Root, Swap};
use super::home::{self, Home};
use super::lock::wait;
use super::state::{JOURNAL, Move, MoveKind, STATE, State};
use super::transaction::{aside, place};
use super::{Options, StoreError};

/// An operation that was cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// What it was.
    pub verb: String,
    /// Its files.
    pub files: Vec<String>,
}

impl fmt::Display for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "an operation was cut off ({} of {}); nothing is lost, and it waits to be taken back",
            self.verb,
            self.files.join(", ")
        )
    }
}

/// What recovery did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The operation that was taken back.
    pub operation: Option<Pending>,
    /// Whether leftovers of an operation were removed that had changed nothing, or was done.
    pub leftovers: bool,
}

/// The operation that waits to be taken back, where there is one. One that is under way is waited for, and `waiting` called first. Changes
/// nothing.
///
/// # Errors
/// The state folder cannot be read, or is not what this program wrote.
pub fn pending(path: &Path, waiting: Option<fn()>) -> Result<Option<Pending>, StoreError> {
    let root = Root::open(path)?;
    loop {
        let Some(folder) = home::existing(&root)? else {
            return Ok(None);
        };
        let Some(journal) = home::journal(&folder)? else {
            return Ok(None);
        };
        if !wait(&folder, waiting)? {
            return Ok(Some(describe(&journal)));
        }
    }
}

fn describe(journal: &State) -> Pending {
    Pending {
        verb: journal.history.last().map_or_else(
            || "operation".to_owned(),
            |operation| operation.verb.clone(),
        ),
        files: journal.moves.iter().map(|one| one.path.clone()).collect(),
    }
}

/// Takes back an operation that was cut off, and removes leftovers.
///
/// # Errors
/// A file is neither the original nor the patched one; the file system refuses.
pub fn recover(path: &Path, options: &Options) -> Result<Recovered, StoreError> {
    let mut recovered = Recovered {
        operation: None,
        leftovers: super::out::recover_twin(path, options)?,
    };
    if path.is_dir()
        && let Some(home) = Home::open_existing(path, options)?
    {
        let inside = roll_back(&home)?;
        recovered.leftovers |= inside.leftovers;
        recovered.operation = inside.operation;
    }
    Ok(recovered)
}

/// The same under a lock that is held already.
pub(super) fn roll_back(home: &Home) -> Result<Recovered, StoreError> {
    let journal = home::journal(&home.folder)?;
    let state = State::read(&home.folder, STATE)?;
    if let Some(journal) = &journal {
        for one in journal.moves.iter().rev() {
            back(home, one)?;
        }
        for one in &journal.moves {
            home.root.parent(&one.path)?.0.sync()?;
        }
        home.folder.sync()?;
        home.folder.remove(JOURNAL)?;
        home.folder.sync()?;
    }
    home::refuse_lost(&home.folder, state.as_ref())?;
    let leftovers = home::has_leftovers(&home.folder, state.as_ref())?;
    home.clean(state.as_ref())?;
    Ok(Recovered {
        leftovers: leftovers && journal.is_none(),
        operation: journal.as_ref().map(describe),
    })
}

/// What an operation that failed left goes, unless it stands or nothing more may be touched. The failure itself is what is told.
pub(super) fn undone<T>(home: &Home, result: Result<T, StoreError>) -> Result<T, StoreError> {
    match result {
        Err(
            error @ (StoreError::Unsure(_)
            | StoreError::Halfway { .. }
            | StoreError::Conflict { .. }
            | StoreError::State { .. }),
        ) => Err(error),
        Err(first) => match roll_back(home) {
            Ok(_) => Err(first),
            Err(second) => Err(StoreError::Halfway {
                first: Box::new(first),
                second: Box::new(second),
            }),
        },
        done => done,
    }
}

fn back(home: &Home, one: &Move) -> Result<(), StoreError> {
    let (parent, name) = match home.root.parent(&one.path) {
        Ok(found) => found,
        Err(error) if error.errno() == Some(rustix::io::Errno::NOENT) => return Ok(()), // its folder is gone, and with it what we did
        Err(error) => return Err(error.into()),
    };
    let folder = &home.folder;
    let is = |id: &Option<EntryId>, folder: &Folder, name: &str| {
        id.as_ref().map_or(Ok(false), |id| id.is_at(folder, name))
    };
    let conflict = || StoreError::Conflict {
        path: parent.full(name),
        conflict: Conflict {
            original: folder.full(&one.slot).display().to_string(),
        },
    };
    let here = parent.stat(name)?;
    let kept = folder.stat(&one.slot)?;
    match one.kind {
        // What came out goes in again, whatever it is: it is the original, or what somebody else put there meanwhile.
        MoveKind::Exchange if one.is_new_at(&parent, name)? => match kept {
            Some(_) => exchange_back(home, &parent, name, one),
            None => Err(conflict()),
        },
        MoveKind::Exchange => {
            let aside = aside(one);
            if one.is_new_at(folder, &aside)? {
                // What came out goes in, and what shall stand there (an origin, in a revert) belongs into its slot again.
                if here.is_none() && kept.is_some() {
                    folder.rename(&one.slot, &parent, name)?;
                }
                folder.rename(&aside, folder, &one.slot)?;
                return Ok(());
            }
            let untouched = is(&one.old, &parent, name)?
                || kept.is_none()
                || one.is_new_at(folder, &one.slot)?;
            if untouched { Ok(()) } else { Err(conflict()) }
        }
        MoveKind::Place if one.is_new_at(&parent, name)? => match kept.zip(here) {
            None => Ok(parent.rename(name, folder, &one.slot)?),
            Some(((_, ours), (_, there))) if ours.same_inode(&there) => {
                parent.remove(name)?;
                Ok(())
            }
            Some(_) => Ok(()), // somebody else's file of the same content was in the way
        },
        MoveKind::Place => Ok(()),
        MoveKind::Take if kept.is_some() && here.is_none() => {
            place(folder, &one.slot, &parent, name, home.force_portable)
        }
        MoveKind::Take if kept.is_some() && !is(&one.old, &parent, name)? => Err(conflict()),
        // A way back that was itself cut off gave the original its name and did not come to the slot.
        MoveKind::Take => match kept.zip(here) {
            Some(((_, kept), (_, there))) if kept.same_inode(&there) => {
                folder.remove(&one.slot)?;
                Ok(())
            }
            _ => Ok(()),
        },
    }
}

/// Path and slot change places again. Where entries cannot be exchanged, or the call lies, the new one (an origin, in a revert) gets a second name
/// aside first; where there are no hard links it moves there.
fn exchange_back(home: &Home, parent: &Folder, name: &str, one: &Move) -> Result<(), StoreError> {
    let folder = &home.folder;
    if !home.force_portable
        && parent.exchange(name, folder, &one.slot)? == Swap::Done
        && !one.is_new_at(parent, name)?
    {
        return Ok(());
    }
    let aside = aside(one);
    folder.remove(&aside)?;
    match parent.hard_link(name, folder, &aside) {
        Err(error) if error.is_without_links() => parent.rename(name, folder, &aside)?,
        linked => linked?,
    }
    folder.rename(&one.slot, parent, name)?;
    Ok(folder.rename(&aside, folder, &one.slot)?)
}
