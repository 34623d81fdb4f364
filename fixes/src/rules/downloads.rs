//! Files that were not fetched: Git LFS pointers, and shards that are missing or cut off.

use serde_json::{Map, Value};
use unsnag_core::rule::{Evidence, Gap, Look, Rule, Site};
use unsnag_core::view::{Content, is_json_name, is_lfs_pointer};
use unsnag_core::weights::{Header, HeaderError, INDEX, Lengths};

use super::support::advice;

/// Ends of names whose files are read as a whole, or of which the first bytes are looked at.
const WEIGHTS: [&str; 6] = [".safetensors", ".bin", ".model", ".gguf", ".msgpack", ".h5"];

#[derive(Debug)]
struct LfsPointer;

#[derive(Debug)]
struct IncompleteDownload;

/// `lfs-pointer` takes no arguments.
pub(super) fn lfs_pointer(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(LfsPointer))
}

/// `incomplete-download` takes no arguments.
pub(super) fn incomplete(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(IncompleteDownload))
}

impl Rule for LfsPointer {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let root = look.view().directory().root();
        let starts = |file: &str| {
            // A pointer is 127 to about 200 bytes long; nothing longer is opened.
            let short = root.len(file).is_ok_and(|len| len < 1024);
            short
                && root
                    .read_range(file, 0, 64)
                    .is_ok_and(|start| is_lfs_pointer(&start))
        };
        let files = look.view().files().filter(|file| !look.view().is_big(file));
        let pointers: Vec<&str> = files
            .filter(|file| match is_json_name(file) {
                true => {
                    look.view().len(file) < 1024
                        && matches!(look.view().content(file), Content::LfsPointer)
                }
                false => WEIGHTS.iter().any(|end| file.ends_with(end)) && starts(file),
            })
            .collect();
        if pointers.is_empty() {
            return Ok(Vec::new());
        }
        let evidence = pointers
            .iter()
            .take(5)
            .map(|file| Evidence::file(*file, "three lines that name another file"));
        Ok(vec![advice("pointers", evidence.collect())])
    }
}

/// Whether the shards hold as many bytes as the index says, so that no header needs to be read.
fn sizes_add_up(look: &Look<'_, '_>, stored: &[&str]) -> bool {
    let total = look
        .at(INDEX, "/metadata/total_size")
        .ok()
        .flatten()
        .and_then(|node| node.literal().parse::<u64>().ok());
    let root = look.view().directory().root();
    let data = stored.iter().map(|shard| {
        Lengths::read(root, shard)
            .ok()
            .map(|lengths| lengths.data())
    });
    total.is_some() && data.sum::<Option<u64>>() == total
}

impl Rule for IncompleteDownload {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let weights = look.weights();
        let stored: Vec<&str> = weights.stored_shards().collect();
        if stored.is_empty() {
            return Ok(Vec::new());
        }
        let mut evidence = Vec::new();
        let doubtful: &[&str] = if sizes_add_up(look, &stored) {
            &[]
        } else {
            &stored
        };
        for shard in doubtful {
            match Header::read(look.view().directory().root(), shard) {
                Ok(header) if header.file_len < header.expected_len => {
                    evidence.push(Evidence::file(
                        *shard,
                        format!(
                            "is {} bytes, its header asks for {}",
                            header.file_len, header.expected_len
                        ),
                    ));
                }
                Err(HeaderError::Truncated { found, needed }) => {
                    evidence.push(Evidence::file(
                        *shard,
                        format!("is {found} bytes, its header alone needs {needed}"),
                    ));
                }
                // A page of an error instead of the file, or room that was set aside and never filled.
                Err(
                    error @ (HeaderError::TooLong(_) | HeaderError::Json(_) | HeaderError::Form(_)),
                ) => evidence.push(Evidence::file(*shard, error.to_string())),
                _ => {}
            }
        }
        if look.view().has(INDEX)
            && let Ok(named) = weights.shards()
        {
            let absent: Vec<&String> = named
                .iter()
                .filter(|shard| !look.view().has(shard))
                .collect();
            // Some are here: what is missing was meant to be here too, unless the index is of another build.
            if absent.len() < named.len() {
                evidence.extend(absent.into_iter().map(|shard| {
                    Evidence::file(shard.as_str(), "is named by the index and not here")
                }));
            }
        }
        evidence.truncate(5);
        if evidence.is_empty() {
            Ok(Vec::new())
        } else {
            Ok(vec![advice("shards", evidence)])
        }
    }
}
