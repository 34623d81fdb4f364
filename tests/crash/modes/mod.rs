//! The ways in which a run is broken; each returns what it found.

pub(crate) mod aftermath;
pub(crate) mod errors;
pub(crate) mod kills;
