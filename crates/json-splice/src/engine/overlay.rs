//! The document as the operations so far have left it.

use super::locate::Locator;
use super::source::Source;
use super::tree::{Added, Child, Container, Node, NodeId, Piece, Slot, TextId};
use super::trie::Trie;
use crate::kind::Kind;
use crate::pointer::Pointer;
use crate::scan::{Scanner, Sink};
use crate::text::encode;
use std::borrow::Cow;
use std::ops::Range;

/// A tree over a source. Changes are kept in the tree; the source stays as it is.
#[derive(Debug)]
pub(crate) struct Overlay<S> {
    source: S,
    /// The texts of values put in; text 1 comes first.
    texts: Vec<Vec<u8>>,
    nodes: Vec<Node>,
    root: NodeId,
}

/// Where a child is in its container now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    /// A child of the text, by its index there; for an element, also the part of the array and how
    /// far into it.
    Known(usize, usize, usize),
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
    /// An overlay without changes; the first of `nodes` is the root.
    pub(crate) fn new(source: S, nodes: Vec<Node>) -> Overlay<S> {
        Overlay {
            source,
            texts: Vec::new(),
            nodes,
            root: 0,
        }
    }

    pub(crate) fn source(&self) -> &S {
        &self.source
    }

    pub(crate) fn root(&self) -> NodeId {
        self.root
    }

    /// Gives the whole document a new value.
    pub(crate) fn replace_root(&mut self, node: NodeId) {
        self.root = node;
    }

    /// The node of the document's own outermost value.
    pub(crate) fn first_root(&self) -> NodeId {
        0
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        // Ids come from this tree only, and nodes are never taken away.
        self.nodes.get(id).unwrap_or(&NOTHING)
    }

    /// The bytes of `range` of a text.
    pub(crate) fn read(
        &self,
        text: TextId,
        range: Range<usize>,
    ) -> Result<Cow<'_, [u8]>, S::Error> {
        match text.checked_sub(1) {
            None => self.source.read(range),
            Some(own) => Ok(Cow::Borrowed(
                self.texts
                    .get(own)
                    .and_then(|text| text.get(range))
                    .unwrap_or_default(),
            )),
        }
    }

    /// A node for a value that is not part of the document: a text of its own.
    pub(crate) fn put_text(&mut self, value: Vec<u8>) -> NodeId {
        let kind = value.first().and_then(|byte| Kind::of_first_byte(*byte));
        let span = 0..value.len();
        self.texts.push(value);
        self.nodes.push(Node {
            text: self.texts.len(),
            span,
            kind: kind.unwrap_or(Kind::Null),
            inside: None,
        });
        self.nodes.len() - 1
    }

    /// The inside of a container that has been looked into.
    pub(crate) fn inside(&self, id: NodeId) -> Option<&Container> {
        self.node(id).inside.as_ref()
    }

    pub(crate) fn inside_mut(&mut self, id: NodeId) -> Option<&mut Container> {
        self.nodes.get_mut(id)?.inside.as_mut()
    }

    /// Scans the text of a value, which has been found valid before, into `sink`.
    pub(crate) fn scan<K: Sink>(&self, id: NodeId, sink: K) -> Result<K, S::Error> {
        let node = self.node(id);
        let mut scanner = Scanner::new(sink);
        match node.text {
            0 => self.source.feed(node.span.clone(), &mut scanner)?,
            text => {
                let bytes = self.read(text, node.span.clone())?;
                let _valid = scanner.feed(&bytes);
            }
        }
        Ok(scanner.into_sink())
    }

    /// Looks for `tokens` in a value that nothing is known of yet.
    pub(crate) fn locate(&mut self, id: NodeId, tokens: &[String]) -> Result<(), S::Error> {
        let node = self.node(id);
        if !node.kind.is_container() || node.inside.is_some() {
            return Ok(());
        }
        let trie = Trie::new([&Pointer::from_tokens(tokens)]);
        let locator = Locator::within(trie, node.text, node.span.start, self.nodes.len());
        let mut nodes = self.scan(id, locator)?.into_nodes().into_iter();
        let inside = nodes.next().and_then(|root| root.inside);
        if let Some(node) = self.nodes.get_mut(id) {
            node.inside = inside;
        }
        self.nodes.extend(nodes);
        Ok(())
    }

    /// Makes every child of a container known.
    pub(crate) fn expand(&mut self, id: NodeId) -> Result<(), S::Error> {
        let node = self.node(id);
        if !node.kind.is_container() || node.inside.as_ref().is_some_and(|inside| inside.complete) {
            return Ok(());
        }
        let (text, span) = (node.text, node.span.clone());
        let locator = self.scan(id, Locator::children(text, span.start))?;
        let Some(mut whole) = locator
            .into_nodes()
            .into_iter()
            .next()
            .and_then(|n| n.inside)
        else {
            return Ok(());
        };
        if let Some(node) = self.nodes.get_mut(id) {
            if let Some(partial) = node.inside.take() {
                whole.take_changes(partial);
            }
            node.inside = Some(whole);
        }
        Ok(())
    }

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
                Some(Slot::Known { index, .. }) => Look::There(At::Known(*index, 0, 0)),
                Some(Slot::Added(at)) => Look::There(At::Added(*at)),
                Some(Slot::Absent) | None => Look::NoMember,
            });
        }
        let Some(index) = crate::pointer::array_index(token) else {
            return Ok(Look::NoIndex);
        };
        let (at, into) = inside.piece_at(index);
        let len = inside.elements();
        Ok(match inside.pieces().get(at) {
            Some(Piece::Kept(kept)) => Look::There(At::Known(kept.start + into, at, into)),
            Some(Piece::Added(_)) => Look::There(At::Added(at)),
            None => Look::NoElement { index, len },
        })
    }

    /// The node of a child.
    pub(crate) fn child(&mut self, id: NodeId, at: At) -> Result<NodeId, S::Error> {
        let index = match at {
            At::Added(at) => return Ok(self.added(id, at)),
            At::Known(index, ..) => index,
        };
        self.know(id, index..index + 1)?;
        let next = self.nodes.len();
        let text = self.node(id).text;
        let Some(child) = self.known_mut(id, index) else {
            return Ok(next);
        };
        if let Some(node) = child.node {
            return Ok(node);
        }
        child.node = Some(next);
        let node = Node {
            text,
            span: child.value.clone(),
            kind: child.kind,
            inside: None,
        };
        self.nodes.push(node);
        Ok(next)
    }

    /// Takes a child out.
    pub(crate) fn remove(&mut self, id: NodeId, at: At, token: &str) -> Result<(), S::Error> {
        if let At::Known(index, ..) = at {
            self.know(id, index.saturating_sub(1)..index + 2)?;
        }
        let object = self.node(id).kind == Kind::Object;
        let Some(inside) = self.inside_mut(id) else {
            return Ok(());
        };
        if let At::Known(index, ..) = at
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
            At::Known(index, piece, _) => {
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
            At::Known(index, ..) => {
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

    fn know(&mut self, id: NodeId, indices: Range<usize>) -> Result<(), S::Error> {
        match self.inside(id) {
            Some(inside) if !inside.knows(indices) => self.expand(id),
            _ => Ok(()),
        }
    }

    fn known_mut(&mut self, id: NodeId, index: usize) -> Option<&mut Child> {
        self.inside_mut(id)?.child_mut(index)
    }
}

static NOTHING: Node = Node {
    text: 0,
    span: 0..0,
    kind: Kind::Null,
    inside: None,
};

impl Container {
    /// Takes over what `partial`, the same container, already holds beside its text.
    fn take_changes(&mut self, partial: Container) {
        for child in partial.known {
            if let Some(known) = self.child_mut(child.index) {
                known.node = child.node;
                known.removed = child.removed;
            }
        }
        for (name, slot) in partial.names {
            self.names.insert(name, slot);
        }
        self.added = partial.added;
        self.pieces = partial.pieces;
        self.place = partial.place;
    }
}
