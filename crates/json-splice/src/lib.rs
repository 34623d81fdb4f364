//! A JSON document that is changed only where it must be: RFC 6901 look-up, RFC 6902 patches as
//! byte splices, exact undo.
//!
//! Nothing outside the touched spans is decoded or written anew, so key order, indentation, line
//! ends, number spelling and escapes stay as they were. Beside RFC 8259 a document may hold what
//! Python writes: bare `NaN`, `Infinity` and `-Infinity`, and a UTF-8 byte order mark. Everything
//! else is refused with a line and a column.

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
