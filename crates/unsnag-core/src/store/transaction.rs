//! Journal, moves, one commit point. An error or a signal before it takes everything back.

use std::collections::BTreeMap;

use super::entry::EntryId;
use super::fsys::{Folder, Swap};
use super::home::Home;
use super::recover;
use super::stage::{Like, stage};
use super::state::{self, JOURNAL, JOURNAL_NEW, Move, MoveKind, STATE, State};
use super::{Options, StoreError};

/// Carries out the moves of `next` and commits it. Everything that moves is staged already.
pub(super) fn run(home: &Home, next: &State, options: &Options) -> Result<(), StoreError> {
    let result = prepare(home, next).and_then(|()| carry_out(home, next, options));
    if let Err(first) = result {
        return Err(take_back(home, first));
    }
    match home.folder.rename(JOURNAL, &home.folder, STATE) {
        Ok(()) => {}
        Err(error) => return Err(take_back(home, error.into())),
    }
    let last = home.folder.sync();
    let clean = last.clone().and_then(|()| home.clean(Some(next)));
    last.and(clean).map_err(StoreError::Unsure)
}

fn prepare(home: &Home, next: &State) -> Result<(), StoreError> {
    let bytes = next.to_bytes().map_err(|problem| StoreError::State {
        path: home.folder.full(JOURNAL),
        problem,
    })?;
    home.folder.remove(JOURNAL_NEW)?;
    let like = Like {
        owner: state::file_owner(home.owner),
        attributes: None,
        mtime_ns: None,
    };
    stage(&home.folder, JOURNAL_NEW, &bytes, &like)?;
    home.folder.rename(JOURNAL_NEW, &home.folder, JOURNAL)?;
    // The staged files' names and the journal's, then the state folder's own.
    home.folder.sync()?;
    home.root.folder().sync()?;
    Ok(())
}

fn carry_out(home: &Home, next: &State, options: &Options) -> Result<(), StoreError> {
    let mut parents: BTreeMap<String, Folder> = BTreeMap::new();
    for one in &next.moves {
        if options.interrupted() {
            return Err(StoreError::Interrupted);
        }
        let (parent, name) = home.root.parent(&one.path)?;
        forward(home, &parent, name, one, options)?;
        parents.insert(
            one.path
                .rsplit_once('/')
                .map_or_else(String::new, |(folder, _)| folder.to_owned()),
            parent,
        );
    }
    for parent in parents.values() {
        parent.sync()?;
    }
    home.folder.sync()?;
    if options.interrupted() {
        Err(StoreError::Interrupted)
    } else {
        Ok(())
    }
}

fn take_back(home: &Home, first: StoreError) -> StoreError {
    match recover::roll_back(home) {
        Ok(_) => first,
        Err(second) => StoreError::Halfway {
            first: Box::new(first),
            second: Box::new(second),
        },
    }
}

fn forward(
    home: &Home,
    parent: &Folder,
    name: &str,
    one: &Move,
    options: &Options,
) -> Result<(), StoreError> {
    let slot = one.slot.as_str();
    let changed = || StoreError::Changed {
        path: parent.full(name),
    };
    let is = |id: &Option<EntryId>, folder: &Folder, name: &str| match id {
        Some(id) => id.is_at(folder, name),
        None => Ok(folder.stat(name)?.is_none()),
    };
    match one.kind {
        MoveKind::Exchange => {
            if exchange(home, parent, name, one, options)? && is(&one.new, parent, name)? {
                // Compare and swap: what came out must be what was read. If it is not, it goes back in.
                if !is(&one.old, &home.folder, slot)? {
                    parent.exchange(name, &home.folder, slot)?;
                    return Err(changed());
                }
                return Ok(());
            }
            replace(home, parent, name, one)?;
            if is(&one.new, parent, name)? {
                Ok(())
            } else {
                Err(changed())
            }
        }
        MoveKind::Place => {
            place(&home.folder, slot, parent, name, options)?;
            if is(&one.new, parent, name)? {
                Ok(())
            } else {
                Err(changed())
            }
        }
        MoveKind::Take => {
            let moved = !options.force_portable
                && parent.rename_new(name, &home.folder, slot)? == Swap::Done;
            if !moved {
                parent.rename(name, &home.folder, slot)?;
            }
            if is(&one.old, &home.folder, slot)? {
                return Ok(());
            }
            place(&home.folder, slot, parent, name, options)?;
            Err(changed())
        }
    }
}

