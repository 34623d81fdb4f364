//! The file system: every read of a model directory, and every write of this project. All by directory descriptor and single names.

mod digest;
mod error;
mod folder;
mod layout;
mod meta;
mod root;
mod write;

pub use digest::Digest;
pub use error::FsError;
pub use layout::Layout;
pub use meta::{Identity, Kind};
pub use root::{FileRead, Listed, Root};

pub(super) use folder::Folder;
pub(super) use meta::Owner;
pub(super) use write::{NewFile, Swap};
