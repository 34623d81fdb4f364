//! The known word nearest to a misspelt one.

use std::cmp::Reverse;

/// The candidate with the smallest edit distance, where that is at most a third of the word (and at least two may differ).
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(2);
    let shared = |candidate: &str| {
        word.bytes()
            .zip(candidate.bytes())
            .take_while(|(a, b)| a == b)
            .count()
    };
    candidates
        .map(|candidate| {
            (
                distance(word, candidate),
                Reverse(shared(candidate)),
                candidate,
            )
        })
        .filter(|(distance, _, candidate)| {
            *distance <= limit && *distance < candidate.chars().count()
        })
        .min()
        .map(|(_, _, candidate)| candidate)
}

/// Levenshtein distance in characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (cell, y) in row.iter_mut().skip(1).zip(&b) {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = *cell;
            left = replaced.min(*cell + 1).min(left + 1);
            *cell = left;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("same", "same"), 0);
    }

    #[test]
    fn nothing_near_is_nothing() {
        assert_eq!(
            nearest("sglan", ["vllm", "sglang"].into_iter()),
            Some("sglang")
        );
        assert_eq!(nearest("qqqqqq", ["vllm", "sglang"].into_iter()), None);
    }
}
