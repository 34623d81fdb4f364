//! The scan's sink that builds the tree of what is touched.

use super::tree::{Child, Container, Node, NodeId, Slot, TextId};
use super::trie::{Trie, TrieId};
use crate::kind::Kind;
use crate::pointer::{Pointer, array_index};
use crate::scan::Sink;
use crate::text::decode;
use std::borrow::Cow;
use std::ops::Range;

/// Records the values that a trie names, the containers on the way to them, and the neighbours.
#[derive(Debug)]
pub(crate) struct Locator {
    wanted: Wanted,
    text: TextId,
    /// Added to each offset: where the scanned text starts within `text`.
    base: usize,
    /// The id that the node after the root will have.
    second: NodeId,
    nodes: Vec<Node>,
    frames: Vec<Frame>,
}

/// What is to be recorded.
#[derive(Debug)]
enum Wanted {
    /// The places that the trie names.
    Trie(Trie),
    /// The root's children, all of them.
    Children,
}

/// A watched container whose end has not come yet.
#[derive(Debug)]
struct Frame {
    /// The container's place in the list of nodes.
    node: usize,
    trie: TrieId,
    inside: Container,
    /// The name that was read last, and what the trie has for it.
    name: Range<usize>,
    named: Option<TrieId>,
    /// The next of the trie's indices.
    next_element: usize,
    /// The last three children that began, each at its index modulo three.
    recent: [Child; 3],
    /// Whether the last of them has not ended, whether it is wanted, and whether the one before was.
    in_child: bool,
    wanted: bool,
    keep_next: bool,
}

impl Locator {
    /// Records what `trie` names of the document.
    pub(crate) fn new(trie: Trie) -> Locator {
        Locator::of(Wanted::Trie(trie), 0, 0, 1)
    }

    /// Records what `trie` names of a value whose text starts at `base` of `text`; the nodes below
    /// it have ids from `second` on.
    pub(crate) fn within(trie: Trie, text: TextId, base: usize, second: NodeId) -> Locator {
        Locator::of(Wanted::Trie(trie), text, base, second)
    }

    /// Records all the children of one container, whose text starts at `base` of `text`.
    pub(crate) fn children(text: TextId, base: usize) -> Locator {
        Locator::of(Wanted::Children, text, base, 1)
    }

    fn of(wanted: Wanted, text: TextId, base: usize, second: NodeId) -> Locator {
        Locator {
            wanted,
            text,
            base,
            second,
            nodes: Vec::new(),
            frames: Vec::new(),
        }
    }

    /// The nodes recorded; the first is the root.
    pub(crate) fn into_nodes(self) -> Vec<Node> {
        self.nodes
    }

    /// What was recorded at `pointer`, which the trie holds: its kind and its span. Of a key that
    /// stands twice the last one counts.
    pub(crate) fn find(&self, pointer: &Pointer) -> Option<(Kind, Range<usize>)> {
        let root = self.nodes.first()?;
        let mut found = (root.kind, root.span.clone());
        let mut node = Some(root);
        for token in pointer.tokens() {
            let inside = node?.inside.as_ref()?;
            let index = match (found.0, inside.names.get(token.as_bytes())) {
                (Kind::Array, _) => array_index(token)?,
                (_, Some(Slot::Known { index, again })) => {
                    again.as_ref().map_or(*index, |(last, _)| *last)
                }
                _ => return None,
            };
            let child = inside.child(index)?;
            found = (child.kind, child.value.clone());
            node = child
                .node
                .and_then(|id| self.nodes.get(id + 1 - self.second));
        }
        Some(found)
    }

    /// A new node, and a frame for it if its inside is to be watched.
    fn enter(&mut self, at: usize, kind: Kind, trie: TrieId, watch: bool) {
        let id = self.nodes.len();
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
                recent: [NO_CHILD; 3],
                in_child: false,
                wanted: false,
                keep_next: false,
            });
        }
    }
}

impl Sink for Locator {
    #[inline]
    fn begin(&mut self, at: usize, kind: Kind) -> bool {
        let at = at + self.base;
        let Some(frame) = self.frames.last_mut() else {
            let watch = kind.is_container() && self.wanted.goes_on(0);
            self.enter(at, kind, 0, watch);
            return watch;
        };
        let index = frame.inside.len;
        frame.inside.len += 1;
        let found = frame.take_wanted(&self.wanted, index);
        let below = found.filter(|below| kind.is_container() && self.wanted.goes_on(*below));
        frame.in_child = true;
        frame.wanted = found.is_some();
        if let Some(child) = frame.recent.get_mut(index % 3) {
            child.index = index;
            child.name = if frame.name.is_empty() {
                at..at
            } else {
                frame.name.clone()
            };
            child.value.start = at;
            child.kind = kind;
            child.node = below.map(|_| self.second + self.nodes.len() - 1);
        }
        match below {
            None => false,
            Some(below) => {
                self.enter(at, kind, below, true);
                true
            }
        }
    }

    #[inline]
    fn end(&mut self, at: usize) {
        let at = at + self.base;
        match self.frames.last_mut() {
            Some(frame) if frame.in_child => frame.child_ended(at),
            _ => self.container_ended(at),
        }
    }

