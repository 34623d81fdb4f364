//! An RFC 6902 patch that undoes another one's meaning.

use super::look::Look;
use super::overlay::Overlay;
use super::source::Source;
use super::tree::NodeId;
use super::{Stop, flatten, locator, run};
use crate::kind::Kind;
use crate::patch::{Operation, Patch, PatchError, RawValue};
use crate::pointer::Pointer;
use crate::scan;

/// The inverse of `patch` on `document`.
pub(crate) fn inverse(patch: &Patch, document: &[u8]) -> Result<Patch, PatchError> {
    // Says why the patch does not apply in the words of its own operations; below, `move` and
    // `copy` have become what they consist of.
    super::edits(patch, document)?;
    let located = scan::scan(document, locator(patch))?;
    let mut overlay = Overlay::new(document, located.into_nodes());
    let mut inverse = Vec::new();
    for (index, operation) in patch.operations().iter().enumerate() {
        for part in parts(&mut overlay, operation).map_err(Stop::Source)? {
            inverse.extend(undo(&mut overlay, &part).map_err(Stop::Source)?);
            run::run(&mut overlay, index, &part)?;
        }
    }
    inverse.reverse();
    Ok(Patch::new(inverse))
}

/// An operation as additions, removals and replacements.
fn parts<S: Source>(
    overlay: &mut Overlay<S>,
    operation: &Operation,
) -> Result<Vec<Operation>, S::Error> {
    let taken = match operation.from_path() {
        Some(from) => value(overlay, from)?,
        None => None,
    };
    Ok(match (operation, taken) {
        (Operation::Test { .. }, _) => Vec::new(),
        (Operation::Move { from, path }, _) if from == path => Vec::new(),
        (Operation::Move { from, path }, Some(value)) => vec![
            Operation::Remove { path: from.clone() },
            Operation::Add {
                path: path.clone(),
                value,
            },
        ],
        (Operation::Copy { path, .. }, Some(value)) => vec![Operation::Add {
            path: path.clone(),
            value,
        }],
        _ => vec![operation.clone()],
    })
}

/// The operation that undoes an addition, a removal or a replacement that is still to run.
fn undo<S: Source>(
    overlay: &mut Overlay<S>,
    operation: &Operation,
) -> Result<Option<Operation>, S::Error> {
    let path = operation.path().clone();
    let old = value(overlay, &path)?;
    let array = match path.parent() {
        Some(parent) => find(overlay, &parent)?.filter(|id| overlay.node(*id).kind == Kind::Array),
        None => None,
    };
    Ok(match (operation, old, array) {
        (Operation::Remove { .. }, Some(value), _) => Some(Operation::Add { path, value }),
        (Operation::Replace { .. }, Some(value), _) | (_, Some(value), None) => {
            Some(Operation::Replace { path, value })
        }
        (_, _, Some(array)) if path.last() == Some("-") => {
            let index = len(overlay, array)?.to_string();
            let path = path.parent().map(|parent| parent.join(index));
            path.map(|path| Operation::Remove { path })
        }
        _ => Some(Operation::Remove { path }),
    })
}

fn len<S: Source>(overlay: &mut Overlay<S>, array: NodeId) -> Result<usize, S::Error> {
    overlay.look(array, "0")?;
    let inside = overlay.inside_mut(array);
    Ok(inside.map_or(0, |inside| inside.pieces().len()))
}

fn value<S: Source>(
    overlay: &mut Overlay<S>,
    path: &Pointer,
) -> Result<Option<RawValue>, S::Error> {
    let Some(id) = find(overlay, path)? else {
        return Ok(None);
    };
    let text = flatten::text(overlay, id)?;
    Ok(String::from_utf8_lossy(&text).parse().ok())
}

fn find<S: Source>(overlay: &mut Overlay<S>, path: &Pointer) -> Result<Option<NodeId>, S::Error> {
    let mut id = overlay.root();
    for token in path.tokens() {
        match overlay.look(id, token)? {
            Look::There(at) => id = overlay.child(id, at)?,
            _ => return Ok(None),
        }
    }
    Ok(Some(id))
}
