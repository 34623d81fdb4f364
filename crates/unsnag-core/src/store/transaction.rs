//! Journal, moves, one commit point. An error or a signal before it takes everything back.

use std::collections::BTreeMap;

use super::entry::EntryId;
use super::fsys::{Folder, Identity, Kind, Swap};
use super::home::Home;
use super::stage::{Like, stage};
use super::state::{self, JOURNAL, JOURNAL_NEW, Move, MoveKind, STATE, State};
use super::{Options, StoreError};

/// What a full disk means for the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reserve {
    /// The space that was set aside stays: the way back will need it.
    Keep,
    /// This is the way back.
    Spend,
}

/// Carries out the moves of `next` and commits it. Everything that moves is staged already. What fails before the commit is left to
/// [`undone`](super::recover::undone).
pub(super) fn run(
    home: &Home,
    next: &State,
    reserve: Reserve,
    options: &Options,
) -> Result<(), StoreError> {
    prepare(home, next, reserve)?;
    carry_out(home, next, options)?;
    home.folder.rename(JOURNAL, &home.folder, STATE)?;
    let last = home.folder.sync();
    let clean = last.clone().and_then(|()| home.clean(Some(next)));
    last.and(clean).map_err(StoreError::Unsure)
}

fn prepare(home: &Home, next: &State, reserve: Reserve) -> Result<(), StoreError> {
    let bytes = next.to_bytes().map_err(|problem| StoreError::State {
        path: home.folder.full(JOURNAL),
        problem,
    })?;
    let like = Like {
        owner: state::file_owner(home.owner),
        attributes: None,
        mtime_ns: None,
    };
    let write = || {
        home.folder.remove(JOURNAL_NEW)?;
        stage(&home.folder, JOURNAL_NEW, &bytes, &like)
    };
    match write() {
        Err(error) if reserve == Reserve::Spend && error.is_full() && home.release()? => write()?,
        other => other?,
    };
    home.folder.rename(JOURNAL_NEW, &home.folder, JOURNAL)?;
    // The staged files' names and the journal's, then the state folder's own.
    home.folder.sync()?;
    home.root.folder().sync()?;
    Ok(())
}

fn carry_out(home: &Home, next: &State, options: &Options) -> Result<(), StoreError> {
    let mut parents: BTreeMap<String, Folder> = BTreeMap::new();
    let mut came_out = Vec::new();
    for one in &next.moves {
        if options.interrupted() {
            return Err(StoreError::Interrupted);
        }
        let (parent, name) = home.root.parent(&one.path)?;
        let out = forward(home, &parent, name, one)?;
        came_out.extend(out.map(|identity| (one, identity)));
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
        return Err(StoreError::Interrupted);
    }
    // Who had a file open before it came out can still write to it.
    for (one, identity) in came_out {
        let now = home.folder.stat(&one.slot)?;
        if !now.is_some_and(|(_, now)| now.is_unwritten_since(&identity)) {
            return Err(StoreError::Changed {
                path: home.root.folder().full(&one.path),
            });
        }
    }
    Ok(())
}

/// Makes one move and says what came out, which must be what was read.
fn forward(
    home: &Home,
    parent: &Folder,
    name: &str,
    one: &Move,
) -> Result<Option<Identity>, StoreError> {
    let slot = one.slot.as_str();
    let changed = || StoreError::Changed {
        path: parent.full(name),
    };
    let is = |id: &Option<EntryId>, folder: &Folder, name: &str| match id {
        Some(id) => id.is_at(folder, name),
        None => Ok(folder.stat(name)?.is_none()),
    };
    // Looked at before it is compared, so that a write during the comparison is seen in the end.
    let came_out = || -> Result<Option<Identity>, StoreError> {
        Ok(home.folder.stat(slot)?.map(|(_, identity)| identity))
    };
    let out = match one.kind {
        MoveKind::Exchange => {
            if exchange(home, parent, name, one)? && one.is_new_at(parent, name)? {
                let out = came_out()?;
                // Compare and swap. If it is something else, it goes back in.
                if !is(&one.old, &home.folder, slot)? {
                    parent.exchange(name, &home.folder, slot)?;
                    return Err(changed());
                }
                return Ok(out);
            }
            replace(home, parent, name, one)?
        }
        MoveKind::Place => {
            place(&home.folder, slot, parent, name, home.force_portable)?;
            None
        }
        MoveKind::Take => {
            let moved =
                !home.force_portable && parent.rename_new(name, &home.folder, slot)? == Swap::Done;
            if !moved {
                parent.rename(name, &home.folder, slot)?;
            }
            let out = came_out()?;
            if is(&one.old, &home.folder, slot)? {
                return Ok(out);
            }
            place(&home.folder, slot, parent, name, home.force_portable)?;
            return Err(changed());
        }
    };
    let stands = match one.new {
        Some(_) => one.is_new_at(parent, name)?,
        None => parent.stat(name)?.is_none(),
    };
    if stands { Ok(out) } else { Err(changed()) }
}

