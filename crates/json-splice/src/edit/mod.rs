//! Edits as bytes: what stands where, what takes its place, and the way back.

mod edits;
mod hex;
mod undo;
mod undo_json;

pub use edits::{Edits, EditsError, Splice};
pub use undo::{Undo, UndoError};
