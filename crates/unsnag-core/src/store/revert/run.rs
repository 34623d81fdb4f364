//! Carrying a revert out: the same transaction in reverse.

use std::path::Path;

use super::{FileRevert, RevertPlan, Way, original, plan};
use crate::store::apply::roll_back_leftovers;
use crate::store::entry::{EntryId, LIMIT};
use crate::store::fsys::{Digest, Folder, Kind};
use crate::store::home::Home;
use crate::store::origin::Origin;
use crate::store::recover::undone;
use crate::store::stage::{Like, stage};
use crate::store::state::{Kept, Move, MoveKind, Operation, OperationFile, STATE, State};
use crate::store::transaction::Reserve;
use crate::store::{Options, StoreError, transaction};

/// What a revert did.
#[derive(Debug, Clone)]
pub struct Reverted {
    /// As the history has it.
    pub operation: Operation,
    /// The steps, by number.
    pub steps: Vec<u64>,
    /// How many patches stay in place.
    pub remaining: usize,
    /// Edited files that were kept aside: path, and where they are.
    pub kept: Vec<(String, String)>,
    /// What the person should know.
    pub notes: Vec<String>,
}

/// Takes steps back as previewed.
///
/// # Errors
/// A file is not what the preview read; an edit stands in the way and `force` is not set; the file system refuses.
pub fn run(path: &Path, preview: &RevertPlan, options: &Options) -> Result<Reverted, StoreError> {
    let Some(home) = Home::open_existing(path, options)? else {
        return Err(StoreError::Changed {
            path: path.to_owned(),
        });
    };
    roll_back_leftovers(&home)?;
    let Some(state) = State::read(&home.folder, STATE)? else {
        return Err(StoreError::Changed {
            path: path.to_owned(),
        });
    };
    let plan = plan(&home.root, &state, preview.selection)?;
    if plan.steps != preview.steps || plan.files != preview.files {
        return Err(StoreError::Changed {
            path: path.to_owned(),
        });
    }
    if let Some(file) = plan
        .files
        .iter()
        .find(|file| file.way == Way::Refused && !options.force)
    {
        return Err(StoreError::Edited {
            path: file.path.clone(),
        });
    }
    undone(&home, carry_out(&home, &state, plan, options))
}

fn carry_out(
    home: &Home,
    state: &State,
    plan: RevertPlan,
    options: &Options,
) -> Result<Reverted, StoreError> {
    let mut next = plan.next;
    let mut kept = Vec::new();
    let mut notes = Vec::new();
    let mut files = Vec::new();
    for file in &plan.files {
        if options.interrupted() {
            return Err(StoreError::Interrupted);
        }
        let origin = state.origin(&file.path).ok_or_else(|| StoreError::Edited {
            path: file.path.clone(),
        })?;
        let digest = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(Digest::of);
        files.push(OperationFile {
            path: file.path.clone(),
            before: digest(&file.now),
            after: digest(&file.then),
        });
        let slot = one(home, &mut next, file, origin, &mut notes)?;
        let untouched_by_steps = next.steps_of(&file.path).next().is_none();
        if untouched_by_steps {
            next.origins.retain(|known| known.path != file.path);
            if origin.is_written_to(&home.folder)? {
                let place = home.folder.full(&origin.slot).display().to_string();
                notes.push(format!(
                    "{}: somebody who had it open wrote to the original after it was patched; that version is kept as {place}",
                    file.path
                ));
                kept.push((file.path.clone(), place));
                next.kept.push(Kept {
                    path: file.path.clone(),
                    slot: origin.slot.clone(),
                });
            }
        }
        if file.way == Way::Refused && file.now.is_some() {
            let place = home.folder.full(&slot).display().to_string();
            kept.push((file.path.clone(), place));
            next.kept.push(Kept {
                path: file.path.clone(),
                slot,
            });
        }
    }
    let operation = Operation {
        number: next.next_number(),
        time: options.now,
        verb: "revert".to_owned(),
        fixes: plan.fixes,
        command_line: options.command_line.clone(),
        files,
    };
    next.history.push(operation.clone());
    transaction::run(home, &next, Reserve::Spend, options)?;
    Ok(Reverted {
        operation,
        steps: plan.steps,
        remaining: next.steps.len(),
        kept,
        notes,
    })
}

/// Stages one file and adds its move; the slot that what stands there now goes to.
fn one(
    home: &Home,
    next: &mut State,
    file: &FileRevert,
    origin: &Origin,
    notes: &mut Vec<String>,
) -> Result<String, StoreError> {
    let (parent, name) = home.root.parent(&file.path)?;
    let old = EntryId::at(&parent, name)?;
    if old != file.entry {
        return Err(StoreError::Changed {
            path: parent.full(name),
        });
    }
    let keeping = file.way == Way::Refused && file.now.is_some();
    let mut add = |slot: String, kind, new: Option<EntryId>| {
        let names = (file.path.as_str(), slot.as_str());
        let added = Move::new(&home.folder, names, kind, old.clone(), new)?;
        next.moves.push(added);
        Ok(slot)
    };
    match (&file.now, &file.then) {
        (None, None) => Ok(origin.slot.clone()),
        (_, None) => {
            let slot = next_slot(&mut next.next_slot, if keeping { 'k' } else { 't' });
            add(slot, MoveKind::Take, None)
        }
        (now, Some(then)) => {
            let kind = if now.is_some() {
                MoveKind::Exchange
            } else {
                MoveKind::Place
            };
            let whole = file.to_origin && origin.is_whole(&home.folder)?;
            if whole && is_right(home, origin)? {
                return add(origin.slot.clone(), kind, origin.entry.clone());
            }
            if whole {
                notes.push(format!("{}: its blob in the hub cache is gone or another one, so the original comes back as a file instead of a link", file.path));
            }
            let slot = next_slot(&mut next.next_slot, if keeping { 'k' } else { 't' });
            let bytes = if file.to_origin {
                original(&home.root, origin)?.unwrap_or_default()
            } else {
                then.clone()
            };
            let source = source(&parent, name, home, origin)?;
            let owner = origin
                .owner
                .map_or_else(|| parent.identity().map(|identity| identity.owner), Ok)?;
            let mtime = file.to_origin.then_some(i128::from(origin.mtime_ns));
            let like = Like {
                owner,
                attributes: source.as_ref(),
                mtime_ns: mtime,
            };
            let new = stage(&home.folder, &slot, &bytes, &like)?;
            add(slot, kind, Some(new))
        }
    }
}

fn next_slot(next: &mut u64, prefix: char) -> String {
    let slot = format!("{prefix}{next}");
    *next += 1;
    slot
}

/// Whether the kept entry, where it is a link, still leads to the original's bytes: a blob can be removed or changed meanwhile.
fn is_right(home: &Home, origin: &Origin) -> Result<bool, StoreError> {
    let Some(EntryId::Link { text }) = &origin.entry else {
        return Ok(true);
    };
    let read = home.root.read_link(&origin.path, text, LIMIT);
    Ok(read.is_ok_and(|read| Some(Digest::of(&read.bytes)) == origin.digest))
}

/// Where attributes come from: the copy of the original, else what stands there.
fn source(
    parent: &Folder,
    name: &str,
    home: &Home,
    origin: &Origin,
) -> Result<Option<std::fs::File>, StoreError> {
    for (folder, name) in [(&home.folder, origin.copy().as_str()), (parent, name)] {
        if matches!(folder.stat(name)?, Some((Kind::File, _))) {
            return Ok(Some(folder.open_file(name)?.file));
        }
    }
    Ok(None)
}
