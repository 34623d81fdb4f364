//! The state folder `.unsnag`: found, made, cleaned and removed.

use std::cell::RefCell;
use std::path::Path;

use rustix::io::Errno;

use super::Options;
use super::StoreError;
use super::entry::EntryId;
use super::fsys::{Folder, FsError, Kind, Owner, Root};
use super::lock::{Lock, lock};
use super::state::{self, JOURNAL, JOURNAL_NEW, STATE, State, is_slot};

/// Name of the state folder.
pub(super) const FOLDER: &str = ".unsnag";
/// Name of the lock file.
pub(super) const LOCK: &str = "lock";
const IGNORE: &str = ".gitignore";
/// Space that an apply sets aside for the journal of its revert, which so succeeds on a full disk. Holds nothing.
const RESERVE: &str = "reserve";

/// What stays as long as anything is kept, the lock apart.
const LASTING: [&str; 4] = [JOURNAL_NEW, RESERVE, STATE, IGNORE];

/// A model directory with its state folder, locked.
#[derive(Debug)]
pub(super) struct Home {
    pub(super) root: Root,
    pub(super) folder: Folder,
    /// Owner of what is made in the state folder.
    pub(super) owner: Owner,
    /// Never exchange entries.
    pub(super) force_portable: bool,
    /// Given back when the state folder goes, else with the home.
    lock: RefCell<Option<Lock>>,
}

/// Opens the state folder for reading; `None` where there is none.
pub(super) fn existing(root: &Root) -> Result<Option<Folder>, StoreError> {
    match root.folder().stat(FOLDER)? {
        None => Ok(None),
        Some((Kind::Directory, _)) => Ok(Some(root.folder().child(FOLDER)?)),
        Some(_) => Err(StoreError::State {
            path: root.folder().full(FOLDER),
            problem: "is not a directory; it is not followed and not touched".to_owned(),
        }),
    }
}

impl Home {
    /// Opens the directory, makes the state folder where it is missing, and waits for its lock.
    pub(super) fn open(path: &Path, options: &Options) -> Result<Self, StoreError> {
        loop {
            let root = Root::open(path)?;
            let directory = root.folder().identity()?.owner;
            let owner = folder_owner(directory);
            let made = existing(&root)?.is_none() && root.folder().make_folder(FOLDER, 0o700)?;
            let folder = root.folder().child(FOLDER)?;
            let own = || {
                if made {
                    folder.set_owner(owner)
                } else {
                    Ok(())
                }
            };
            let locked = own()
                .map_err(StoreError::from)
                .and_then(|()| lock(&root, &folder, state::file_owner(owner), options));
            let lock = match locked {
                Ok(Some(lock)) => lock,
                Ok(None) => continue,
                Err(error) => {
                    // A folder that never held anything goes again.
                    let _ = root.folder().remove_folder(FOLDER);
                    return Err(error);
                }
            };
            return Ok(Self {
                root,
                folder,
                owner,
                force_portable: options.force_portable,
                lock: RefCell::new(Some(lock)),
            });
        }
    }

    /// Opens the state folder where there is one, and waits for its lock.
    pub(super) fn open_existing(
        path: &Path,
        options: &Options,
    ) -> Result<Option<Self>, StoreError> {
        loop {
            let root = Root::open(path)?;
            let Some(folder) = existing(&root)? else {
                return Ok(None);
            };
            let owner = folder_owner(root.folder().identity()?.owner);
            let lock = match lock(&root, &folder, state::file_owner(owner), options) {
                Ok(Some(lock)) => lock,
                Ok(None) => continue,
                // No space for a lock, and nothing that it would guard.
                Err(error) if error.is_full() && root.folder().remove_folder(FOLDER).is_ok() => {
                    return Ok(None);
                }
                Err(error) => return Err(error),
            };
            return Ok(Some(Self {
                root,
                folder,
                owner,
                force_portable: options.force_portable,
                lock: RefCell::new(Some(lock)),
            }));
        }
    }

    /// Hides the folder from git.
    pub(super) fn write_ignore(&self) -> Result<(), StoreError> {
        if self.folder.stat(IGNORE)?.is_none() {
            let mut file = self.folder.create(IGNORE)?;
            file.write(b"*\n")?;
            file.set_owner(state::file_owner(self.owner))?;
            // Empty, as a power cut would leave it, it hides nothing.
            file.sync()?;
        }
        Ok(())
    }

    /// Sets aside at least `len` bytes for the next journals.
    pub(super) fn set_aside(&self, len: usize) -> Result<(), StoreError> {
        let len = len.next_multiple_of(4096);
        if let Some((_, identity)) = self.folder.stat(RESERVE)?
            && identity.len >= len as u64
        {
            return Ok(());
        }
        self.folder.remove(RESERVE)?;
        let mut file = self.folder.create(RESERVE)?;
        file.write(&vec![0; len])?;
        Ok(file.set_owner(state::file_owner(self.owner))?)
    }

