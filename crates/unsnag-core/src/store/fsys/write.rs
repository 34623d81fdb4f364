//! The calls that change a directory: new files, exchanges, links, renames, removals. Nothing else in this project writes.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::fd::OwnedFd;
use std::path::PathBuf;

use rustix::fs::{AtFlags, Gid, Mode, OFlags, RenameFlags, Timespec, Timestamps, Uid, XattrFlags};
use rustix::io::Errno;

use super::error::at;
use super::folder::{Folder, retry};
use super::meta::{Identity, Owner};
use super::{Digest, FsError};

/// Whether entries were exchanged or moved as asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum Swap {
    /// They were.
    Done,
    /// This file system cannot.
    Unsupported,
}

/// A file in the making: new, open, and nobody else's.
#[derive(Debug)]
pub(in crate::store) struct NewFile {
    file: File,
    path: PathBuf,
}

impl Folder {
    /// Creates a file that was not there, readable by its owner alone.
    pub(in crate::store) fn create(&self, name: &str) -> Result<NewFile, FsError> {
        let path = self.full(name);
        let flags =
            OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd: OwnedFd = at(
            "create",
            &path,
            retry(|| rustix::fs::openat(self.fd(), name, flags, Mode::from_raw_mode(0o600))),
        )?;
        Ok(NewFile {
            file: File::from(fd),
            path,
        })
    }

    /// Opens a file for locking, creating it with this owner and these bits where it is missing.
    pub(in crate::store) fn open_lock(&self, name: &str, owner: Owner) -> Result<File, FsError> {
        let path = self.full(name);
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        loop {
            match retry(|| rustix::fs::openat(self.fd(), name, flags, Mode::empty())) {
                Ok(fd) => return Ok(File::from(fd)),
                Err(Errno::NOENT) => {}
                Err(errno) => return at("open", &path, Err(errno)),
            }
            match self.create(name) {
                Ok(new) => {
                    return match new.set_owner(owner) {
                        Ok(()) => Ok(new.file),
                        Err(error) => {
                            self.remove(name)?;
                            Err(error)
                        }
                    };
                }
                Err(error) if error.errno() == Some(Errno::EXIST) => {} // somebody was faster
                Err(error) => return Err(error),
            }
        }
    }

