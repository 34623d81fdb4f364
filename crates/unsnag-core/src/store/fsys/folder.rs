//! A directory held open: its entries by single names, never through a link.

use std::ffi::CString;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, openat, readlinkat, statat};
use rustix::io::Errno;

use super::FsError;
use super::error::at;
use super::meta::{Identity, Kind};

/// A directory held open.
#[derive(Debug)]
pub(in crate::store) struct Folder {
    fd: OwnedFd,
    path: PathBuf,
}

/// An entry that was opened for reading.
#[derive(Debug)]
pub(in crate::store) struct Opened {
    pub(in crate::store) file: File,
    pub(in crate::store) identity: Identity,
    path: PathBuf,
}

const DIRECTORY: OFlags = OFlags::DIRECTORY
    .union(OFlags::RDONLY)
    .union(OFlags::CLOEXEC);

impl Folder {
    /// Opens a directory by its path; the path itself may lead through links.
    pub(in crate::store) fn open(path: &Path) -> Result<Self, FsError> {
        let fd = at(
            "open",
            path,
            retry(|| openat(CWD, path, DIRECTORY, Mode::empty())),
        )?;
        Ok(Self {
            fd,
            path: path.to_owned(),
        })
    }

    /// Opens a directory in this one; a link is refused.
    pub(in crate::store) fn child(&self, name: &str) -> Result<Self, FsError> {
        let path = self.path.join(name);
        let fd = at(
            "open",
            &path,
            retry(|| openat(&self.fd, name, DIRECTORY | OFlags::NOFOLLOW, Mode::empty())),
        )?;
        Ok(Self { fd, path })
    }

    /// The same directory once more, whatever its path leads to by now.
    pub(in crate::store) fn again(&self) -> Result<Self, FsError> {
        let open = || openat(&self.fd, ".", DIRECTORY, Mode::empty());
        let fd = at("open", &self.path, retry(open))?;
        Ok(Self {
            fd,
            path: self.path.clone(),
        })
    }

    pub(in crate::store) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// The directory as a file, to lock it.
    pub(in crate::store) fn as_file(&self) -> Result<File, FsError> {
        let fd = at(
            "open",
            &self.path,
            retry(|| rustix::io::fcntl_dupfd_cloexec(&self.fd, 0)),
        )?;
        Ok(File::from(fd))
    }

    /// The full path of a name, for errors.
    pub(in crate::store) fn full(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// What the directory itself is.
    pub(in crate::store) fn identity(&self) -> Result<Identity, FsError> {
        at("stat", &self.path, retry(|| rustix::fs::fstat(&self.fd)))
            .map(|stat| Identity::of(&stat))
    }

    /// What an entry is, a link as a link; `None` where it is missing.
    pub(in crate::store) fn stat(&self, name: &str) -> Result<Option<(Kind, Identity)>, FsError> {
        match retry(|| statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW)) {
            Ok(stat) => Ok(Some((Kind::of(&stat), Identity::of(&stat)))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => at("stat", &self.full(name), Err(errno)),
        }
    }

    /// The text of a link.
    pub(in crate::store) fn link_text(&self, name: &str) -> Result<String, FsError> {
        let text: CString = at(
            "read link",
            &self.full(name),
            retry(|| readlinkat(&self.fd, name, Vec::new())),
        )?;
        text.into_string().map_err(|_| FsError::UnknownLink {
            path: self.full(name),
            target: "a name that is not UTF-8".to_owned(),
        })
    }

    /// Opens a regular file; a link or anything else is refused.
    pub(in crate::store) fn open_file(&self, name: &str) -> Result<Opened, FsError> {
        let path = self.full(name);
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let fd = at(
            "open",
            &path,
            retry(|| openat(&self.fd, name, flags, Mode::empty())),
        )?;
        let stat = at("stat", &path, retry(|| rustix::fs::fstat(&fd)))?;
        match Kind::of(&stat) {
            Kind::File => Ok(Opened {
                file: File::from(fd),
                identity: Identity::of(&stat),
                path,
            }),
            Kind::Directory => Err(FsError::NotAFile {
                path,
                found: "a directory",
            }),
            Kind::Link | Kind::Other => Err(FsError::NotAFile {
                path,
                found: "a pipe, socket or device",
            }),
        }
    }

    /// The entries, by name; names that are not UTF-8 are passed over.
    pub(in crate::store) fn entries(&self) -> Result<Vec<(String, Kind)>, FsError> {
        let mut found = Vec::new();
        for entry in self.read()? {
            let entry = at("list", &self.path, entry)?;
            if let Ok(name) = entry.file_name().to_str()
                && name != "."
                && name != ".."
            {
                found.push((name.to_owned(), Kind::from(entry.file_type())));
            }
        }
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(found)
    }

    /// An entry whose name is not UTF-8, as far as it can be written.
    pub(in crate::store) fn unnamed(&self) -> Result<Option<String>, FsError> {
        for entry in self.read()? {
            let entry = at("list", &self.path, entry)?;
            if entry.file_name().to_str().is_err() {
                return Ok(Some(entry.file_name().to_string_lossy().into_owned()));
            }
        }
        Ok(None)
    }

    fn read(&self) -> Result<rustix::fs::Dir, FsError> {
        at(
            "list",
            &self.path,
            retry(|| rustix::fs::Dir::read_from(&self.fd)),
        )
    }
}

impl Opened {
    /// The whole content, which must stand still meanwhile.
    pub(in crate::store) fn read_all(&mut self, limit: u64) -> Result<Vec<u8>, FsError> {
        if self.identity.len > limit {
            return Err(FsError::TooLarge {
                path: self.path.clone(),
                len: self.identity.len,
                limit,
            });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(self.identity.len).unwrap_or(0) + 1);
        (&mut self.file)
            .take(limit.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| FsError::System {
                operation: "read",
                path: self.path.clone(),
                errno: Errno::from_io_error(&error).unwrap_or(Errno::IO),
            })?;
        let after = at("stat", &self.path, retry(|| rustix::fs::fstat(&self.file)))?;
        let now = Identity::of(&after);
        if !now.unchanged(&self.identity)
            && (now.len, now.mtime_ns) != (self.identity.len, self.identity.mtime_ns)
            || bytes.len() as u64 != self.identity.len
        {
            return Err(FsError::Changing {
                path: self.path.clone(),
            });
        }
        Ok(bytes)
    }

    /// A stretch of the content; shorter where the file ends.
    pub(in crate::store) fn read_range(&self, offset: u64, len: u64) -> Result<Vec<u8>, FsError> {
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(usize::MAX).min(1 << 30)];
        let mut filled = 0;
        while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match at(
                "read",
                &self.path,
                retry(|| rustix::io::pread(&self.file, &mut *rest, offset + filled as u64)),
            )? {
                0 => break,
                read => filled += read,
            }
        }
        bytes.truncate(filled);
        Ok(bytes)
    }
}

/// Tries again while a signal interrupts.
pub(super) fn retry<T>(mut call: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            other => return other,
        }
    }
}
