//! The document as the operations so far have left it.

use super::locate::Locator;
use super::source::Source;
use super::tree::{Child, Container, Node, NodeId, TextId};
use super::trie::Trie;
use crate::kind::Kind;
use crate::pointer::Pointer;
use crate::scan::{Scanner, Sink};
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
        self.push(Node {
            text: self.texts.len(),
            span,
            kind: kind.unwrap_or(Kind::Null),
            inside: None,
        })
    }

    /// A node for a part of a text.
    pub(super) fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
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

    /// Makes the children of the text at `indices` known.
    pub(super) fn know(&mut self, id: NodeId, indices: Range<usize>) -> Result<(), S::Error> {
        match self.inside(id) {
            Some(inside) if !inside.knows(indices) => self.expand(id),
            _ => Ok(()),
        }
    }

    pub(super) fn known_mut(&mut self, id: NodeId, index: usize) -> Option<&mut Child> {
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
