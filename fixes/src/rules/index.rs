//! The weights' index: metadata that is missing, and a map that does not fit the shards that are here.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use json_splice::{Kind, Operation, RawValue};
use serde_json::{Map, Value};
use unsnag_core::rule::{Evidence, FileEdit, Gap, Look, Rule, Site};
use unsnag_core::weights::{Header, INDEX, numbered};

use super::support::{cured, json, key, refused};

#[derive(Debug)]
struct IndexMetadata;

#[derive(Debug)]
struct IndexRebuild;

/// `index-metadata` takes no arguments.
pub(super) fn metadata(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(IndexMetadata))
}

/// `index-rebuild` takes no arguments.
pub(super) fn rebuild(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(IndexRebuild))
}

impl Rule for IndexMetadata {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let Some(index) = look.json(INDEX).map_err(|gap| vec![gap])? else {
            return Ok(Vec::new());
        };
        let root = index.root();
        if root.get("weight_map").is_none()
            || root
                .get("metadata")
                .is_some_and(|metadata| metadata.kind() != Kind::Null)
        {
            return Ok(Vec::new());
        }
        let total = look.weights().headers().ok().map(total_size);
        let value = total.map_or_else(
            || "{}".to_owned(),
            |total| format!("{{\"total_size\": {total}}}"),
        );
        let Some(value) = json(&value) else {
            return Ok(Vec::new());
        };
        let evidence = vec![Evidence::file(INDEX, "no metadata")];
        let edit = FileEdit::operation(
            INDEX,
            Operation::Add {
                path: key("metadata"),
                value,
            },
        );
        Ok(vec![cured("metadata", evidence, "none", vec![edit])])
    }
}

impl Rule for IndexRebuild {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let gap = |gap| vec![gap];
        if look.json(INDEX).map_err(gap)?.is_none() {
            return Ok(Vec::new());
        }
        let weights = look.weights();
        let stored: Vec<&str> = weights.stored_shards().collect();
        if stored.is_empty() {
            return Ok(Vec::new());
        }
        let named = weights.shards().map_err(gap)?;
        let absent: Vec<&String> = named
            .iter()
            .filter(|shard| !look.view().has(shard))
            .collect();
        let Some(first) = absent.first() else {
            return Ok(Vec::new());
        };
        let evidence = vec![Evidence::file(
            INDEX,
            format!(
                "names {} of {} shards that are not here, {first} first",
                absent.len(),
                named.len()
            ),
        )];
        let unfinished = "shards are missing or cut off: this is a download that did not finish, and a rebuilt index would hide that";
        let mut headers = BTreeMap::new();
        for shard in stored {
            match weights.header(shard) {
                Ok(header) if header.is_complete() => headers.insert(shard.to_owned(), header),
                _ => return Ok(vec![refused("index", evidence, unfinished)]),
            };
        }
        if !is_whole_set(&headers) {
            return Ok(vec![refused("index", evidence, unfinished)]);
        }
        let (Some(map), Some(metadata)) = (
            json(&weight_map(&headers)),
            json(&format!("{{\"total_size\": {}}}", total_size(&headers))),
        ) else {
            return Ok(Vec::new());
        };
        let edits = [
            Operation::Add {
                path: key("metadata"),
                value: metadata,
            },
            Operation::Replace {
                path: key("weight_map"),
                value: map,
            },
        ];
        let edits = edits
            .into_iter()
            .map(|operation| FileEdit::operation(INDEX, operation))
            .collect();
        Ok(vec![cured(
            "index",
            evidence,
            "none: the index then says what the headers say",
            edits,
        )])
    }
}

fn total_size(headers: &BTreeMap<String, Header>) -> u64 {
    headers
        .values()
        .flat_map(|header| header.tensors.values())
        .map(|tensor| tensor.bytes)
        .sum()
}

fn weight_map(headers: &BTreeMap<String, Header>) -> String {
    let mut names: Vec<(&String, &String)> = headers
        .iter()
        .flat_map(|(shard, header)| header.tensors.keys().map(move |name| (name, shard)))
        .collect();
    names.sort();
    let mut out = String::from("{");
    for (index, (name, shard)) in names.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let _ = write!(
            out,
            "{comma}{}: {}",
            RawValue::string(name).as_str(),
            RawValue::string(shard).as_str()
        );
    }
    out + "}"
}

/// Whether the names `...-00001-of-00004.safetensors` count themselves without a gap, or the only one is that of a whole model, and no
/// tensor is stored twice. Of other names nobody can say whether all are there.
fn is_whole_set(headers: &BTreeMap<String, Header>) -> bool {
    let mut sets: BTreeMap<(&str, u64), Vec<u64>> = BTreeMap::new();
    for shard in headers.keys() {
        match numbered(shard) {
            Some((stem, number, count)) => sets.entry((stem, count)).or_default().push(number),
            None if headers.len() == 1 && shard == "model.safetensors" => {}
            None => return false,
        }
    }
    let counted = sets
        .iter()
        .all(|((_, count), numbers)| numbers.len() as u64 == *count);
    let tensors: usize = headers.values().map(|header| header.tensors.len()).sum();
    let distinct = headers
        .values()
        .flat_map(|header| header.tensors.keys())
        .collect::<std::collections::BTreeSet<_>>()
        .len();
    counted && tensors == distinct
}
