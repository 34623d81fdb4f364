//! RFC 6902 patches: what they say, how they are read and written, and why one does not apply.

mod error;
#[cfg(feature = "json-patch")]
mod json_patch;
mod operation;
mod parse;
mod raw;

pub use error::{OperationError, OperationErrorKind, PatchError};
pub use operation::{Operation, Patch};
pub use parse::PatchParseError;
pub use raw::RawValue;
