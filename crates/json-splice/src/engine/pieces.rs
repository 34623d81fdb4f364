//! An array as operations have left it: stretches of what it was, and elements put in.

use super::tree::NodeId;
use std::ops::Range;

/// A part of an array as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Elements of the text, by index.
    Kept(Range<usize>),
    /// An element put in.
    Added(NodeId),
}

/// The parts of an array in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pieces {
    pieces: Vec<Piece>,
}

impl Piece {
    pub(crate) fn len(&self) -> usize {
        match self {
            Piece::Kept(range) => range.len(),
            Piece::Added(_) => 1,
        }
    }
}

impl Pieces {
    /// An array of `len` elements as it stands in the text.
    pub(crate) fn of(len: usize) -> Pieces {
        let whole = Some(Piece::Kept(0..len)).filter(|_| len > 0);
        Pieces {
            pieces: whole.into_iter().collect(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter()
    }

    /// How many elements there are.
    pub(crate) fn len(&self) -> usize {
        self.pieces.iter().map(Piece::len).sum()
    }

    /// The piece with this number.
    pub(crate) fn get(&self, piece: usize) -> Option<&Piece> {
        self.pieces.get(piece)
    }

    /// The number of the piece that holds the element at `position`, and how far into it that is.
    /// The end of the array is past the last piece.
    pub(crate) fn find(&self, position: usize) -> (usize, usize) {
        let mut left = position;
        for (number, piece) in self.pieces.iter().enumerate() {
            if left < piece.len() {
                return (number, left);
            }
            left -= piece.len();
        }
        (self.pieces.len(), 0)
    }

    /// Takes out a piece: one that was added, or of a kept one the element at `index` of the text.
    pub(crate) fn remove(&mut self, piece: usize, index: usize) {
        let parts = match self.pieces.get(piece) {
            Some(Piece::Kept(kept)) => [kept.start..index, index + 1..kept.end],
            Some(Piece::Added(_)) => [0..0, 0..0],
            None => return,
        };
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        self.pieces.splice(piece..=piece, parts.map(Piece::Kept));
    }

    /// Puts an element where one was added before.
    pub(crate) fn replace(&mut self, piece: usize, node: NodeId) {
        if let Some(piece) = self.pieces.get_mut(piece) {
            *piece = Piece::Added(node);
        }
    }

    /// Puts in an element so that it stands at `position`. Returns the index of the text's element
    /// that stands after it, if that one's piece had to make way.
    pub(crate) fn insert(&mut self, position: usize, node: NodeId) -> Option<usize> {
        let (number, into) = self.find(position);
        let Some(Piece::Kept(kept)) = self.pieces.get(number) else {
            self.pieces.insert(number, Piece::Added(node));
            return None;
        };
        let (start, split, end) = (kept.start, kept.start + into, kept.end);
        let before = Some(Piece::Kept(start..split)).filter(|_| into > 0);
        let parts = [
            before,
            Some(Piece::Added(node)),
            Some(Piece::Kept(split..end)),
        ];
        let parts = parts.into_iter().flatten();
        self.pieces.splice(number..=number, parts);
        Some(split)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The array as plain numbers: of the text 0, 1, ..., put in 100, 101, ...
    fn plain(pieces: &Pieces) -> Vec<usize> {
        let plain = |piece: &Piece| match piece {
            Piece::Kept(range) => range.clone().collect(),
            Piece::Added(node) => vec![*node],
        };
        pieces.iter().flat_map(plain).collect()
    }

    #[test]
    fn agrees_with_a_plain_list() {
        let mut pieces = Pieces::of(6);
        let mut list: Vec<usize> = (0..6).collect();
        for step in 0..60 {
            let position = step * 7 % (list.len() + 1);
            if step % 3 == 0 && position < list.len() {
                let (number, into) = pieces.find(position);
                let index = match pieces.get(number) {
                    Some(Piece::Kept(kept)) => kept.start + into,
                    _ => 0,
                };
                pieces.remove(number, index);
                list.remove(position);
            } else {
                pieces.insert(position, 100 + step);
                list.insert(position, 100 + step);
            }
            assert_eq!(plain(&pieces), list);
            assert_eq!(pieces.len(), list.len());
        }
        assert_eq!(Pieces::of(0).find(0), (0, 0));
    }
}