    #[inline]
    fn name(&mut self, raw: &[u8], escaped: bool, span: Range<usize>) {
        let span = span.start + self.base..span.end + self.base;
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        frame.name = span.clone();
        let plain = if escaped {
            decode(raw)
        } else {
            Cow::Borrowed(raw)
        };
        if let Wanted::Trie(trie) = &self.wanted {
            frame.named = trie.member(frame.trie, &plain);
            if frame.named.is_none() {
                return;
            }
        }
        frame.inside.note_name(&plain, span);
    }
}

impl Locator {
    /// The innermost watched container has ended, or a root that is not watched.
    fn container_ended(&mut self, at: usize) {
        let Some(mut frame) = self.frames.pop() else {
            if let Some(root) = self.nodes.first_mut() {
                root.span.end = at;
            }
            return;
        };
        frame.keep_last();
        if let Some(node) = self.nodes.get_mut(frame.node) {
            node.span.end = at;
            node.inside = Some(frame.inside);
        }
        if let Some(outer) = self.frames.last_mut() {
            outer.child_ended(at);
        }
    }
}

impl Wanted {
    fn goes_on(&self, trie: TrieId) -> bool {
        match self {
            Wanted::Trie(wanted) => wanted.goes_on(trie),
            // Of the root's children the inside is not looked at.
            Wanted::Children => trie == 0,
        }
    }
}

impl Frame {
    /// What the trie has for the child that begins.
    #[inline]
    fn take_wanted(&mut self, wanted: &Wanted, index: usize) -> Option<TrieId> {
        let Wanted::Trie(trie) = wanted else {
            return None;
        };
        if !self.name.is_empty() {
            return self.named.take();
        }
        match trie.element(self.trie, self.next_element) {
            Some((wanted, below)) if wanted == index => {
                self.next_element += 1;
                Some(below)
            }
            _ => None,
        }
    }

    /// A child has ended: keeps it, its neighbour before it, or neither.
    #[inline]
    fn child_ended(&mut self, at: usize) {
        self.in_child = false;
        let index = self.inside.len.wrapping_sub(1);
        if let Some(child) = self.recent.get_mut(index % 3) {
            child.value.end = at;
        }
        if self.wanted || self.keep_next || index < 2 || self.inside.complete {
            if self.wanted {
                self.keep(index.wrapping_sub(1));
            }
            self.keep(index);
        }
        self.keep_next = self.wanted;
    }

    /// The container has ended: keeps its last two children.
    fn keep_last(&mut self) {
        self.keep(self.inside.len.wrapping_sub(2));
        self.keep(self.inside.len.wrapping_sub(1));
    }

    /// Keeps one of the last three children, unless it is kept already or there is none.
    fn keep(&mut self, index: usize) {
        let last = self.inside.known.last();
        if index >= self.inside.len || last.is_some_and(|last| last.index >= index) {
            return;
        }
        if let Some(child) = self.recent.get(index % 3) {
            self.inside.known.push(child.clone());
        }
    }
}

impl Container {
    /// Notes the name of the child that comes next.
    fn note_name(&mut self, plain: &[u8], span: Range<usize>) {
        let index = self.len;
        match self.names.get_mut(plain) {
            Some(Slot::Known { again, .. }) => *again = Some((index, span)),
            Some(slot) => *slot = Slot::Known { index, again: None },
            None => {
                let slot = Slot::Known { index, again: None };
                self.names.insert(plain.into(), slot);
            }
        }
    }
}

/// Stands where no child has been yet.
const NO_CHILD: Child = Child {
    index: 0,
    name: 0..0,
    value: 0..0,
    kind: Kind::Null,
    node: None,
    removed: false,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan;

    fn known(text: &str, pointers: &[&str]) -> Vec<usize> {
        let pointers: Vec<Pointer> = pointers.iter().filter_map(|p| p.parse().ok()).collect();
        let locator = scan::scan(text.as_bytes(), Locator::new(Trie::new(&pointers)));
        let nodes = locator.map(Locator::into_nodes).unwrap_or_default();
        let inside = nodes.into_iter().next().and_then(|root| root.inside);
        let known = inside.unwrap_or_default().known;
        known.iter().map(|child| child.index).collect()
    }

    #[test]
    fn the_ends_the_wanted_and_their_neighbours_are_kept_and_no_others() {
        let array = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]";
        assert_eq!(known(array, &["/5"]), [0, 1, 4, 5, 6, 10, 11]);
        assert_eq!(known(array, &["/3", "/5"]), [0, 1, 2, 3, 4, 5, 6, 10, 11]);
        assert_eq!(known(array, &["/0", "/11", "/12"]), [0, 1, 10, 11]);
        let object = r#"{"a":0,"b":1,"c":{"x":[]},"d":3,"e":4,"f":5,"g":6,"h":7}"#;
        assert_eq!(known(object, &["/e"]), [0, 1, 3, 4, 5, 6, 7]);
        assert_eq!(known(object, &["/c/x/0"]), [0, 1, 2, 3, 6, 7]);
        assert!(known("{}", &["/a"]).is_empty());
    }
}
