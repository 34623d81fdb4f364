//! What a directory entry is, in a form that holds across reboots: a file by its hash, a link by its text.

use serde::{Deserialize, Serialize};

use super::fsys::{Digest, Folder, FsError, Kind};

/// The longest file that is hashed.
pub(super) const LIMIT: u64 = 1 << 40;

/// An entry by content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum EntryId {
    /// A regular file.
    File {
        /// SHA-256 of its bytes.
        digest: Digest,
        /// Their number.
        len: u64,
    },
    /// A symbolic link.
    Link {
        /// Its text.
        text: String,
    },
}

impl EntryId {
    /// A file with these bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self::File {
            digest: Digest::of(bytes),
            len: bytes.len() as u64,
        }
    }

    /// What stands at `name`; `None` where nothing does. Anything but a file or a link is refused.
    pub(super) fn at(folder: &Folder, name: &str) -> Result<Option<Self>, FsError> {
        match folder.stat(name)? {
            None => Ok(None),
            Some((Kind::Link, _)) => Ok(Some(Self::Link {
                text: folder.link_text(name)?,
            })),
            Some(_) => Ok(Some(Self::of(&folder.open_file(name)?.read_all(LIMIT)?))),
        }
    }

    /// Whether `name` is this entry. A file of another length is not read.
    pub(super) fn is_at(&self, folder: &Folder, name: &str) -> Result<bool, FsError> {
        match (self, folder.stat(name)?) {
            (Self::File { len, .. }, Some((Kind::File, identity))) if identity.len == *len => {
                Ok(Self::at(folder, name)?.as_ref() == Some(self))
            }
            (Self::Link { text }, Some((Kind::Link, _))) => Ok(folder.link_text(name)? == *text),
            _ => Ok(false),
        }
    }
}
