//! The six operations of RFC 6902.

use super::error::PatchError;
use super::raw::RawValue;
use crate::edit::Edits;
use crate::engine;
use crate::pointer::Pointer;
use crate::text::encode;
use std::fmt;

/// One RFC 6902 operation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Adds a member (or gives an existing one a new value), or puts an element into an array before
    /// the index named; `-` names the place after the last element.
    Add {
        /// Where.
        path: Pointer,
        /// What.
        value: RawValue,
    },
    /// Removes a member or an element.
    Remove {
        /// Which.
        path: Pointer,
    },
    /// Gives an existing place a new value.
    Replace {
        /// Where.
        path: Pointer,
        /// What.
        value: RawValue,
    },
    /// Removes a value at `from` and adds it at `path`.
    Move {
        /// Whence.
        from: Pointer,
        /// Whither.
        path: Pointer,
    },
    /// Adds the value at `from` at `path` too.
    Copy {
        /// Whence.
        from: Pointer,
        /// Whither.
        path: Pointer,
    },
    /// Fails unless the same value stands at `path`.
    Test {
        /// Where.
        path: Pointer,
        /// What must stand there.
        value: RawValue,
    },
}

impl Operation {
    /// The name in a patch: `add`, `remove`, `replace`, `move`, `copy` or `test`.
    pub fn name(&self) -> &'static str {
        match self {
            Operation::Add { .. } => "add",
            Operation::Remove { .. } => "remove",
            Operation::Replace { .. } => "replace",
            Operation::Move { .. } => "move",
            Operation::Copy { .. } => "copy",
            Operation::Test { .. } => "test",
        }
    }

    /// The place it acts on.
    pub fn path(&self) -> &Pointer {
        match self {
            Operation::Add { path, .. }
            | Operation::Remove { path }
            | Operation::Replace { path, .. }
            | Operation::Move { path, .. }
            | Operation::Copy { path, .. }
            | Operation::Test { path, .. } => path,
        }
    }

    /// The place that `move` and `copy` take the value from.
    pub fn from_path(&self) -> Option<&Pointer> {
        match self {
            Operation::Move { from, .. } | Operation::Copy { from, .. } => Some(from),
            _ => None,
        }
    }

    /// The value that `add`, `replace` and `test` carry.
    pub fn value(&self) -> Option<&RawValue> {
        match self {
            Operation::Add { value, .. }
            | Operation::Replace { value, .. }
            | Operation::Test { value, .. } => Some(value),
            _ => None,
        }
    }
}

impl fmt::Display for Operation {
    /// The operation as a JSON object on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{\"op\": \"{}\"", self.name())?;
        if let Some(from) = self.from_path() {
            write!(f, ", \"from\": {}", encode(&from.to_string()))?;
        }
        write!(f, ", \"path\": {}", encode(&self.path().to_string()))?;
        if let Some(value) = self.value() {
            write!(f, ", \"value\": {value}")?;
        }
        f.write_str("}")
    }
}

/// An RFC 6902 patch: operations that apply one after the other, all or none.
///
/// ```
/// use json_splice::Patch;
///
/// let config = b"{\n  \"eps\": 1e-06,\n  \"fp8\": true\n}\n";
/// let patch = Patch::parse(br#"[
///     {"op": "test", "path": "/eps", "value": 0.000001},
///     {"op": "remove", "path": "/fp8"},
///     {"op": "add", "path": "/theta", "value": 1E+4}
/// ]"#)?;
/// let edited = patch.edits(config)?.apply(config);
/// assert_eq!(edited, b"{\n  \"eps\": 1e-06,\n  \"theta\": 1E+4\n}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Patch {
    operations: Vec<Operation>,
}

impl Patch {
    /// A patch of `operations`, in their order.
    pub fn new(operations: Vec<Operation>) -> Patch {
        Patch { operations }
    }

    /// The operations, in their order.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// What the patch changes in `document`, as splices. Nothing is changed yet.
    ///
    /// # Errors
    /// When `document` is not JSON, or an operation does not apply to what the ones before it left.
    pub fn edits(&self, document: &[u8]) -> Result<Edits, PatchError> {
        engine::edits(self, document)
    }

    /// A patch that undoes this one on `document`, for people to read and to send on.
    ///
    /// It restores the values, not the bytes: RFC 6902 cannot say where in an object a member stood
    /// or how a value was laid out. [`Edits::undo`] restores every byte.
    ///
    /// # Errors
    /// As [`Patch::edits`].
    pub fn inverse(&self, document: &[u8]) -> Result<Patch, PatchError> {
        engine::inverse(self, document)
    }

    /// The patch as RFC 6902 text, an operation a line.
    pub fn to_json(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.operations.is_empty() {
            return f.write_str("[]");
        }
        f.write_str("[")?;
        for (index, operation) in self.operations.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}\n  {operation}")?;
        }
        f.write_str("\n]")
    }
}
