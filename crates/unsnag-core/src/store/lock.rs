//! One writer at a time: an advisory lock on a file of the state folder, which dies with its process.

use std::fs::{File, TryLockError};

use rustix::io::Errno;

use super::fsys::{Folder, FsError, Owner, Root};
use super::home::{FOLDER, LOCK};
use super::{Options, StoreError};

/// The lock; given back when dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

/// One maker of twins at a time in a folder, which has no file of this program to lock: the lock is on the folder itself. `None` where it cannot
/// be had, as on NFS.
pub(super) fn lock_folder(folder: &Folder, options: &Options) -> Result<Option<File>, StoreError> {
    let file = folder.as_file()?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => {
            if let Some(waiting) = options.waiting {
                waiting();
            }
            Ok(file.lock().is_ok().then_some(file))
        }
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Waits until nobody writes; false where nobody did. Needs no right to write, and where there are no locks it does not wait.
pub(super) fn wait(folder: &Folder, waiting: Option<fn()>) -> Result<bool, StoreError> {
    let Ok(opened) = folder.open_file(LOCK) else {
        return Ok(false);
    };
    if !matches!(opened.file.try_lock_shared(), Err(TryLockError::WouldBlock)) {
        return Ok(false);
    }
    if let Some(waiting) = waiting {
        waiting();
    }
    match opened.file.lock_shared() {
        Err(error) if error.kind() != std::io::ErrorKind::Interrupted => {
            Err(failed(folder, &error).into())
        }
        _ => Ok(true),
    }
}

/// Waits for the lock; `None` where the folder was removed meanwhile, so that the caller looks again.
pub(super) fn lock(
    root: &Root,
    folder: &Folder,
    owner: Owner,
    options: &Options,
) -> Result<Option<Lock>, StoreError> {
    let file = match folder.open_lock(LOCK, owner) {
        Ok(file) => file,
        Err(error) if error.errno() == Some(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            if let Some(waiting) = options.waiting {
                waiting();
            }
            while let Err(error) = file.lock() {
                if error.kind() != std::io::ErrorKind::Interrupted {
                    return Err(failed(folder, &error).into());
                }
                if options.interrupted() {
                    return Err(StoreError::Interrupted);
                }
            }
        }
        // NFS without lock daemon, some FUSE: no locks to be had; compare-and-swap still holds.
        Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {}
        Err(TryLockError::Error(error)) => return Err(failed(folder, &error).into()),
    }
    let still = |folder: &Folder, name: &str, inode: u64| {
        Ok::<bool, FsError>(
            folder
                .stat(name)?
                .is_some_and(|(_, found)| found.ino == inode),
        )
    };
    let held = rustix::fs::fstat(&file).map_err(|errno| FsError::System {
        operation: "stat",
        path: folder.full(LOCK),
        errno,
    })?;
    #[allow(clippy::unnecessary_cast)] // the width of st_ino differs by platform
    let here = still(folder, LOCK, held.st_ino as u64)?
        && still(root.folder(), FOLDER, folder.identity()?.ino)?;
    Ok(here.then_some(Lock { _file: file }))
}

fn failed(folder: &Folder, error: &std::io::Error) -> FsError {
    FsError::System {
        operation: "lock",
        path: folder.full(LOCK),
        errno: Errno::from_io_error(error).unwrap_or(Errno::IO),
    }
}
