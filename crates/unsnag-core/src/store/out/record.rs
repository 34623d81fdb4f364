//! What a twin says of itself, and whether that is still true.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::refused;
use crate::store::StoreError;
use crate::store::entry::EntryId;
use crate::store::fsys::{Folder, Kind};
use crate::store::home::FOLDER;

/// What a twin holds; there once it is complete.
pub(super) const TWIN: &str = "twin";
/// What a twin in the making shall hold.
pub(super) const MAKING: &str = "twin.making";
const LIMIT: u64 = 1 << 28;

/// A twin's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Twin {
    pub(super) source: String,
    /// Every entry, by path in the twin.
    pub(super) entries: BTreeMap<String, EntryId>,
}

/// A twin's record, where the folder is one.
pub(super) fn recorded(folder: &Folder, name: &str) -> Result<Option<Twin>, StoreError> {
    match folder.stat(FOLDER)? {
        Some((Kind::Directory, _)) => read(&folder.child(FOLDER)?, name),
        _ => Ok(None),
    }
}

fn read(record: &Folder, name: &str) -> Result<Option<Twin>, StoreError> {
    let mut opened = match record.open_file(name) {
        Ok(opened) => opened,
        Err(error) if error.errno() == Some(rustix::io::Errno::NOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let problem = |problem: String| StoreError::State {
        path: record.full(name),
        problem,
    };
    let bytes = opened.read_all(LIMIT)?;
    if bytes.is_empty() {
        return Ok(Some(Twin {
            source: String::new(),
            entries: BTreeMap::new(),
        })); // cut off before its first byte
    }
    let twin: Twin = match serde_json::from_slice(&bytes) {
        Ok(twin) => twin,
        Err(_) if name == MAKING => Twin {
            source: String::new(),
            entries: BTreeMap::new(),
        },
        Err(error) => return Err(problem(format!("is not a twin's record: {error}"))),
    };
    match twin
        .entries
        .keys()
        .find(|path| !crate::store::state::is_inside(path))
    {
        Some(path) => Err(problem(format!(
            "names `{path}`, which is not a file of the twin"
        ))),
        None => Ok(Some(twin)),
    }
}

pub(super) fn is_whole(folder: &Folder, twin: &Twin) -> Result<bool, StoreError> {
    for (path, id) in &twin.entries {
        let whole = match path.split_once('/') {
            Some((sub, name)) => match folder.child(sub) {
                Ok(below) => id.is_at(&below, name)?,
                Err(_) => false,
            },
            None => id.is_at(folder, path)?,
        };
        if !whole {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A twin in which somebody changed something is his: making it anew would lose that.
pub(super) fn refuse_edited(out: &Path, folder: &Folder, twin: &Twin) -> Result<(), StoreError> {
    let ours = |name: &str| {
        let below = |path: &String| path.split('/').next() == Some(name);
        name == FOLDER || twin.entries.keys().any(below)
    };
    let record = folder.child(FOLDER)?;
    let is_whole = is_whole(folder, twin)?
        && folder.entries()?.iter().all(|(name, _)| ours(name))
        && record.entries()?.iter().all(|(name, _)| name == TWIN);
    if is_whole {
        return Ok(());
    }
    Err(refused(
        out,
        "was changed since it was made, and making it anew would lose that",
        "move it away, or choose a new directory",
    ))
}

pub(super) fn refuse_foreign(out: &Path, folder: &Folder) -> Result<(), StoreError> {
    let foreign = folder
        .entries()?
        .into_iter()
        .find(|(name, _)| name != FOLDER);
    match foreign {
        None => Ok(()),
        Some((name, _)) => Err(refused(
            out,
            &format!("is not empty ({name} is in it) and is no twin that this program made"),
            "choose a new directory",
        )),
    }
}
