//! New files in the state folder, complete and on disk before anything in the directory changes.

use std::fs::File;

use super::StoreError;
use super::entry::EntryId;
use super::fsys::{Digest, Folder, NewFile, Owner};

/// What a new file takes over from another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Like<'f> {
    /// Owner and permission bits.
    pub(super) owner: Owner,
    /// Extended attributes, ACLs among them.
    pub(super) attributes: Option<&'f File>,
    /// Modification time in nanoseconds since 1970; now where it is none.
    pub(super) mtime_ns: Option<i128>,
}

/// Writes a file, gives it owner, bits, attributes and time, brings it to disk, and reads it back.
pub(super) fn stage(
    folder: &Folder,
    name: &str,
    bytes: &[u8],
    like: &Like<'_>,
) -> Result<EntryId, StoreError> {
    let mut file: NewFile = folder.create(name)?;
    file.write(bytes)?;
    file.set_owner(like.owner)?;
    if let Some(from) = like.attributes {
        file.copy_attributes(from)?;
    }
    if let Some(mtime) = like.mtime_ns {
        file.set_mtime(mtime)?;
    }
    file.sync()?;
    file.verify(Digest::of(bytes))?;
    Ok(EntryId::of(bytes))
}