    /// Gives back what was set aside; false where nothing was.
    pub(super) fn release(&self) -> Result<bool, StoreError> {
        Ok(self.folder.remove(RESERVE)?)
    }

    /// Removes what no state speaks of: garbage of the last operation, leftovers of one that was cut off.
    pub(super) fn sweep(&self, state: Option<&State>) -> Result<(), FsError> {
        let mut swept = false;
        for (name, kind) in self.folder.entries()? {
            if kind != Kind::Directory && is_ours(&name) && !is_wanted(&name, state) {
                swept |= self.folder.remove(&name)?;
            }
        }
        // A cut of power must not bring it back.
        if swept { self.folder.sync() } else { Ok(()) }
    }

    /// The same, and the whole folder where nothing is kept.
    pub(super) fn clean(&self, state: Option<&State>) -> Result<(), FsError> {
        let idle = state.is_none_or(State::is_idle);
        self.sweep(state)?;
        if !idle {
            return Ok(());
        }
        for name in LASTING {
            self.folder.remove(name)?;
        }
        self.folder.remove(LOCK)?;
        // FUSE and NFS keep a removed file in its folder as long as it is open.
        drop(self.lock.take());
        match self.root.folder().remove_folder(FOLDER) {
            // Somebody's own files stay, and what is gone is gone.
            Err(error) if matches!(error.errno(), Some(Errno::NOTEMPTY | Errno::NOENT)) => Ok(()),
            other => other,
        }?;
        self.root.folder().sync()
    }
}

/// Whether this program makes files of this name, apart from those that stay to the end.
fn is_ours(name: &str) -> bool {
    let stem = name
        .strip_suffix(".copy")
        .or_else(|| name.strip_suffix(".new"))
        .unwrap_or(name);
    is_slot(stem) || name == JOURNAL_NEW
}

fn is_wanted(name: &str, state: Option<&State>) -> bool {
    state.is_some_and(|state| {
        state.kept.iter().any(|kept| kept.slot == name)
            || state
                .origins
                .iter()
                .any(|origin| origin.slot == name || origin.copy() == name)
    })
}

/// The committed state, where no operation is pending.
pub(super) fn state(folder: &Folder) -> Result<Option<State>, StoreError> {
    let state = State::read(folder, STATE)?;
    refuse_lost(folder, state.as_ref())?;
    Ok(state)
}

/// Stops where originals are kept and nothing says of what. An apply that was cut off before its journal has copies too, but not the originals
/// themselves beside them.
pub(super) fn refuse_lost(folder: &Folder, state: Option<&State>) -> Result<(), StoreError> {
    if state.is_some() {
        return Ok(());
    }
    for (name, _) in folder.entries()? {
        let Some(slot) = name.strip_suffix(".copy").filter(|slot| is_slot(slot)) else {
            continue;
        };
        let is_original = match folder.stat(slot)? {
            Some((Kind::Link, _)) => true,
            Some((Kind::File, _)) => EntryId::at(folder, slot)? == EntryId::at(folder, &name)?,
            _ => false,
        };
        if is_original {
            return Err(StoreError::State {
                path: folder.full(STATE),
                problem: format!(
                    "is missing, and {slot} beside it is the original of a patched file"
                ),
            });
        }
    }
    Ok(())
}

/// Whether anything is there that `clean` would remove, beside the lock that whoever looks may have made.
pub(super) fn has_leftovers(folder: &Folder, state: Option<&State>) -> Result<bool, FsError> {
    let idle = state.is_none_or(State::is_idle);
    let mut entries = folder.entries()?;
    entries.retain(|(name, _)| name != LOCK);
    let leftover = |(name, kind): &(String, Kind)| {
        *kind != Kind::Directory
            && (is_ours(name) && !is_wanted(name, state)
                || idle && LASTING.contains(&name.as_str()))
    };
    Ok(idle && entries.is_empty() || entries.iter().any(leftover))
}

/// The state folder belongs to whom the directory belongs, and its group may use it where it may use the directory.
fn folder_owner(directory: Owner) -> Owner {
    let me = rustix::process::geteuid().as_raw();
    let mode = 0o700 | (directory.mode & 0o070);
    if me == 0 {
        Owner { mode, ..directory }
    } else {
        Owner {
            mode,
            uid: me,
            gid: if mode & 0o070 == 0 {
                rustix::process::getegid().as_raw()
            } else {
                directory.gid
            },
        }
    }
}

/// The names that may hold a journal.
pub(super) fn journal(folder: &Folder) -> Result<Option<State>, StoreError> {
    State::read(folder, JOURNAL)
}
