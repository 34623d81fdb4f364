//! What a file turned out to be.

use json_splice::{Document, SyntaxError};

use crate::store::FsError;

/// The first line of a Git LFS pointer, by the specification of Git LFS.
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// A file's content as the rules see it.
#[derive(Debug)]
pub enum Content<'v> {
    /// There is no such file.
    Missing,
    /// JSON, in the dialect that Python writes.
    Json(Document<'v>),
    /// A file that is not meant to be JSON.
    Text(&'v [u8]),
    /// Meant to be JSON, and not.
    Broken(SyntaxError),
    /// A Git LFS pointer in place of the file.
    LfsPointer,
    /// It could not be read, for this reason.
    Unreadable(FsError),
}

impl<'v> Content<'v> {
    /// Looks at a file's bytes.
    #[must_use]
    pub fn of(name: &str, bytes: &'v [u8]) -> Self {
        if is_lfs_pointer(bytes) {
            Self::LfsPointer
        } else if is_json_name(name) {
            Document::parse(bytes).map_or_else(Self::Broken, Self::Json)
        } else {
            Self::Text(bytes)
        }
    }
}

/// Whether the bytes are a Git LFS pointer.
#[must_use]
pub fn is_lfs_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(LFS_POINTER)
}

/// Whether a file of this name is meant to be JSON.
#[must_use]
pub fn is_json_name(name: &str) -> bool {
    name.ends_with(".json")
}
