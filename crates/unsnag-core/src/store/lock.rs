//! One writer at a time: an advisory lock on a file of the state folder, which dies with its process.

use std::fs::{File, TryLockError};

use rustix::io::Errno;

use super::fsys::{Folder, FsError, Owner, Root, at};
use super::home::{FOLDER, LOCK};
use super::{Options, StoreError};

/// The lock; given back when dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

/// Waits for the lock; `None` where the folder was removed meanwhile, so that the caller looks again.
pub(super) fn lock(
    root: &Root,
    folder: &Folder,
    owner: Owner,
    options: &Options,
) -> Result<Option<Lock>, StoreError> {
    let file = match folder.open_lock(LOCK, owner.mode) {
        Ok(file) => file,
        Err(error) if error.errno() == Some(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let failed = |error: &std::io::Error| {
        let errno = Errno::from_io_error(error).unwrap_or(Errno::IO);
        at::<()>("lock", &folder.full(LOCK), Err(errno))
            .err()
            .unwrap_or(FsError::Outside(String::new()))
    };
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            if let Some(waiting) = options.waiting {
                waiting();
            }
            while let Err(error) = file.lock() {
                if error.kind() != std::io::ErrorKind::Interrupted {
                    return Err(failed(&error).into());
                }
                if options.interrupted() {
                    return Err(StoreError::Interrupted);
                }
            }
        }
        // NFS without lock daemon, some FUSE: no locks to be had; compare-and-swap still holds.
        Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {}
        Err(TryLockError::Error(error)) => return Err(failed(&error).into()),
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