    /// Creates a directory; false where one was there already.
    pub(in crate::store) fn make_folder(&self, name: &str, mode: u32) -> Result<bool, FsError> {
        match retry(|| rustix::fs::mkdirat(self.fd(), name, Mode::from_raw_mode(mode))) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(errno) => at("create directory", &self.full(name), Err(errno)),
        }
    }

    /// Gives the directory itself an owner and bits.
    pub(in crate::store) fn set_owner(&self, owner: Owner) -> Result<(), FsError> {
        let now = self.identity()?.owner;
        if (now.uid, now.gid) != (owner.uid, owner.gid) {
            let change = || {
                rustix::fs::fchown(
                    self.fd(),
                    Some(Uid::from_raw(owner.uid)),
                    Some(Gid::from_raw(owner.gid)),
                )
            };
            at("change owner", self.path(), retry(change))?;
        }
        if now.mode != owner.mode {
            at(
                "change mode",
                self.path(),
                retry(|| rustix::fs::fchmod(self.fd(), Mode::from_raw_mode(owner.mode))),
            )?;
        }
        Ok(())
    }

    /// Makes a symbolic link.
    pub(in crate::store) fn make_link(&self, name: &str, text: &str) -> Result<(), FsError> {
        at(
            "link",
            &self.full(name),
            retry(|| rustix::fs::symlinkat(text, self.fd(), name)),
        )
    }

    /// Gives a symbolic link the owner and the time of another.
    pub(in crate::store) fn dress_link(&self, name: &str, like: &Identity) -> Result<(), FsError> {
        let path = self.full(name);
        let now = self.stat(name)?.map(|(_, now)| now.owner);
        if now.is_some_and(|now| (now.uid, now.gid) != (like.owner.uid, like.owner.gid)) {
            let change = || {
                rustix::fs::chownat(
                    self.fd(),
                    name,
                    Some(Uid::from_raw(like.owner.uid)),
                    Some(Gid::from_raw(like.owner.gid)),
                    AtFlags::SYMLINK_NOFOLLOW,
                )
            };
            at("keep the owner of", &path, retry(change))?;
        }
        let times = times(like.mtime_ns);
        let set = || rustix::fs::utimensat(self.fd(), name, &times, AtFlags::SYMLINK_NOFOLLOW);
        at("set time", &path, retry(set))
    }

    /// Another name for an entry, a link as a link.
    pub(in crate::store) fn hard_link(
        &self,
        from: &str,
        to: &Self,
        name: &str,
    ) -> Result<(), FsError> {
        at(
            "hard link",
            &to.full(name),
            retry(|| rustix::fs::linkat(self.fd(), from, to.fd(), name, AtFlags::empty())),
        )
    }

    /// Renames over whatever is there.
    pub(in crate::store) fn rename(
        &self,
        from: &str,
        to: &Self,
        name: &str,
    ) -> Result<(), FsError> {
        at(
            "rename",
            &to.full(name),
            retry(|| rustix::fs::renameat(self.fd(), from, to.fd(), name)),
        )
    }

    /// Renames where nothing is.
    pub(in crate::store) fn rename_new(
        &self,
        from: &str,
        to: &Self,
        name: &str,
    ) -> Result<Swap, FsError> {
        let call =
            || rustix::fs::renameat_with(self.fd(), from, to.fd(), name, RenameFlags::NOREPLACE);
        swapped(retry(call), "rename", || to.full(name))
    }

    /// Exchanges two entries. The first is the one that an error names.
    pub(in crate::store) fn exchange(
        &self,
        one: &str,
        folder: &Self,
        other: &str,
    ) -> Result<Swap, FsError> {
        let call =
            || rustix::fs::renameat_with(self.fd(), one, folder.fd(), other, RenameFlags::EXCHANGE);
        swapped(retry(call), "exchange", || self.full(one))
    }

    /// Removes an entry that is no directory; false where it is missing.
    pub(in crate::store) fn remove(&self, name: &str) -> Result<bool, FsError> {
        match retry(|| rustix::fs::unlinkat(self.fd(), name, AtFlags::empty())) {
            Ok(()) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(errno) => at("remove", &self.full(name), Err(errno)),
        }
    }

    /// Removes an empty directory.
    pub(in crate::store) fn remove_folder(&self, name: &str) -> Result<(), FsError> {
        at(
            "remove directory",
            &self.full(name),
            retry(|| rustix::fs::unlinkat(self.fd(), name, AtFlags::REMOVEDIR)),
        )
    }

    /// Makes the entries last.
    pub(in crate::store) fn sync(&self) -> Result<(), FsError> {
        at("sync", self.path(), retry(|| rustix::fs::fsync(self.fd())))
    }
}

