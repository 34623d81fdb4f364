//! What an operation does to a container of the overlay.

use super::look::At;
use super::overlay::Overlay;
use super::source::Source;
use super::tree::{Added, NodeId, Slot};
use crate::kind::Kind;
use crate::text::encode;

impl<S: Source> Overlay<S> {
    /// Takes a child out.
    pub(crate) fn remove(&mut self, id: NodeId, at: At, token: &str) -> Result<(), S::Error> {
        if let At::Text { index, .. } = at {
            self.know(id, index.saturating_sub(1)..index + 2)?;
        }
        let object = self.node(id).kind == Kind::Object;
        let Some(inside) = self.inside_mut(id) else {
            return Ok(());
        };
        if let At::Text { index, .. } = at
            && let Some(child) = inside.child_mut(index)
        {
            child.removed = true;
        }
        if object {
            if let At::Added(at) = at
                && let Some(added) = inside.added.get_mut(at)
            {
                *added = None;
            }
            inside.names.insert(token.as_bytes().into(), Slot::Absent);
            return Ok(());
        }
        match at {
            At::Added(piece) => inside.pieces().remove(piece, 0),
            At::Text { index, piece } => inside.pieces().remove(piece, index),
        }
        Ok(())
    }

    /// Gives a child a new value.
    pub(crate) fn replace(&mut self, id: NodeId, at: At, node: NodeId) -> Result<(), S::Error> {
        let object = self.node(id).kind == Kind::Object;
        match at {
            At::Text { index, .. } => {
                self.know(id, index..index + 1)?;
                if let Some(child) = self.known_mut(id, index) {
                    child.node = Some(node);
                }
            }
            At::Added(at) => {
                if let Some(inside) = self.inside_mut(id) {
                    if !object {
                        inside.pieces().replace(at, node);
                    } else if let Some(Some(added)) = inside.added.get_mut(at) {
                        added.node = node;
                    }
                }
            }
        }
        Ok(())
    }

    /// Puts a new member at the end of an object.
    pub(crate) fn add_member(&mut self, id: NodeId, name: &str, node: NodeId) {
        if let Some(inside) = self.inside_mut(id) {
            let slot = Slot::Added(inside.added.len());
            inside.names.insert(name.as_bytes().into(), slot);
            inside.added.push(Some(Added {
                name: encode(name),
                node,
            }));
        }
    }

    /// Puts a new element into an array so that it stands at `position`, at most the array's length.
    pub(crate) fn add_element(
        &mut self,
        id: NodeId,
        position: usize,
        node: NodeId,
    ) -> Result<(), S::Error> {
        let Some(inside) = self.inside_mut(id) else {
            return Ok(());
        };
        match inside.pieces().insert(position, node) {
            Some(next) => self.know(id, next.saturating_sub(1)..next + 1),
            None => Ok(()),
        }
    }
}
