//! What a directory entry is: its kind, its identity, whom it belongs to.

use rustix::fs::{FileType, Stat};
use serde::{Deserialize, Serialize};

/// The kind of a directory entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A pipe, a socket, a device.
    Other,
}

impl Kind {
    pub(super) fn of(stat: &Stat) -> Self {
        Self::from(FileType::from_raw_mode(stat.st_mode))
    }
}

impl From<FileType> for Kind {
    fn from(kind: FileType) -> Self {
        match kind {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Directory,
            FileType::Symlink => Self::Link,
            _ => Self::Other,
        }
    }
}

/// The file behind an entry as the kernel knows it. Device and inode hold within a boot and a mount, not across.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    /// Device.
    pub dev: u64,
    /// Inode.
    pub ino: u64,
    /// Length in bytes.
    pub len: u64,
    /// Modification time in nanoseconds since 1970.
    pub mtime_ns: i128,
    /// Change time in nanoseconds since 1970.
    pub ctime_ns: i128,
    /// Number of hard links.
    pub nlink: u64,
    /// Permission bits and owner.
    pub owner: Owner,
}

/// Permission bits and owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// Permission bits, set-id bits included.
    pub mode: u32,
    /// User.
    pub uid: u32,
    /// Group.
    pub gid: u32,
}

impl Identity {
    #[allow(clippy::unnecessary_cast, clippy::useless_conversion)] // the widths of these fields differ by platform
    pub(super) fn of(stat: &Stat) -> Self {
        let time = |seconds: i128, nanoseconds: i128| seconds * 1_000_000_000 + nanoseconds;
        Self {
            dev: stat.st_dev as u64,
            ino: stat.st_ino as u64,
            len: u64::try_from(stat.st_size).unwrap_or(0),
            mtime_ns: time(i128::from(stat.st_mtime), i128::from(stat.st_mtime_nsec)),
            ctime_ns: time(i128::from(stat.st_ctime), i128::from(stat.st_ctime_nsec)),
            nlink: stat.st_nlink as u64,
            owner: Owner {
                mode: u32::from(stat.st_mode) & 0o7777,
                uid: stat.st_uid,
                gid: stat.st_gid,
            },
        }
    }

    /// Whether it is the same inode, whatever happened to its links.
    #[must_use]
    pub fn same_inode(&self, other: &Self) -> bool {
        (self.dev, self.ino) == (other.dev, other.ino)
    }

    /// Whether it is the same inode and nobody wrote to it, whatever happened to its links.
    #[must_use]
    pub fn is_unwritten_since(&self, before: &Self) -> bool {
        self.same_inode(before) && self.len == before.len && self.mtime_ns == before.mtime_ns
    }

    /// Whether content and inode are as they were.
    #[must_use]
    pub fn unchanged(&self, other: &Self) -> bool {
        self.same_inode(other)
            && self.len == other.len
            && self.mtime_ns == other.mtime_ns
            && self.ctime_ns == other.ctime_ns
    }
}
