#![doc = include_str!("../README.md")]

mod document;
mod edit;
mod engine;
mod kind;
mod patch;
mod pointer;
mod position;
mod scan;
mod stream;
mod syntax;
mod text;

pub use document::{Document, Elements, Member, Members, Node};
pub use edit::{Edits, EditsError, Splice, Undo, UndoError};
pub use kind::Kind;
pub use patch::{
    Operation, OperationError, OperationErrorKind, Patch, PatchError, PatchParseError, RawValue,
};
pub use pointer::{Pointer, PointerError};
pub use position::{Position, position};
pub use stream::{Item, Items, Located, Scanner, StreamError};
pub use syntax::{Found, SyntaxError};
