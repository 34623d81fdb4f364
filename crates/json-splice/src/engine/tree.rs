//! What is known of a document: the touched containers and, in them, the touched children with
//! their neighbours. Values that operations put in have texts of their own.

use super::layout::Place;
use super::pieces::Pieces;
use crate::kind::Kind;
use std::collections::HashMap;
use std::ops::Range;

/// A value that is known, by its place in the overlay.
pub(crate) type NodeId = usize;

/// The text that a span is of: 0 is the document, the others belong to values put in.
pub(crate) type TextId = usize;

/// A value.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) text: TextId,
    pub(crate) span: Range<usize>,
    pub(crate) kind: Kind,
    /// What is known of the inside of a container that was looked into.
    pub(crate) inside: Option<Container>,
}

/// The inside of an object or array: its children as they stand in the text, and what became of
/// them.
#[derive(Debug, Default)]
pub(crate) struct Container {
    /// How many children stand in the text.
    pub(crate) len: usize,
    /// Those whose place is known, in order: the first two, the last two, the ones looked for and
    /// the neighbours of these; all of them if `complete`.
    pub(crate) known: Vec<Child>,
    pub(crate) complete: bool,
    /// Of an object: the members that were looked for, by name; all of them if `complete`.
    pub(crate) names: HashMap<Box<[u8]>, Slot>,
    /// Of an object: the members put in.
    pub(crate) added: Vec<Option<Added>>,
    /// Of an array: the elements in their order now; `None` as long as it is as in the text.
    pub(crate) pieces: Option<Pieces>,
    /// How new children are laid out, once one was put in.
    pub(crate) place: Option<Place>,
}

/// A child as it stands in the text.
#[derive(Debug, Clone)]
pub(crate) struct Child {
    pub(crate) index: usize,
    /// Of a member: its name with the quotes; of an element: empty, at the value.
    pub(crate) name: Range<usize>,
    pub(crate) value: Range<usize>,
    pub(crate) kind: Kind,
    /// The value now, if it was looked at. One with another text took the first one's place.
    pub(crate) node: Option<NodeId>,
    pub(crate) removed: bool,
}

/// Where an object's member is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Slot {
    /// There is none of that name.
    Absent,
    /// In the text, `index` the first time; `again` is the last one, if there are several, and
    /// where its name stands.
    Known {
        index: usize,
        again: Option<(usize, Range<usize>)>,
    },
    /// Among the members put in.
    Added(usize),
}

/// A member put into an object.
#[derive(Debug)]
pub(crate) struct Added {
    /// The name as JSON text.
    pub(crate) name: String,
    pub(crate) node: NodeId,
}

impl Child {
    /// Where the child starts: its name, if it has one.
    pub(crate) fn start(&self) -> usize {
        self.name.start
    }
}

impl Container {
    /// The child at `index` of the text, if its place is known.
    pub(crate) fn child(&self, index: usize) -> Option<&Child> {
        let at = self.position(index)?;
        self.known.get(at)
    }

    /// As [`Container::child`], to change it.
    pub(crate) fn child_mut(&mut self, index: usize) -> Option<&mut Child> {
        let at = self.position(index)?;
        self.known.get_mut(at)
    }

    fn position(&self, index: usize) -> Option<usize> {
        self.known
            .binary_search_by_key(&index, |child| child.index)
            .ok()
    }

    /// Whether every child of the text that these indices name is known.
    pub(crate) fn knows(&self, indices: Range<usize>) -> bool {
        self.complete
            || (indices.start..indices.end.min(self.len)).all(|i| self.position(i).is_some())
    }

    /// The array's parts as they are now.
    pub(crate) fn pieces(&mut self) -> &mut Pieces {
        let len = self.len;
        self.pieces.get_or_insert_with(|| Pieces::of(len))
    }

    /// How many children a container of this kind has now.
    pub(crate) fn count(&self, kind: Kind) -> usize {
        if kind == Kind::Array {
            let pieces = self.pieces.as_ref();
            return pieces.map_or(self.len, Pieces::len);
        }
        let removed = self.known.iter().filter(|child| child.removed).count();
        self.len - removed + self.added.iter().flatten().count()
    }
}