impl NewFile {
    /// Writes the content, all of it.
    pub(in crate::store) fn write(&mut self, bytes: &[u8]) -> Result<(), FsError> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match at(
                "write",
                &self.path,
                retry(|| rustix::io::write(&self.file, rest)),
            )? {
                0 => return at("write", &self.path, Err(Errno::NOSPC)),
                written => rest = rest.get(written..).unwrap_or_default(),
            }
        }
        Ok(())
    }

    /// Takes over owner and bits. The owner first: a change of owner clears set-id bits.
    pub(in crate::store) fn set_owner(&self, owner: Owner) -> Result<(), FsError> {
        let now = self.identity()?.owner;
        if (now.uid, now.gid) != (owner.uid, owner.gid) {
            let change = || {
                rustix::fs::fchown(
                    &self.file,
                    Some(Uid::from_raw(owner.uid)),
                    Some(Gid::from_raw(owner.gid)),
                )
            };
            at("keep the owner of", &self.path, retry(change))?;
        }
        if now.mode != owner.mode {
            at(
                "change mode",
                &self.path,
                retry(|| rustix::fs::fchmod(&self.file, Mode::from_raw_mode(owner.mode))),
            )?;
        }
        Ok(())
    }

    /// Takes over the extended attributes of another file, ACLs among them. Those that only the system may set are its own affair.
    pub(in crate::store) fn copy_attributes(&self, from: &File) -> Result<(), FsError> {
        let mut names = Vec::with_capacity(1024);
        match retry(|| rustix::fs::flistxattr(from, rustix::buffer::spare_capacity(&mut names))) {
            Ok(_) => {}
            Err(Errno::NOTSUP) => return Ok(()),
            Err(Errno::RANGE) => {
                let len = at(
                    "read attributes",
                    &self.path,
                    retry(|| rustix::fs::flistxattr_query(from)),
                )?;
                names.reserve(len);
                at(
                    "read attributes",
                    &self.path,
                    retry(|| {
                        rustix::fs::flistxattr(from, rustix::buffer::spare_capacity(&mut names))
                    }),
                )?;
            }
            Err(errno) => return at("read attributes", &self.path, Err(errno)),
        }
        let names: Vec<&[u8]> = split(&names).collect();
        for name in &names {
            let name = *name;
            let mut value = Vec::with_capacity(64 * 1024);
            let read = retry(|| {
                rustix::fs::fgetxattr(from, name, rustix::buffer::spare_capacity(&mut value))
            });
            let set = read.and_then(|_| {
                retry(|| rustix::fs::fsetxattr(&self.file, name, &value, XattrFlags::empty()))
            });
            if is_own(name) {
                at("keep the attributes of", &self.path, set)?;
            }
        }
        // What the new file inherited from its folder and the other has not: a default ACL.
        let mut own = Vec::with_capacity(64 * 1024);
        let listed =
            retry(|| rustix::fs::flistxattr(&self.file, rustix::buffer::spare_capacity(&mut own)));
        at("read attributes", &self.path, listed)?;
        for name in split(&own).filter(|name| is_own(name) && !names.contains(name)) {
            at(
                "keep the attributes of",
                &self.path,
                retry(|| rustix::fs::fremovexattr(&self.file, name)),
            )?;
        }
        Ok(())
    }

    /// Sets the modification time in nanoseconds since 1970.
    pub(in crate::store) fn set_mtime(&self, ns: i128) -> Result<(), FsError> {
        let times = times(ns);
        at(
            "set time",
            &self.path,
            retry(|| rustix::fs::futimens(&self.file, &times)),
        )
    }

    /// Makes the content last.
    pub(in crate::store) fn sync(&self) -> Result<(), FsError> {
        at("sync", &self.path, retry(|| rustix::fs::fsync(&self.file)))
    }

    /// What the file is now.
    pub(in crate::store) fn identity(&self) -> Result<Identity, FsError> {
        at("stat", &self.path, retry(|| rustix::fs::fstat(&self.file)))
            .map(|stat| Identity::of(&stat))
    }

    /// Reads it back and compares.
    pub(in crate::store) fn verify(&mut self, digest: Digest) -> Result<(), FsError> {
        let mut bytes = Vec::new();
        let read = self
            .file
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.file.read_to_end(&mut bytes));
        read.map_err(|error| FsError::System {
            operation: "read back",
            path: self.path.clone(),
            errno: Errno::from_io_error(&error).unwrap_or(Errno::IO),
        })?;
        if Digest::of(&bytes) == digest {
            Ok(())
        } else {
            at("read back", &self.path, Err(Errno::IO))
        }
    }
}

/// The names in a list of attributes.
fn split(names: &[u8]) -> impl Iterator<Item = &[u8]> {
    names
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
}

/// Whether an attribute is the owner's affair, and not the system's.
fn is_own(name: &[u8]) -> bool {
    name.starts_with(b"user.") || name.starts_with(b"system.posix_acl")
}

/// Tells a file system that cannot from one that refuses.
fn swapped(
    result: Result<(), Errno>,
    operation: &'static str,
    path: impl FnOnce() -> PathBuf,
) -> Result<Swap, FsError> {
    match result {
        Ok(()) => Ok(Swap::Done),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(Swap::Unsupported),
        Err(errno) => at(operation, &path(), Err(errno)),
    }
}

/// Access and modification time from nanoseconds since 1970.
fn times(ns: i128) -> Timestamps {
    let time = Timespec {
        tv_sec: i64::try_from(ns.div_euclid(1_000_000_000)).unwrap_or(0),
        tv_nsec: i64::try_from(ns.rem_euclid(1_000_000_000)).unwrap_or(0),
    };
    Timestamps {
        last_access: time,
        last_modification: time,
    }
}
