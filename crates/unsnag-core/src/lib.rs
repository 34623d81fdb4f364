//! Check a model directory against known incompatibilities, plan reversible edits, apply and revert them.

pub mod store;
