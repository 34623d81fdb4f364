//! How many children a container has, and which of their names look like one asked for.

use crate::kind::Kind;
use crate::scan::Sink;
use crate::text::decode;
use std::ops::Range;

/// So many names like the one asked for are kept.
const NEAR: usize = 3;

/// A scan's sink that looks at one container's children.
pub(crate) struct Survey<'n> {
    near: Near<'n>,
    children: usize,
    inside: bool,
}

impl<'n> Survey<'n> {
    pub(crate) fn new(near: Near<'n>) -> Survey<'n> {
        Survey {
            near,
            children: 0,
            inside: false,
        }
    }

    /// How many children there are, and the names.
    pub(crate) fn result(self) -> (usize, Near<'n>) {
        (self.children, self.near)
    }
}

impl Sink for Survey<'_> {
    fn begin(&mut self, _at: usize, _kind: Kind) -> bool {
        self.children += usize::from(self.inside);
        !std::mem::replace(&mut self.inside, true)
    }

    fn end(&mut self, _at: usize) {}

    fn name(&mut self, raw: &[u8], _escaped: bool, _span: Range<usize>) {
        if let Ok(name) = std::str::from_utf8(&decode(raw)) {
            self.near.consider(name);
        }
    }
}

/// The names that look most like one asked for.
pub(crate) struct Near<'n> {
    asked: Vec<char>,
    /// Names that are gone.
    removed: &'n dyn Fn(&str) -> bool,
    names: Vec<(usize, String)>,
}

impl<'n> Near<'n> {
    pub(crate) fn new(asked: &str, removed: &'n dyn Fn(&str) -> bool) -> Near<'n> {
        Near {
            asked: asked.to_lowercase().chars().collect(),
            removed,
            names: Vec::new(),
        }
    }

    pub(crate) fn consider(&mut self, name: &str) {
        // Two letters changed places are a distance of two.
        let limit = match self.asked.len() {
            0..3 => 1,
            3..9 => 2,
            length => length / 3,
        };
        let letters: Vec<char> = name.to_lowercase().chars().collect();
        let Some(distance) = distance(&self.asked, &letters, limit) else {
            return;
        };
        if !(self.removed)(name) {
            self.names.push((distance, name.to_owned()));
            self.names.sort();
            self.names.dedup();
            self.names.truncate(NEAR);
        }
    }

    /// The names, the nearest first.
    pub(crate) fn names(self) -> Vec<String> {
        self.names.into_iter().map(|(_, name)| name).collect()
    }
}

/// The edit distance of two names, if it is at most `limit`.
fn distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (y, up) in b.iter().zip(row.iter().skip(1)) {
            let cost = (diagonal + usize::from(x != y)).min(left + 1).min(up + 1);
            diagonal = *up;
            left = cost;
            next.push(cost);
        }
        if next.iter().all(|cost| *cost > limit) {
            return None;
        }
        row = next;
    }
    row.last().copied().filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first() {
        let gone = |name: &str| name == "kv_cache_schema";
        let mut near = Near::new("kv_cache_shceme", &gone);
        for name in [
            "kv_cache_quant_algo",
            "kv_cache_schema",
            "KV_cache_scheme",
            "kv_cache_scheme",
            "kv_cache_schemes",
            "x",
        ] {
            near.consider(name);
        }
        let names = ["KV_cache_scheme", "kv_cache_scheme", "kv_cache_schemes"];
        assert_eq!(near.names(), names);
    }
}
