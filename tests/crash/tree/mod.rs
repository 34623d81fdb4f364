//! What stands on the disk, and what that means.

pub(crate) mod snapshot;
pub(crate) mod verdict;

pub(crate) use snapshot::{Body, Tree};
pub(crate) use verdict::{Expected, Verdict};
