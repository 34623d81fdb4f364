//! Which places of the document a patch will come to: the pointers as they are written, and where
//! they lead once earlier operations have shifted an array.

use super::pieces::{Piece, Pieces};
use super::trie::{Trie, TrieId};
use crate::patch::{Operation, Patch};
use crate::pointer::{Pointer, array_index};
use std::borrow::Cow;
use std::collections::HashMap;

/// What a scan should look for. It does no harm if a pointer leads nowhere; what is missing here
/// costs another look at its container.
pub(super) fn trie(patch: &Patch) -> Trie {
    let mut foresight = Foresight {
        trie: Trie::empty(),
        arrays: HashMap::new(),
    };
    for operation in patch.operations() {
        foresight.take(operation);
    }
    foresight.trie.finish()
}

struct Foresight {
    trie: Trie,
    /// What has become of the arrays that elements were put into or taken out of, if they are
    /// arrays: their length is not known yet.
    arrays: HashMap<TrieId, Pieces>,
}

impl Foresight {
    fn take(&mut self, operation: &Operation) {
        let path = operation.path();
        match operation {
            Operation::Add { .. } => self.insert(path),
            Operation::Remove { .. } => self.remove(path),
            Operation::Move { from, .. } => {
                self.remove(from);
                self.insert(path);
            }
            Operation::Copy { from, .. } => {
                self.see(from);
                self.insert(path);
            }
            Operation::Replace { .. } | Operation::Test { .. } => {
                self.see(path);
            }
        }
    }

    /// Notes a pointer as it is written and where it leads; returns the place of the container that
    /// holds what it names, unless that is inside a value put in.
    fn see(&mut self, pointer: &Pointer) -> Option<TrieId> {
        self.trie.insert(pointer);
        let (last, parents) = pointer.tokens().split_last()?;
        let parent = parents
            .iter()
            .try_fold(0, |id, token| self.step(id, token))?;
        self.step(parent, last);
        Some(parent)
    }

    /// The place of the document that `token` leads to from `id`.
    fn step(&mut self, id: TrieId, token: &str) -> Option<TrieId> {
        let mut token = Cow::Borrowed(token);
        if let Some(pieces) = self.arrays.get(&id)
            && let Some(position) = array_index(&token)
        {
            let (number, into) = pieces.find(position);
            match pieces.get(number) {
                Some(Piece::Kept(kept)) => token = (kept.start + into).to_string().into(),
                _ => return None,
            }
        }
        Some(self.trie.step(id, &token))
    }

    /// The array that the last token of `pointer` is an index of, and that index.
    fn array(&mut self, pointer: &Pointer) -> Option<(&mut Pieces, usize)> {
        let parent = self.see(pointer)?;
        let position = array_index(pointer.last()?)?;
        let pieces = self.arrays.entry(parent);
        let pieces = pieces.or_insert_with(|| Pieces::of(usize::MAX));
        Some((pieces, position))
    }

    fn insert(&mut self, pointer: &Pointer) {
        if let Some((pieces, position)) = self.array(pointer) {
            pieces.insert(position, 0);
        }
    }

    fn remove(&mut self, pointer: &Pointer) {
        if let Some((pieces, position)) = self.array(pointer) {
            let (number, into) = pieces.find(position);
            let index = match pieces.get(number) {
                Some(Piece::Kept(kept)) => kept.start + into,
                _ => 0,
            };
            pieces.remove(number, index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifted_elements_are_foreseen() {
        let patch = Patch::parse(
            br#"[{"op":"remove","path":"/a/0"},{"op":"remove","path":"/a/0"},{"op":"add","path":"/a/1","value":0},
                {"op":"replace","path":"/a/2/x","value":0},{"op":"move","from":"/a/3","path":"/a/0"},
                {"op":"test","path":"/a/4","value":0}]"#,
        );
        let trie = trie(&patch.unwrap_or_default());
        let array = trie.member(0, b"a").unwrap_or_default();
        let mut elements = Vec::new();
        while let Some((index, _)) = trie.element(array, elements.len()) {
            elements.push(index);
        }
        // Taken out: 0, 1. Then stand there 2, a new one, 3 (with /x), 4. 4 moves to the front, so
        // that 4, 2, the new one, 3, 5 follow; /a/4 is 5. The rest is as written.
        assert_eq!(elements, [0, 1, 2, 3, 4, 5]);
        let (_, third) = trie.element(array, 3).unwrap_or_default();
        assert!(trie.member(third, b"x").is_some());
    }
}
