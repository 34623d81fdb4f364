//! Two sets of splices, one after the other, as one set on the first document.

use std::ops::Range;

use json_splice::{Edits, Splice};

/// A stretch of the document in the making: kept from the original, or new.
#[derive(Debug, Clone)]
enum Piece {
    Kept(Range<usize>),
    New(Vec<u8>),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Self::Kept(range) => range.len(),
            Self::New(bytes) => bytes.len(),
        }
    }

    fn slice(&self, range: Range<usize>) -> Self {
        match self {
            Self::Kept(kept) => Self::Kept(kept.start + range.start..kept.start + range.end),
            Self::New(bytes) => Self::New(bytes.get(range).unwrap_or_default().to_vec()),
        }
    }
}

/// `second`, whose ranges are in the document that `first` leaves, after `first`: as splices on the original of `len` bytes.
#[must_use]
pub fn compose(len: usize, first: &Edits, second: &Edits) -> Edits {
    let pieces = pieces(len, first);
    let mut result = Vec::new();
    let mut source = pieces.into_iter();
    let mut current = source.next();
    let mut offset = 0; // of the rest in `current`, within its piece
    let mut position = 0; // in the document that `first` leaves
    let mut take = |until: usize, out: &mut Vec<Piece>, keep: bool| {
        while position < until {
            let Some(piece) = &current else { return };
            let rest = piece.len() - offset;
            let step = rest.min(until - position);
            if keep {
                out.push(piece.slice(offset..offset + step));
            }
            position += step;
            offset += step;
            if offset == piece.len() {
                current = source.next();
                offset = 0;
            }
        }
    };
    for splice in second.splices() {
        take(splice.range.start, &mut result, true);
        take(splice.range.end, &mut result, false);
        result.push(Piece::New(splice.replacement.clone()));
    }
    take(usize::MAX, &mut result, true);
    splices(len, result)
}

fn pieces(len: usize, edits: &Edits) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for splice in edits.splices() {
        pieces.push(Piece::Kept(from..splice.range.start));
        pieces.push(Piece::New(splice.replacement.clone()));
        from = splice.range.end;
    }
    pieces.push(Piece::Kept(from..len));
    pieces.retain(|piece| piece.len() > 0);
    pieces
}

fn splices(len: usize, pieces: Vec<Piece>) -> Edits {
    let mut splices: Vec<Splice> = Vec::new();
    let mut from = 0;
    let mut new = Vec::new();
    for piece in pieces
        .into_iter()
        .chain(std::iter::once(Piece::Kept(len..len)))
    {
        match piece {
            Piece::New(bytes) => new.extend(bytes),
            Piece::Kept(range) => {
                if range.start > from || !new.is_empty() {
                    splices.push(Splice {
                        range: from..range.start,
                        replacement: std::mem::take(&mut new),
                    });
                }
                from = range.end;
            }
        }
    }
    Edits::new(splices).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(splices: &[(Range<usize>, &str)]) -> Edits {
        let splice = |(range, text): &(Range<usize>, &str)| Splice {
            range: range.clone(),
            replacement: text.as_bytes().to_vec(),
        };
        Edits::new(splices.iter().map(splice).collect()).unwrap()
    }

    #[test]
    fn one_after_the_other() {
        let original = b"abcdefghij";
        let first = edits(&[(2..4, "XYZ"), (6..6, "!")]); // abXYZef!ghij
        for second in [
            edits(&[(0..1, "")]),
            edits(&[(3..6, "-")]),
            edits(&[(0..12, "all")]),
            edits(&[(12..12, "end")]),
            edits(&[(1..3, "q"), (4..8, ""), (9..9, "n")]),
            edits(&[]),
        ] {
            let expected = second.apply(&first.apply(original));
            let composed = compose(original.len(), &first, &second);
            assert_eq!(composed.apply(original), expected, "{second:?}");
        }
    }
}
