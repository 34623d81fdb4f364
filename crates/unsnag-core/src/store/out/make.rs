//! A twin in the making: what it shall hold, and the folder that holds it.

use std::collections::BTreeMap;
use std::path::Path;

use super::record::{MAKING, TWIN, Twin};
use super::refused;
use crate::store::StoreError;
use crate::store::change::{Action, Before, FileChange, Options};
use crate::store::entry::{self, EntryId};
use crate::store::fsys::{Digest, Folder, Owner, Root};
use crate::store::home::FOLDER;
use crate::store::stage::{Like, stage};

/// What a twin shall hold: a record, the bytes of its real files and their owner.
pub(super) struct Wanted {
    pub(super) record: Twin,
    files: BTreeMap<String, (Vec<u8>, Owner)>,
}

pub(super) fn wanted(
    root: &Root,
    source: &Path,
    changes: &[FileChange],
) -> Result<Wanted, StoreError> {
    let folders: Vec<&str> = changes
        .iter()
        .filter_map(|change| change.path.split_once('/').map(|(folder, _)| folder))
        .collect();
    let mut record = links(root, source, &folders)?;
    let mut files = BTreeMap::new();
    let directory = root.folder().identity()?.owner;
    for change in changes {
        let changed = || StoreError::Changed {
            path: root.path().join(&change.path),
        };
        let read = root.read(&change.path, entry::LIMIT)?;
        let same = match (&read, change.before) {
            (None, Before::Missing) => true,
            (Some(read), Before::Present { digest, .. }) => Digest::of(&read.bytes) == digest,
            _ => false,
        };
        if !same {
            return Err(changed());
        }
        let owner = read.as_ref().map_or(
            Owner {
                mode: directory.mode & 0o666,
                ..directory
            },
            |read| read.identity.owner,
        );
        let bytes = match (&change.action, read) {
            (Action::Park, _) => {
                record.entries.remove(&change.path);
                continue;
            }
            (Action::Edit(edits), Some(read)) => edits.apply(&read.bytes),
            (Action::Create(bytes), _) => bytes.clone(),
            (Action::Edit(_), None) => return Err(changed()),
        };
        let id = EntryId::of(&bytes);
        record.entries.insert(change.path.clone(), id);
        files.insert(change.path.clone(), (bytes, owner));
    }
    Ok(Wanted { record, files })
}

/// A twin in which nothing is changed: a link for each entry, and for each entry of the folders that will hold a real file.
fn links(root: &Root, source: &Path, folders: &[&str]) -> Result<Twin, StoreError> {
    let unnamable = |what: &str| {
        refused(
            source,
            &format!("{what} is not UTF-8, which the record of a twin cannot hold"),
            "rename it",
        )
    };
    let absolute = source
        .to_str()
        .ok_or_else(|| unnamable("its absolute path"))?;
    let mut entries = BTreeMap::new();
    for sub in [""].iter().chain(folders) {
        let path = |name: &str| match *sub {
            "" => name.to_owned(),
            sub => format!("{sub}/{name}"),
        };
        if let Some(name) = root.parent(&path("x"))?.0.unnamed()? {
            return Err(unnamable(&format!("the name of {name} in it")));
        }
        for entry in root.list(sub)? {
            let path = path(&entry.name);
            let is_real = sub.is_empty() && folders.contains(&path.as_str());
            if path != FOLDER && !is_real {
                let text = format!("{}/{path}", absolute.trim_end_matches('/'));
                entries.insert(path, EntryId::Link { text });
            }
        }
    }
    Ok(Twin {
        source: absolute.to_owned(),
        entries,
    })
}

pub(super) fn make(folder: &Folder, wanted: &Wanted, options: &Options) -> Result<(), StoreError> {
    folder.make_folder(FOLDER, 0o700)?;
    let record = &folder.child(FOLDER)?;
    let me = folder.identity()?.owner;
    let text = serde_json::to_vec(&wanted.record).map_err(|error| StoreError::State {
        path: record.full(MAKING),
        problem: error.to_string(),
    })?;
    let own = Like {
        owner: Owner { mode: 0o600, ..me },
        attributes: None,
        mtime_ns: None,
    };
    stage(record, MAKING, &text, &own)?;
    record.sync()?;
    folder.sync()?;
    for (path, id) in &wanted.record.entries {
        if options.interrupted() {
            return Err(StoreError::Interrupted);
        }
        let below;
        let (parent, name) = match path.split_once('/') {
            Some((sub, name)) => {
                folder.make_folder(sub, 0o755)?;
                below = folder.child(sub)?;
                (&below, name)
            }
            None => (folder, path.as_str()),
        };
        match (id, wanted.files.get(path)) {
            (EntryId::Link { text }, _) => parent.make_link(name, text)?,
            (EntryId::File { .. }, Some((bytes, owner))) => {
                let owner = Owner {
                    mode: owner.mode,
                    ..me
                };
                stage(
                    parent,
                    name,
                    bytes,
                    &Like {
                        owner,
                        attributes: None,
                        mtime_ns: None,
                    },
                )?;
            }
            (EntryId::File { .. }, None) => {}
        }
        if path.contains('/') {
            parent.sync()?;
        }
    }
    folder.sync()?;
    record.rename(MAKING, record, TWIN)?;
    record.sync()?;
    Ok(())
}