/// Exchanges path and slot; false where this file system cannot.
fn exchange(
    home: &Home,
    parent: &Folder,
    name: &str,
    one: &Move,
    options: &Options,
) -> Result<bool, StoreError> {
    let missing = |error: &super::FsError| error.errno() == Some(rustix::io::Errno::NOENT);
    if options.force_portable {
        return Ok(false);
    }
    match parent.exchange(name, &home.folder, &one.slot) {
        Ok(swap) => Ok(swap == Swap::Done),
        Err(error) if missing(&error) => Err(StoreError::Changed {
            path: parent.full(name),
        }),
        Err(error) => Err(error.into()),
    }
}

/// Where entries cannot be exchanged: the old one gets a second name in the slot, then the new one is renamed over it.
fn replace(home: &Home, parent: &Folder, name: &str, one: &Move) -> Result<(), StoreError> {
    let folder = &home.folder;
    let staged = format!("{}.new", one.slot);
    let changed = || StoreError::Changed {
        path: parent.full(name),
    };
    if !one
        .old
        .as_ref()
        .map_or(Ok(false), |old| old.is_at(parent, name))?
    {
        return Err(changed());
    }
    folder.rename(&one.slot, folder, &staged)?;
    if parent.hard_link(name, folder, &one.slot).is_err() {
        copy(parent, name, folder, &one.slot)?;
    }
    folder.sync()?;
    if !one
        .old
        .as_ref()
        .map_or(Ok(false), |old| old.is_at(folder, &one.slot))?
    {
        return Err(changed());
    }
    folder.rename(&staged, parent, name)?;
    Ok(())
}

/// A second entry like the first, where no hard link can be had.
fn copy(parent: &Folder, name: &str, folder: &Folder, slot: &str) -> Result<(), StoreError> {
    if let Some(EntryId::Link { text }) = EntryId::at(parent, name)? {
        return Ok(folder.make_link(slot, &text)?);
    }
    let mut opened = parent.open_file(name)?;
    let bytes = opened.read_all(super::entry::LIMIT)?;
    let identity = opened.identity;
    let like = Like {
        owner: identity.owner,
        attributes: Some(&opened.file),
        mtime_ns: Some(identity.mtime_ns),
    };
    stage(folder, slot, &bytes, &like).map(|_| ())
}

/// Moves an entry to a name where nothing may be.
pub(super) fn place(
    from: &Folder,
    slot: &str,
    to: &Folder,
    name: &str,
    options: &Options,
) -> Result<(), StoreError> {
    let occupied = |error: &super::FsError| error.errno() == Some(rustix::io::Errno::EXIST);
    let changed = || StoreError::Changed {
        path: to.full(name),
    };
    if !options.force_portable {
        match from.rename_new(slot, to, name) {
            Ok(Swap::Done) => return Ok(()),
            Ok(Swap::Unsupported) => {}
            Err(error) if occupied(&error) => return Err(changed()),
            Err(error) => return Err(error.into()),
        }
    }
    match from.hard_link(slot, to, name) {
        Ok(()) => {
            from.remove(slot)?;
            Ok(())
        }
        Err(error) if occupied(&error) => Err(changed()),
        Err(_) if to.stat(name)?.is_none() => Ok(from.rename(slot, to, name)?),
        Err(_) => Err(changed()),
    }
}
