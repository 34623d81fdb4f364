//! The scan's sink that builds the tree of what is touched.

use super::tree::{Child, Container, Node, NodeId, Slot, TextId};
use super::trie::{Trie, TrieId};
use crate::kind::Kind;
use crate::scan::Sink;
use crate::text::decode;
use std::ops::Range;

/// Records the values that a trie names, the containers on the way to them, and the neighbours.
pub(crate) struct Locator<'t> {
    wanted: Wanted<'t>,
    text: TextId,
    /// Added to each offset: where the scanned text starts within `text`.
    base: usize,
    /// Ids are counted from here.
    first_id: NodeId,
    nodes: Vec<Node>,
    frames: Vec<Frame>,
}

/// What is to be recorded.
enum Wanted<'t> {
    /// The places that the trie names.
    Trie(&'t Trie),
    /// The root's children, all of them.
    Children,
}

/// A watched container whose end has not come yet.
struct Frame {
    node: NodeId,
    trie: TrieId,
    inside: Container,
    name: Range<usize>,
    /// What the trie has for the member whose name was just read.
    named: Option<TrieId>,
    /// The next of the trie's indices.
    next_element: usize,
    /// The child that has begun, and whether it is wanted.
    current: Option<(Child, bool)>,
    previous: Option<Child>,
    before_previous: Option<Child>,
    keep_next: bool,
}

impl<'t> Locator<'t> {
    /// Records what `trie` names of the document.
    pub(crate) fn new(trie: &'t Trie) -> Locator<'t> {
        Locator::of(Wanted::Trie(trie), 0, 0)
    }

    /// Records all the children of one container, whose text starts at `base` of `text`.
    pub(crate) fn children(text: TextId, base: usize) -> Locator<'static> {
        Locator::of(Wanted::Children, text, base)
    }

    fn of(wanted: Wanted<'t>, text: TextId, base: usize) -> Locator<'t> {
        Locator {
            wanted,
            text,
            base,
            first_id: 0,
            nodes: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// The nodes recorded; the first is the root.
    pub(crate) fn into_nodes(self) -> Vec<Node> {
        self.nodes
    }

    /// A new node, and a frame for it if its inside is to be watched.
    fn enter(&mut self, at: usize, kind: Kind, trie: TrieId, watch: bool) -> NodeId {
        let id = self.first_id + self.nodes.len();
        self.nodes.push(Node {
            text: self.text,
            span: at..at,
            kind,
            inside: None,
        });
        if watch {
            let mut inside = Container::default();
            match (&self.wanted, kind) {
                (Wanted::Children, _) => inside.complete = true,
                (Wanted::Trie(wanted), Kind::Object) => {
                    let asked = wanted.names(trie).map(|name| (name.into(), Slot::Absent));
                    inside.names.extend(asked);
                }
                _ => {}
            }
            self.frames.push(Frame {
                node: id,
                trie,
                inside,
                name: at..at,
                named: None,
                next_element: 0,
                current: None,
                previous: None,
                before_previous: None,
                keep_next: false,
            });
        }
        id
    }
}

impl Sink for Locator<'_> {
    fn begin(&mut self, at: usize, kind: Kind) -> bool {
        let at = at + self.base;
        let Some(frame) = self.frames.last_mut() else {
            let watch = kind.is_container()
                && match self.wanted {
                    Wanted::Trie(trie) => trie.goes_on(0),
                    Wanted::Children => true,
                };
            self.enter(at, kind, 0, watch);
            return watch;
        };
        let in_object = !frame.name.is_empty();
        let index = frame.inside.len;
        frame.inside.len += 1;
        let found = match self.wanted {
            Wanted::Children => None,
            Wanted::Trie(_) if in_object => frame.named.take(),
            Wanted::Trie(trie) => match trie.element(frame.trie, frame.next_element) {
                Some((wanted, below)) if wanted == index => {
                    frame.next_element += 1;
                    Some(below)
                }
                _ => None,
            },
        };
        let name = if in_object {
            frame.name.clone()
        } else {
            at..at
        };
        let mut child = Child {
            index,
            name,
            value: at..at,
            kind,
            node: None,
            removed: false,
        };
        let below = match (self.wanted_trie(), found) {
            (Some(trie), Some(below)) if kind.is_container() && trie.goes_on(below) => Some(below),
            _ => None,
        };
        let Some(frame) = self.frames.last_mut() else {
            return false;
        };
        match below {
            None => {
                frame.current = Some((child, found.is_some()));
                false
            }
            Some(below) => {
                child.node = Some(self.first_id + self.nodes.len());
                frame.current = Some((child, true));
                self.enter(at, kind, below, true);
                true
            }
        }
    }

    fn end(&mut self, at: usize) {
        let at = at + self.base;
        let Some(frame) = self.frames.last_mut() else {
            // The root is a scalar, or nothing in it is wanted.
            if let Some(root) = self.nodes.first_mut() {
                root.span.end = at;
            }
            return;
        };
        if let Some((mut child, wanted)) = frame.current.take() {
            child.value.end = at;
            frame.record(child, wanted);
            return;
        }
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        frame.record_last();
        if let Some(node) = self.nodes.get_mut(frame.node - self.first_id) {
            node.span.end = at;
            node.inside = Some(frame.inside);
        }
        if let Some(outer) = self.frames.last_mut()
            && let Some((mut child, wanted)) = outer.current.take()
        {
            child.value.end = at;
            outer.record(child, wanted);
        }
    }

    fn name(&mut self, raw: &[u8], span: Range<usize>) {
        let span = span.start + self.base..span.end + self.base;
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        frame.name = span.clone();
        let plain = decode(raw);
        match self.wanted {
            Wanted::Trie(trie) => frame.named = trie.member(frame.trie, &plain),
            Wanted::Children => {}
        }
        if frame.named.is_none() && !frame.inside.complete {
            return;
        }
        let index = frame.inside.len;
        let slot = frame
            .inside
            .names
            .entry(plain.into())
            .or_insert(Slot::Absent);
        match slot {
            Slot::Known { again, .. } => *again = again.take().or(Some(span)),
            _ => *slot = Slot::Known { index, again: None },
        }
    }
}

impl Locator<'_> {
    fn wanted_trie(&self) -> Option<&Trie> {
        match self.wanted {
            Wanted::Trie(trie) => Some(trie),
            Wanted::Children => None,
        }
    }
}

impl Frame {
    /// A child has ended: keeps it, or remembers it in case the next one is wanted.
    fn record(&mut self, child: Child, wanted: bool) {
        let keep = wanted || self.keep_next || self.inside.complete || child.index < 2;
        if wanted && let Some(previous) = self.previous.take() {
            self.keep(previous);
        }
        self.keep_next = wanted;
        if keep {
            self.keep(child.clone());
        }
        self.before_previous = self.previous.replace(child);
    }

    /// The container has ended: keeps its last two children.
    fn record_last(&mut self) {
        let last = [self.before_previous.take(), self.previous.take()];
        last.into_iter()
            .flatten()
            .for_each(|child| self.keep(child));
    }

    fn keep(&mut self, child: Child) {
        let new = match self.inside.known.last() {
            Some(last) => last.index < child.index,
            None => true,
        };
        if new {
            self.inside.known.push(child);
        }
    }
}
