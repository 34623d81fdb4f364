//! Facts about the weights: tensor names from the index, dtypes and shapes from the safetensors headers. Nothing else of a shard is read.

mod header;
mod names;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use json_splice::{Kind, Pointer};

pub use header::{Header, HeaderError, Lengths, Tensor};
pub use names::Names;

use crate::rule::Gap;
use crate::view::{Content, View};

/// The index of a checkpoint in several shards.
pub const INDEX: &str = "model.safetensors.index.json";

/// Stem, number and count of a shard that is one of several, as in `model-00001-of-00004.safetensors`.
#[must_use]
pub fn numbered(shard: &str) -> Option<(&str, u64, u64)> {
    let (rest, count) = shard.strip_suffix(".safetensors")?.rsplit_once("-of-")?;
    let (stem, number) = rest.rsplit_once('-')?;
    Some((stem, number.parse().ok()?, count.parse().ok()?))
}

/// What was read of the weights, kept by the view.
#[derive(Debug, Default)]
pub struct Cache<'v> {
    names: OnceCell<Result<Names<'v>, Gap>>,
    headers: OnceCell<Result<BTreeMap<String, Header>, Gap>>,
    tensors: OnceCell<Result<BTreeMap<String, Tensor>, Gap>>,
}

/// The weights of a view. Names cost one file, dtypes and shapes one header a shard; each is read at the first question.
#[derive(Debug, Clone, Copy)]
pub struct Weights<'r, 'v> {
    view: &'r View<'v>,
    cache: &'r Cache<'v>,
}

impl<'r, 'v> Weights<'r, 'v> {
    pub(crate) fn new(view: &'r View<'v>, cache: &'r Cache<'v>) -> Self {
        Self { view, cache }
    }

    /// Where the names come from: the index, or the only shard.
    #[must_use]
    pub fn source(&self) -> Option<&'v str> {
        self.view
            .files()
            .find(|file| *file == INDEX)
            .or_else(|| self.stored_shards().next())
    }

    /// The `.safetensors` files of the directory itself, by name.
    pub fn stored_shards(&self) -> impl Iterator<Item = &'v str> {
        self.view.files().filter(|file| {
            file.ends_with(".safetensors")
                && !file.contains('/')
                && *file != "adapter_model.safetensors"
        })
    }

    /// Whether all shards are there that the name `x-00001-of-00004.safetensors` counts.
    fn has_set_of(&self, shard: &str) -> bool {
        numbered(shard).is_none_or(|(stem, _, count)| {
            let same = |name: &&str| {
                numbered(name).is_some_and(|other| (other.0, other.2) == (stem, count))
            };
            self.stored_shards().filter(same).count() as u64 >= count
        })
    }

    /// The tensors' names.
    ///
    /// # Errors
    /// A gap where there are no weights, or they cannot be read.
    pub fn names(&self) -> Result<&'r Names<'v>, Gap> {
        self.cache
            .names
            .get_or_init(|| self.read_names())
            .as_ref()
            .map_err(Clone::clone)
    }

    fn read_names(&self) -> Result<Names<'v>, Gap> {
        match self.view.content(INDEX) {
            Content::Json(_) => {
                let map = self
                    .view
                    .find(INDEX, &Pointer::from_tokens(["weight_map".to_owned()]))
                    .filter(|map| map.kind() == Kind::Object);
                let map = map.ok_or_else(|| {
                    Gap::directory("weights", format!("{INDEX} has no weight_map"))
                })?;
                Ok(Names::from_index(map))
            }
            Content::Missing => {
                if let Some(shard) = self.stored_shards().find(|shard| !self.has_set_of(shard)) {
                    return Err(Gap::directory(
                        "weights",
                        format!("{shard} is one of several, and not all are here"),
                    ));
                }
                let headers = self.headers()?;
                Ok(Names::from_headers(
                    headers
                        .values()
                        .flat_map(|header| header.tensors.keys().cloned()),
                ))
            }
            Content::LfsPointer => Err(Gap::directory(
                "weights",
                format!("{INDEX} is a Git LFS pointer"),
            )),
            Content::Broken(error) => Err(Gap::directory(
                "weights",
                format!("{INDEX} is not JSON: {error}"),
            )),
            Content::Text(_) => Err(Gap::directory("weights", format!("{INDEX} is not JSON"))),
            Content::Unreadable(reason) => {
                Err(Gap::directory("weights", format!("{INDEX}: {reason}")))
            }
        }
    }

    /// The shards that the index names; without an index, those that are stored.
    ///
    /// # Errors
    /// A gap where the index cannot be read.
    pub fn shards(&self) -> Result<BTreeSet<String>, Gap> {
        match self.view.content(INDEX) {
            Content::Missing => Ok(self.stored_shards().map(str::to_owned).collect()),
            _ => Ok(self.names()?.shards().map(str::to_owned).collect()),
        }
    }

    /// The headers of all shards.
    ///
    /// # Errors
    /// A gap that names the first shard that is missing or whose header cannot be read.
    pub fn headers(&self) -> Result<&'r BTreeMap<String, Header>, Gap> {
        self.cache
            .headers
            .get_or_init(|| self.read_headers())
            .as_ref()
            .map_err(Clone::clone)
    }

    fn read_headers(&self) -> Result<BTreeMap<String, Header>, Gap> {
        let shards = self.shards()?;
        if shards.is_empty() {
            return Err(Gap::directory("weights", "no safetensors files here"));
        }
        shards
            .into_iter()
            .map(|shard| self.header(&shard).map(|header| (shard, header)))
            .collect()
    }

    /// The header of one shard.
    ///
    /// # Errors
    /// A gap where the shard is missing or its header cannot be read.
    pub fn header(&self, shard: &str) -> Result<Header, Gap> {
        if !self.view.has(shard) {
            return Err(Gap::directory("weights", format!("{shard} is not here")));
        }
        Header::read(self.view.directory().root(), shard)
            .map_err(|error| Gap::directory("weights", format!("{shard}: {error}")))
    }

    /// Every tensor with its dtype and shape.
    ///
    /// # Errors
    /// A gap where a shard is missing or its header cannot be read.
    pub fn tensors(&self) -> Result<&'r BTreeMap<String, Tensor>, Gap> {
        let merged = self.cache.tensors.get_or_init(|| {
            let headers = self.headers()?;
            Ok(headers
                .values()
                .flat_map(|header| {
                    header
                        .tensors
                        .iter()
                        .map(|(name, tensor)| (name.clone(), tensor.clone()))
                })
                .collect())
        });
        merged.as_ref().map_err(Clone::clone)
    }
}
