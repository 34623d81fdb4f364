//! The names of a checkpoint's tensors, sorted, with the shard of each.

use std::borrow::Cow;
use std::collections::BTreeSet;

use json_splice::Node;

/// Tensor names and the shards that hold them.
#[derive(Debug)]
pub struct Names<'v> {
    names: Vec<(Cow<'v, str>, Cow<'v, str>)>,
}

impl<'v> Names<'v> {
    /// From the `weight_map` of an index.
    #[must_use]
    pub fn from_index(weight_map: Node<'v>) -> Self {
        let entry = |member: json_splice::Member<'v>| {
            (member.name(), member.value().as_str().unwrap_or_default())
        };
        Self::sorted(weight_map.members().map(entry).collect())
    }

    /// From the headers of shards, which know no shard names.
    pub(super) fn from_headers(names: impl Iterator<Item = String>) -> Self {
        Self::sorted(
            names
                .map(|name| (Cow::Owned(name), Cow::Borrowed("")))
                .collect(),
        )
    }

    fn sorted(mut names: Vec<(Cow<'v, str>, Cow<'v, str>)>) -> Self {
        if !names.is_sorted() {
            names.sort_unstable();
        }
        names.dedup_by(|a, b| a.0 == b.0);
        Self { names }
    }

    /// How many tensors there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| name.as_ref())
    }

    /// The names in order, each with its shard; the shard is empty where there is no index.
    pub fn with_shards(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names
            .iter()
            .map(|(name, shard)| (name.as_ref(), shard.as_ref()))
    }

    /// Whether a name fits.
    #[must_use]
    pub fn any(&self, fits: impl Fn(&str) -> bool) -> bool {
        self.iter().any(fits)
    }

    /// Whether there is a tensor of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names
            .binary_search_by(|(known, _)| known.as_ref().cmp(name))
            .is_ok()
    }

    /// The names that begin so, in order.
    pub fn starting<'n>(&'n self, prefix: &'n str) -> impl Iterator<Item = &'n str> {
        let from = self
            .names
            .partition_point(|(name, _)| name.as_ref() < prefix);
        self.names
            .iter()
            .skip(from)
            .map(|(name, _)| name.as_ref())
            .take_while(move |name| name.starts_with(prefix))
    }

    /// The shards, each once, in order.
    pub fn shards(&self) -> impl Iterator<Item = &str> {
        let mut shards = BTreeSet::new();
        let mut last = "";
        for (_, shard) in &self.names {
            // Neighbours mostly share a shard.
            if shard != last {
                last = shard.as_ref();
                shards.insert(last);
            }
        }
        shards.into_iter()
    }
}
