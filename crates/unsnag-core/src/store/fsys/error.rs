//! What the file system refused: which operation, on which path, and why.

use std::path::{Path, PathBuf};

use rustix::io::Errno;

/// An operation that failed, or a file that is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FsError {
    /// The system refused an operation.
    #[error("{}: {operation}: {}", path.display(), describe(*errno))]
    System {
        /// What was tried: `open`, `write`, `rename`, ...
        operation: &'static str,
        /// On what.
        path: PathBuf,
        /// Why not.
        errno: Errno,
    },
    /// It is no regular file.
    #[error("{}: is {found}, not a regular file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// It is a link that leads somewhere unknown.
    #[error("{}: is a link to {target}, which is neither in this directory nor a blob of its hub cache; it is not followed", path.display())]
    UnknownLink {
        /// The path.
        path: PathBuf,
        /// Where it leads.
        target: String,
    },
    /// It is larger than what is read.
    #[error("{}: is {len} bytes, more than the {limit} that are read", path.display())]
    TooLarge {
        /// The path.
        path: PathBuf,
        /// Its length.
        len: u64,
        /// The limit.
        limit: u64,
    },
    /// It changed while it was read.
    #[error("{}: changed while it was read; try again when nothing else writes it", path.display())]
    Changing {
        /// The path.
        path: PathBuf,
    },
    /// A path that leads out of the directory, or is none.
    #[error("`{0}` is not a path inside the model directory")]
    Outside(String),
}

impl FsError {
    /// A file that was listed and is not there any more.
    #[must_use]
    pub fn vanished(file: &str) -> Self {
        Self::System {
            operation: "open",
            path: PathBuf::from(file),
            errno: Errno::NOENT,
        }
    }

    /// What to do, where that is known.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotAFile { .. } => "put a regular file in its place",
            Self::UnknownLink { .. } => {
                "put the file itself in its place, or name the directory that the link leads to"
            }
            Self::TooLarge { .. } | Self::Changing { .. } => return None,
            Self::Outside(_) => "expected a path below it, such as text_encoder/config.json",
            Self::System { errno, .. } => match *errno {
                Errno::ACCESS | Errno::PERM if self.is_of_reading() => {
                    "this user may not read it: run as its owner, or let the owner's group read it"
                }
                Errno::ROFS => {
                    "the file system is read-only: unsnag apply --out DIR makes a patched twin elsewhere"
                }
                Errno::ACCESS | Errno::PERM => {
                    "the directory cannot be written by this user, or an entry is immutable: unsnag apply --out DIR makes a patched twin elsewhere"
                }
                Errno::NOSPC | Errno::DQUOT => "free some space and run the command again",
                // A mount has no second name beside it.
                Errno::BUSY | Errno::XDEV if !self.is_of_reading() => {
                    "the file is mounted by itself, as `-v FILE:/model/FILE` does: mount its directory instead"
                }
                Errno::LOOP => {
                    "a link stands where a directory or file of this program should be; it is not followed"
                }
                _ => return None,
            },
        })
    }

    /// Whether it was refused to look, and not to change.
    #[must_use]
    pub fn is_of_reading(&self) -> bool {
        matches!(
            self,
            Self::System {
                operation: "open" | "list" | "read" | "read link" | "stat",
                ..
            }
        )
    }

    /// Whether a hard link cannot be had here. FAT, and the kernel for files of other users, say so with EPERM.
    pub(in crate::store) fn is_without_links(&self) -> bool {
        matches!(
            self.errno(),
            Some(Errno::PERM | Errno::MLINK | Errno::NOTSUP | Errno::NOSYS)
        )
    }

    /// The system's reason, where the system refused.
    #[must_use]
    pub fn errno(&self) -> Option<Errno> {
        match self {
            Self::System { errno, .. } => Some(*errno),
            _ => None,
        }
    }
}

/// Names an operation and its path in an error.
pub(in crate::store) fn at<T>(
    operation: &'static str,
    path: &Path,
    result: Result<T, Errno>,
) -> Result<T, FsError> {
    result.map_err(|errno| FsError::System {
        operation,
        path: path.to_owned(),
        errno,
    })
}

/// The system's own words, without its number.
fn describe(errno: Errno) -> String {
    let text = std::io::Error::from(errno).to_string();
    text.split(" (os error")
        .next()
        .unwrap_or_default()
        .to_lowercase()
}
