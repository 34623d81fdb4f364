//! Carries a patch out: one scan finds what it touches, the operations run one after the other on
//! what was found, and what has changed in the end becomes splices.

mod failure;
mod filter;
mod flatten;
mod inverse;
mod layout;
mod locate;
mod overlay;
mod run;
mod source;
mod tree;
mod trie;

pub(crate) use inverse::inverse;
use locate::Locator;
use overlay::Overlay;
use trie::Trie;

use crate::edit::Edits;
use crate::patch::{Operation, OperationError, Patch, PatchError};
use crate::scan;
use std::convert::Infallible;

/// Why the engine stops.
pub(crate) enum Stop<E> {
    /// An operation cannot be carried out.
    Operation(Box<OperationError>),
    /// The document cannot be read.
    Source(E),
}

impl<E> From<E> for Stop<E> {
    fn from(error: E) -> Stop<E> {
        Stop::Source(error)
    }
}

impl From<Stop<Infallible>> for PatchError {
    fn from(stop: Stop<Infallible>) -> PatchError {
        match stop {
            Stop::Operation(error) => PatchError::Operation(error),
            Stop::Source(never) => match never {},
        }
    }
}

/// What `patch` changes in `document`.
pub(crate) fn edits(patch: &Patch, document: &[u8]) -> Result<Edits, PatchError> {
    let mut overlay = locate(patch, document)?;
    for (index, operation) in patch.operations().iter().enumerate() {
        run::run(&mut overlay, index, operation)?;
    }
    Ok(flatten::edits(&overlay).map_err(Stop::Source)?)
}

/// The overlay of `document` in which everything that `patch` names is known.
fn locate<'d>(patch: &Patch, document: &'d [u8]) -> Result<Overlay<&'d [u8]>, PatchError> {
    let trie = trie(patch);
    let nodes = scan::scan(document, Locator::new(&trie))?.into_nodes();
    Ok(Overlay::new(document, nodes))
}

/// Every pointer that the operations name.
fn trie(patch: &Patch) -> Trie {
    let pointers = |operation| {
        [
            Some(Operation::path(operation)),
            Operation::from_path(operation),
        ]
    };
    Trie::new(patch.operations().iter().flat_map(pointers).flatten())
}
