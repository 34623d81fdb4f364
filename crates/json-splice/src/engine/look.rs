//! What a container of the overlay has under a token.

use super::overlay::Overlay;
use super::pieces::Piece;
use super::source::Source;
use super::tree::{Node, NodeId, Slot};
use crate::kind::Kind;
use std::ops::Range;

/// Where a child is in its container now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    /// A child of the text, by its index there; of an element also the part of the array it is in.
    Text { index: usize, piece: usize },
    /// A child put in: its place in the list of members added or of the array's parts.
    Added(usize),
}

/// What a container has under a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Look {
    /// A child.
    There(At),
    /// An object has no such member.
    NoMember,
    /// An object's member stands twice; here the second time.
    Twice(Range<usize>),
    /// An array has fewer elements.
    NoElement { index: usize, len: usize },
    /// An array's token that is no index.
    NoIndex,
    /// The value holds nothing.
    NotAContainer,
}

impl<S: Source> Overlay<S> {
    /// Looks into a container for a token.
    pub(crate) fn look(&mut self, id: NodeId, token: &str) -> Result<Look, S::Error> {
        let kind = self.node(id).kind;
        if !kind.is_container() {
            return Ok(Look::NotAContainer);
        }
        let asked = match (kind, self.inside(id)) {
            (_, None) => false,
            (Kind::Object, Some(inside)) => {
                inside.complete || inside.names.contains_key(token.as_bytes())
            }
            _ => true,
        };
        if !asked {
            self.expand(id)?;
        }
        let Some(inside) = self.inside_mut(id) else {
            return Ok(Look::NotAContainer);
        };
        if kind == Kind::Object {
            return Ok(match inside.names.get(token.as_bytes()) {
                Some(Slot::Known {
                    again: Some((_, span)),
                    ..
                }) => Look::Twice(span.clone()),
                Some(Slot::Known { index, .. }) => Look::There(At::Text {
                    index: *index,
                    piece: 0,
                }),
                Some(Slot::Added(at)) => Look::There(At::Added(*at)),
                Some(Slot::Absent) | None => Look::NoMember,
            });
        }
        let Some(index) = crate::pointer::array_index(token) else {
            return Ok(Look::NoIndex);
        };
        let (at, into) = inside.pieces().find(index);
        let len = inside.pieces().len();
        Ok(match inside.pieces().get(at) {
            Some(Piece::Kept(kept)) => Look::There(At::Text {
                index: kept.start + into,
                piece: at,
            }),
            Some(Piece::Added(_)) => Look::There(At::Added(at)),
            None => Look::NoElement { index, len },
        })
    }

    /// The node of a child.
    pub(crate) fn child(&mut self, id: NodeId, at: At) -> Result<NodeId, S::Error> {
        let index = match at {
            At::Added(at) => return Ok(self.added(id, at)),
            At::Text { index, .. } => index,
        };
        self.know(id, index..index + 1)?;
        let text = self.node(id).text;
        let Some(child) = self.known_mut(id, index) else {
            return Ok(id);
        };
        if let Some(node) = child.node {
            return Ok(node);
        }
        let node = Node {
            text,
            span: child.value.clone(),
            kind: child.kind,
            inside: None,
        };
        let node = self.push(node);
        if let Some(child) = self.known_mut(id, index) {
            child.node = Some(node);
        }
        Ok(node)
    }

    fn added(&mut self, id: NodeId, at: usize) -> NodeId {
        let object = self.node(id).kind == Kind::Object;
        let found = self.inside_mut(id).and_then(|inside| {
            if object {
                inside.added.get(at)?.as_ref().map(|added| added.node)
            } else {
                match inside.pieces().get(at)? {
                    Piece::Added(node) => Some(*node),
                    Piece::Kept(_) => None,
                }
            }
        });
        found.unwrap_or(id)
    }
}
