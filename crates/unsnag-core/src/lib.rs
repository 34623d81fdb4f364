//! Check a model directory against known incompatibilities, plan reversible edits, apply and revert them.
//!
//! ```text
//! model directory ─┐
//! catalogue        ├─▶ check ─▶ Report ─▶ plan ─▶ Plan ─▶ store::apply ─▶ Operation ─▶ store::revert
//! target           ┘
//! ```
//!
//! Everything before `store::apply` only reads. Nothing here prints or reads the environment.

pub mod check;
pub mod diagnose;
pub mod fix;
pub mod plan;
pub mod rule;
pub mod store;
pub mod target;
pub mod view;
pub mod weights;
