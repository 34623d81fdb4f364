//! What a file was before its first patch: the entry itself, kept in a slot, and a copy of its bytes.

use serde::{Deserialize, Serialize};

use super::StoreError;
use super::entry::EntryId;
use super::fsys::{Digest, Folder, Kind, Owner};

/// A file's first state. Never overwritten while a patch of the file is in place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Origin {
    /// Path in the model directory.
    pub(super) path: String,
    /// Where the entry is kept.
    pub(super) slot: String,
    /// What the entry is; none where there was no file.
    pub(super) entry: Option<EntryId>,
    /// SHA-256 of the bytes, of the link's target where it is a link; none where there was no file.
    pub(super) digest: Option<Digest>,
    /// Modification time of the bytes' file in nanoseconds since 1970.
    pub(super) mtime_ns: i64,
    /// Owner and permission bits of the bytes' file.
    pub(super) owner: Option<Owner>,
}

impl Origin {
    /// The slot's copy.
    pub(super) fn copy(&self) -> String {
        format!("{}.copy", self.slot)
    }

    /// Whether the kept entry is what it was: a hard-linked original can change under another name, an open one under its writer.
    pub(super) fn is_whole(&self, folder: &Folder) -> Result<bool, StoreError> {
        match &self.entry {
            Some(entry) => Ok(entry.is_at(folder, &self.slot)?),
            None => Ok(false),
        }
    }

    /// Whether somebody wrote to the kept entry, and it has no other name under which that would stay.
    pub(super) fn is_written_to(&self, folder: &Folder) -> Result<bool, StoreError> {
        let alone =
            matches!(folder.stat(&self.slot)?, Some((Kind::File, identity)) if identity.nlink == 1);
        Ok(alone && self.entry.is_some() && !self.is_whole(folder)?)
    }
}