/// Exchanges path and slot; false where this file system cannot.
fn exchange(home: &Home, parent: &Folder, name: &str, one: &Move) -> Result<bool, StoreError> {
    let missing = |error: &super::FsError| error.errno() == Some(rustix::io::Errno::NOENT);
    if home.force_portable {
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

/// Where entries cannot be exchanged: the old one gets a second name in the slot, then the new one is renamed over it. Says what is in the slot.
///
/// Between the last look and the rename nothing can be compared: a file that somebody renames to the path just then is replaced.
fn replace(
    home: &Home,
    parent: &Folder,
    name: &str,
    one: &Move,
) -> Result<Option<Identity>, StoreError> {
    let folder = &home.folder;
    let staged = aside(one);
    let changed = || StoreError::Changed {
        path: parent.full(name),
    };
    let is_old = |folder: &Folder, name: &str| match &one.old {
        Some(old) => old.is_at(folder, name),
        None => Ok(false),
    };
    if !is_old(parent, name)? {
        return Err(changed());
    }
    folder.rename(&one.slot, folder, &staged)?;
    let linked = match parent.hard_link(name, folder, &one.slot) {
        Ok(()) => true,
        Err(error) if error.is_without_links() => {
            let found = parent.stat(name)?;
            if found.is_some_and(|(kind, found)| kind == Kind::File && found.nlink > 1) {
                return Err(StoreError::Refused {
                    path: parent.full(name),
                    reason: format!("has other names, which cannot be kept: {error}"),
                    hint: "unsnag apply --out DIR makes a patched twin elsewhere".to_owned(),
                });
            }
            copy(parent, name, folder, &one.slot)?;
            false
        }
        Err(error) => return Err(error.into()),
    };
    folder.sync()?;
    let kept = folder.stat(&one.slot)?.map(|(_, identity)| identity);
    if !is_old(folder, &one.slot)? {
        return Err(changed());
    }
    let same = if linked {
        let here = parent.stat(name)?.map(|(_, identity)| identity);
        here.zip(kept)
            .is_some_and(|(here, kept)| here.is_unwritten_since(&kept))
    } else {
        is_old(parent, name)?
    };
    if !same {
        return Err(changed());
    }
    folder.rename(&staged, parent, name)?;
    Ok(kept)
}

/// Where the new entry waits while the old one takes its slot, where entries cannot be exchanged.
pub(super) fn aside(one: &Move) -> String {
    format!("{}.new", one.slot)
}

/// A second entry like the first, where no hard link can be had.
fn copy(parent: &Folder, name: &str, folder: &Folder, slot: &str) -> Result<(), StoreError> {
    if let Some(EntryId::Link { text }) = EntryId::at(parent, name)? {
        folder.make_link(slot, &text)?;
        if let Some((_, identity)) = parent.stat(name)? {
            folder.dress_link(slot, &identity)?;
        }
        return Ok(());
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
    force_portable: bool,
) -> Result<(), StoreError> {
    let occupied = |error: &super::FsError| error.errno() == Some(rustix::io::Errno::EXIST);
    let changed = || StoreError::Changed {
        path: to.full(name),
    };
    if !force_portable {
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
        Err(error) if error.is_without_links() => match to.stat(name)? {
            None => Ok(from.rename(slot, to, name)?),
            Some(_) => Err(changed()),
        },
        Err(error) => Err(error.into()),
    }
}
