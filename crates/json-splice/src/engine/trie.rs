//! The pointers a scan looks for, as one tree.

use super::filter::Filter;
use crate::pointer::{Pointer, array_index};
use std::collections::HashMap;

/// A node of a [`Trie`].
pub(crate) type TrieId = usize;

/// Pointers that share their beginnings. Node 0 is the root.
#[derive(Debug, Default)]
pub(crate) struct Trie {
    nodes: Vec<TrieNode>,
}

#[derive(Debug, Default)]
struct TrieNode {
    names: HashMap<Box<[u8]>, TrieId>,
    filter: Filter,
    /// Those of `names` that name an array's element, in order of the index.
    indices: Vec<(usize, TrieId)>,
}

impl Trie {
    /// A trie of `pointers`.
    pub(crate) fn new<'p>(pointers: impl IntoIterator<Item = &'p Pointer>) -> Trie {
        let mut trie = Trie::empty();
        for pointer in pointers {
            trie.insert(pointer);
        }
        trie.finish()
    }

    /// A trie to insert pointers into.
    pub(crate) fn empty() -> Trie {
        Trie {
            nodes: vec![TrieNode::default()],
        }
    }

    /// Puts in a pointer.
    pub(crate) fn insert(&mut self, pointer: &Pointer) {
        let tokens = pointer.tokens().iter();
        tokens.fold(0, |id, token| self.step(id, token));
    }

    /// The child of `id` for `token`, a new one if there is none.
    pub(crate) fn step(&mut self, id: TrieId, token: &str) -> TrieId {
        let next = self.nodes.len();
        let Some(node) = self.nodes.get_mut(id) else {
            return id;
        };
        if let Some(known) = node.names.get(token.as_bytes()) {
            return *known;
        }
        node.names.insert(token.as_bytes().into(), next);
        if let Some(index) = array_index(token) {
            node.indices.push((index, next));
        }
        self.nodes.push(TrieNode::default());
        next
    }

    /// The trie, ready for look-ups.
    pub(crate) fn finish(mut self) -> Trie {
        for node in &mut self.nodes {
            node.indices.sort_unstable();
            node.filter = Filter::new(node.names.keys().map(|name| &**name));
        }
        self
    }

    /// Whether any pointer goes on below `id`.
    pub(crate) fn goes_on(&self, id: TrieId) -> bool {
        let node = self.nodes.get(id);
        node.is_some_and(|node| !node.names.is_empty())
    }

    /// The tokens below `id`.
    pub(crate) fn names(&self, id: TrieId) -> impl Iterator<Item = &[u8]> {
        let node = self.nodes.get(id);
        node.into_iter()
            .flat_map(|node| node.names.keys().map(|name| &**name))
    }

    /// The child of `id` for an object's member `name`.
    #[inline]
    pub(crate) fn member(&self, id: TrieId, name: &[u8]) -> Option<TrieId> {
        let node = self.nodes.get(id)?;
        if !node.filter.may_hold(name) {
            return None;
        }
        node.names.get(name).copied()
    }

    /// The `nth` child of `id` that names an array's element: its index and the child.
    #[inline]
    pub(crate) fn element(&self, id: TrieId, nth: usize) -> Option<(usize, TrieId)> {
        self.nodes.get(id)?.indices.get(nth).copied()
    }
}
