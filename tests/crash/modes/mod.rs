//! The ways to break a run, and what must hold after each.

pub(crate) mod aftermath;
pub(crate) mod contained;
pub(crate) mod crowd;
pub(crate) mod errors;
pub(crate) mod exact;
pub(crate) mod foreign;
pub(crate) mod full;
pub(crate) mod kills;
pub(crate) mod power;
pub(crate) mod refused;
