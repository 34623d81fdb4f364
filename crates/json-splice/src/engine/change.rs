//! What an operation does to a container of the overlay.

use super::look::At;
use super::overlay::Overlay;
use super::source::Source;
use super::tree::{Added, NodeId, Piece, Slot};
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
        let pieces = inside.pieces();
        match at {
            At::Added(piece) => {
                pieces.remove(piece);
            }
            At::Text { index, piece } => {
                if let Some(Piece::Kept(kept)) = pieces.get(piece).cloned() {
                    let parts = [kept.start..index, index + 1..kept.end];
                    let parts = parts.into_iter().filter(|part| !part.is_empty());
                    pieces.splice(piece..=piece, parts.map(Piece::Kept));
                }
            }
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
                        if let Some(piece) = inside.pieces().get_mut(at) {
                            *piece = Piece::Added(node);
                        }
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
        let (piece, into) = inside.piece_at(position);
        let pieces = inside.pieces();
        let mut boundary = None;
        match pieces.get(piece).cloned() {
            Some(Piece::Kept(kept)) => {
                let (before, after) = (kept.start..kept.start + into, kept.start + into..kept.end);
                boundary = Some(after.start);
                let before = (!before.is_empty()).then_some(Piece::Kept(before));
                let parts = [before, Some(Piece::Added(node)), Some(Piece::Kept(after))];
                pieces.splice(piece..=piece, parts.into_iter().flatten());
            }
            _ => pieces.insert(piece, Piece::Added(node)),
        }
        match boundary {
            Some(index) => self.know(id, index.saturating_sub(1)..index + 1),
            None => Ok(()),
        }
    }
}
