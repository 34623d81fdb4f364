//! Carries a patch out: one scan finds what it touches, the operations run one after the other on
//! what was found, and what has changed in the end becomes splices.

mod change;
mod failure;
mod filter;
mod flatten;
mod foresight;
mod inverse;
mod layout;
mod locate;
mod look;
mod overlay;
mod pieces;
mod run;
mod source;
mod survey;
mod tree;
mod trie;

pub(crate) use inverse::inverse;
pub(crate) use locate::Locator;
use overlay::Overlay;
pub(crate) use source::Source;
pub(crate) use trie::Trie;

use crate::edit::Edits;
use crate::patch::{OperationError, Patch, PatchError};
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
    let located = scan::scan(document, locator(patch))?;
    Ok(run(patch, document, located)?)
}

/// A scan's sink that finds everything that `patch` names.
pub(crate) fn locator(patch: &Patch) -> Locator {
    Locator::new(foresight::trie(patch))
}

/// What `patch` changes in `source`, of which `located` holds what the patch names.
pub(crate) fn run<S: Source>(
    patch: &Patch,
    source: S,
    located: Locator,
) -> Result<Edits, Stop<S::Error>> {
    let mut overlay = Overlay::new(source, located.into_nodes());
    for (index, operation) in patch.operations().iter().enumerate() {
        run::run(&mut overlay, index, operation)?;
    }
    Ok(flatten::edits(&overlay)?)
}
