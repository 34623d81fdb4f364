//! The verbs, one file each.

pub mod apply;
pub mod check;
pub mod diagnose;
pub mod diff;
pub mod explain;
pub mod forget;
pub mod history;
pub mod lint;
pub mod list;
pub mod patch;
pub mod recover;
pub mod revert;
pub mod status;

mod open;
