//! Splices made for one version of a document, carried over to another version of it.

use json_splice::{Edits, Splice};

/// `edits` and `over` are both for the same document; `over` leads to another version of it. The result does to that version what `edits` would have done.
/// `None` where they touch the same place.
pub(super) fn carry(edits: &Edits, over: &Edits) -> Option<Edits> {
    let mut carried = Vec::new();
    for splice in edits.splices() {
        let clash = |other: &Splice| {
            other.range.start < splice.range.end && splice.range.start < other.range.end
                || inside(splice, other)
                || inside(other, splice)
                || same_point(splice, other)
        };
        if over.splices().iter().any(clash) {
            return None;
        }
        let shift = |at: usize| {
            over.splices()
                .iter()
                .take_while(|other| {
                    other.range.end <= at && other.range.start < splice.range.end.max(1)
                })
                .try_fold(at, |at, other| {
                    (at + other.replacement.len()).checked_sub(other.range.len())
                })
        };
        let start = shift(splice.range.start)?;
        carried.push(Splice {
            range: start..start + splice.range.len(),
            replacement: splice.replacement.clone(),
        });
    }
    Edits::new(carried).ok()
}

/// Whether both insert at the same point, where nobody can say which comes first.
fn same_point(one: &Splice, other: &Splice) -> bool {
    one.range.is_empty() && one.range == other.range
}

/// Whether an insertion point lies strictly inside a replaced stretch.
fn inside(point: &Splice, stretch: &Splice) -> bool {
    point.range.is_empty()
        && stretch.range.start < point.range.start
        && point.range.start < stretch.range.end
}

/// What leads from one text to another: line by line, so that far edits stay apart.
pub(super) fn difference(from: &[u8], to: &[u8]) -> Option<Edits> {
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (lines(from), lines(to));
    let offsets = |lines: &[&[u8]]| {
        let mut at = 0;
        let mut offsets = vec![0];
        for line in lines {
            at += line.len();
            offsets.push(at);
        }
        offsets
    };
    let (old_at, new_at) = (offsets(&old), offsets(&new));
    let mut splices = Vec::new();
    for op in similar::capture_diff_slices(similar::Algorithm::Myers, &old, &new) {
        let (tag, old_range, new_range) = op.as_tag_tuple();
        if tag != similar::DiffTag::Equal {
            let range = *old_at.get(old_range.start)?..*old_at.get(old_range.end)?;
            let replacement = to
                .get(*new_at.get(new_range.start)?..*new_at.get(new_range.end)?)?
                .to_vec();
            splices.push(Splice { range, replacement });
        }
    }
    Edits::new(splices).ok()
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(splices: &[(std::ops::Range<usize>, &str)]) -> Edits {
        let splice = |(range, text): &(std::ops::Range<usize>, &str)| Splice {
            range: range.clone(),
            replacement: text.as_bytes().to_vec(),
        };
        Edits::new(splices.iter().map(splice).collect()).unwrap()
    }

    #[test]
    fn apart_they_do_not_disturb_each_other() {
        let text = b"one two three four";
        let first = edits(&[(0..3, "ONE")]);
        let second = edits(&[(4..8, ""), (14..18, "FOUR!")]);
        let over_first = carry(&second, &first).unwrap();
        let over_second = carry(&first, &second).unwrap();
        assert_eq!(
            over_first.apply(&first.apply(text)),
            over_second.apply(&second.apply(text))
        );
        assert_eq!(over_first.apply(&first.apply(text)), b"ONE three FOUR!");
    }

    #[test]
    fn on_the_same_place_they_are_refused() {
        assert_eq!(carry(&edits(&[(2..5, "x")]), &edits(&[(4..6, "y")])), None);
        assert_eq!(carry(&edits(&[(3..3, "x")]), &edits(&[(2..5, "y")])), None);
        assert_eq!(carry(&edits(&[(2..5, "x")]), &edits(&[(3..3, "y")])), None);
    }

    #[test]
    fn differences_lead_from_one_to_the_other() {
        let (from, to) = (b"a\nb\nc\nd\n".as_slice(), b"a\nB\nc\nd\ne".as_slice());
        assert_eq!(difference(from, to).unwrap().apply(from), to);
    }
}
