//! A patched twin of a directory that must not be touched: real files for what changes, absolute links for the rest.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::StoreError;
use super::change::{Action, FileChange, Options, Request};
use super::entry::{self, EntryId};
use super::fsys::{Digest, Folder, FsError, Kind, Owner, Root, Swap};
use super::home::FOLDER;
use super::stage::{Like, stage};

/// What a twin holds; there once it is complete.
const TWIN: &str = "twin";
/// What a twin in the making shall hold.
const MAKING: &str = "twin.making";
const LIMIT: u64 = 1 << 28;

/// A twin's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Twin {
    source: String,
    /// Every entry, by path in the twin.
    entries: BTreeMap<String, EntryId>,
}

/// Makes a twin of `path` in `out` with the changes of `request`, and gives the path to serve. A complete and current twin is left as it is; with nothing
/// to change the source itself is served. The twin is made beside `out` and put in its place at once, so that there is never half of one.
///
/// # Errors
/// `out` is something else, or is inside the source; a file is not what the plan read; the file system refuses.
pub fn apply_out(
    path: &Path,
    out: &Path,
    request: &Request,
    options: &Options,
) -> Result<PathBuf, StoreError> {
    if request.changes.is_empty() {
        return Ok(path.to_owned());
    }
    let root = Root::open(path)?;
    let source = path.canonicalize().map_err(|_| StoreError::Changed {
        path: path.to_owned(),
    })?;
    let (parent, name) = split(out)?;
    let parent_real = parent.canonicalize().unwrap_or_else(|_| parent.clone());
    if parent_real.join(&name).starts_with(&source) {
        return Err(refused(
            out,
            "lies inside the source",
            "choose a directory beside it",
        ));
    }
    let wanted = wanted(&root, &source, &request.changes)?;
    let outside = Folder::open(&parent)?;
    if let Some(old) = existing_folder(&outside, &name)? {
        match recorded(&old, TWIN)? {
            Some(twin) if twin == wanted.record && is_whole(&old, &twin)? => {
                tidy(&outside, &name)?;
                return Ok(out.to_owned());
            }
            Some(twin) => refuse_edited(out, &old, &twin)?,
            None => refuse_foreign(out, &old)?,
        }
    }
    let new = beside(&name);
    clear(&outside, &new)?;
    outside.make_folder(&new, 0o755)?;
    let result = make(&outside.child(&new)?, &wanted, options);
    let result = result.and_then(|()| put_in_place(&outside, &new, &name, options));
    if let Err(error) = result {
        clear(&outside, &new)?;
        return Err(error);
    }
    outside.sync().map_err(StoreError::Unsure)?;
    tidy(&outside, &name)?;
    Ok(out.to_owned())
}

/// Removes what is left beside a twin that is in its place: it stands, whatever comes of this.
fn tidy(outside: &Folder, name: &str) -> Result<(), StoreError> {
    for name in [beside(name), aside(name)] {
        match clear(outside, &name) {
            Err(StoreError::System(error)) => return Err(StoreError::Unsure(error)),
            other => other.map(|_| ())?,
        }
    }
    Ok(())
}

/// The name under which a twin is made, beside the one that it gets.
fn beside(name: &str) -> String {
    format!(".{name}.unsnag-new")
}

fn existing_folder(outside: &Folder, name: &str) -> Result<Option<Folder>, StoreError> {
    Ok(match outside.stat(name)? {
        Some((Kind::Directory, _)) => Some(outside.child(name)?),
        Some(_) => {
            let path = outside.full(name);
            return Err(refused(&path, "is no directory", "choose a new directory"));
        }
        None => None,
    })
}

/// The name under which a twin waits that makes room for a newer one.
fn aside(name: &str) -> String {
    format!(".{name}.unsnag-old")
}

/// Gives a finished twin its name; what stood there before ends under one of the other two.
fn put_in_place(
    outside: &Folder,
    new: &str,
    name: &str,
    options: &Options,
) -> Result<(), StoreError> {
    if outside.stat(name)?.is_none() {
        if options.force_portable || outside.rename_new(new, outside, name)? == Swap::Unsupported {
            outside.rename(new, outside, name)?;
        }
        return Ok(());
    }
    if !options.force_portable && outside.exchange(new, outside, name)? == Swap::Done {
        return Ok(());
    }
    // Two renames: for a moment nothing stands there, which recovery mends.
    let old = aside(name);
    outside.rename(name, outside, &old)?;
    if let Err(error) = outside.rename(new, outside, name) {
        outside.rename(&old, outside, name)?;
        return Err(error.into());
    }
    Ok(())
}

/// Removes a twin, finished or not, that stands under a name of this program's own; nothing else.
fn clear(outside: &Folder, name: &str) -> Result<bool, StoreError> {
    let Some(folder) = existing_folder(outside, name)? else {
        return Ok(false);
    };
    for record in [TWIN, MAKING] {
        if let Some(twin) = recorded(&folder, record)? {
            empty(&folder, &twin)?;
        }
    }
    if folder.stat(FOLDER)?.is_some() {
        let record = folder.child(FOLDER)?;
        record.remove(MAKING)?;
        record.remove(TWIN)?;
        folder.remove_folder(FOLDER)?;
    }
    match outside.remove_folder(name) {
        Err(error) if is_not_empty(&error) => Err(refused(
            &outside.full(name),
            "is not empty and in the way",
            "move it away; this program did not make what is in it",
        )),
        other => Ok(other.map(|()| true)?),
    }
}

/// The source of a twin, where the directory is one.
pub(super) fn twin_of(root: &Root) -> Result<Option<String>, StoreError> {
    match super::home::existing(root)? {
        Some(record) => Ok(read(&record, TWIN)?.map(|twin| twin.source)),
        None => Ok(None),
    }
}

/// What a twin that was cut off in the making left beside `path` goes; a finished one that was pushed aside comes back.
pub(super) fn recover_twin(path: &Path) -> Result<bool, StoreError> {
    let Ok((parent, name)) = split(path) else {
        return Ok(false);
    };
    let outside = Folder::open(&parent)?;
    let old = aside(&name);
    let mut found = false;
    if outside.stat(&old)?.is_some() {
        if outside.stat(&name)?.is_none() {
            outside.rename(&old, &outside, &name)?;
        } else {
            clear(&outside, &old)?;
        }
        found = true;
    }
    if outside.stat(&beside(&name))?.is_some() {
        found |= clear(&outside, &beside(&name))?;
    }
    if found {
        outside.sync()?;
    }
    Ok(found)
}

/// Whether a twin for `path` was cut off in the making. Changes nothing.
#[must_use]
pub fn leftover_twin(path: &Path) -> bool {
    split(path).is_ok_and(|(parent, name)| {
        [beside(&name), aside(&name)]
            .iter()
            .any(|name| parent.join(name).is_dir())
    })
}

/// What a twin shall hold: a record, the bytes of its real files and their owner.
struct Wanted {
    record: Twin,
    files: BTreeMap<String, (Vec<u8>, Owner)>,
}

fn wanted(root: &Root, source: &Path, changes: &[FileChange]) -> Result<Wanted, StoreError> {
    let mut entries = BTreeMap::new();
    let mut files = BTreeMap::new();
    let subfolders: Vec<&str> = changes
        .iter()
        .filter_map(|change| change.path.split_once('/').map(|(folder, _)| folder))
        .collect();
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
    let mut list = |sub: &str| -> Result<(), StoreError> {
        let (folder, _) = root.parent(&if sub.is_empty() {
            "x".to_owned()
        } else {
            format!("{sub}/x")
        })?;
        if let Some(name) = folder.unnamed()? {
            return Err(unnamable(&format!("the name of {name} in it")));
        }
        for entry in root.list(sub)? {
            let path = if sub.is_empty() {
                entry.name
            } else {
                format!("{sub}/{}", entry.name)
            };
            if path != FOLDER && !(sub.is_empty() && subfolders.contains(&path.as_str())) {
                let text = format!("{}/{path}", absolute.trim_end_matches('/'));
                entries.insert(path, EntryId::Link { text });
            }
        }
        Ok(())
    };
    list("")?;
    for sub in &subfolders {
        list(sub)?;
    }
    let directory = root.folder().identity()?.owner;
    for change in changes {
        let read = root.read(&change.path, entry::LIMIT)?;
        let same = match (&read, change.before) {
            (None, super::Before::Missing) => true,
            (Some(read), super::Before::Present { digest, .. }) => {
                Digest::of(&read.bytes) == digest
            }
            _ => false,
        };
        if !same {
            return Err(StoreError::Changed {
                path: root.path().join(&change.path),
            });
        }
        let owner = read.as_ref().map_or(
            Owner {
                mode: directory.mode & 0o666,
                ..directory
            },
            |read| read.identity.owner,
        );
        match (&change.action, read) {
            (Action::Park, _) => {
                entries.remove(&change.path);
            }
            (Action::Edit(edits), Some(read)) => {
                files.insert(change.path.clone(), (edits.apply(&read.bytes), owner));
            }
            (Action::Create(bytes), _) => {
                files.insert(change.path.clone(), (bytes.clone(), owner));
            }
            (Action::Edit(_), None) => {
                return Err(StoreError::Changed {
                    path: root.path().join(&change.path),
                });
            }
        }
    }
    for (path, (bytes, _)) in &files {
        entries.insert(path.clone(), EntryId::of(bytes));
    }
    Ok(Wanted {
        record: Twin {
            source: absolute.to_owned(),
            entries,
        },
        files,
    })
}

fn make(folder: &Folder, wanted: &Wanted, options: &Options) -> Result<(), StoreError> {
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

/// Removes what a twin of this record may hold, and nothing else.
fn empty(folder: &Folder, twin: &Twin) -> Result<(), StoreError> {
    let is_folder = |name: &str| -> Result<bool, FsError> {
        Ok(matches!(folder.stat(name)?, Some((Kind::Directory, _))))
    };
    let mut subfolders = Vec::new();
    for path in twin.entries.keys() {
        match path.split_once('/') {
            Some((sub, name)) if is_folder(sub)? => {
                folder.child(sub)?.remove(name)?;
                subfolders.push(sub);
            }
            Some(_) => {}
            None if folder
                .stat(path)?
                .is_some_and(|(kind, _)| kind != Kind::Directory) =>
            {
                folder.remove(path)?;
            }
            None => {}
        }
    }
    subfolders.dedup();
    for sub in subfolders {
        match folder.remove_folder(sub) {
            Err(error) if is_not_empty(&error) => {} // somebody's own files in it stay
            other => other?,
        }
    }
    Ok(())
}

fn is_not_empty(error: &FsError) -> bool {
    error.errno() == Some(rustix::io::Errno::NOTEMPTY)
}

fn is_whole(folder: &Folder, twin: &Twin) -> Result<bool, StoreError> {
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
fn refuse_edited(out: &Path, folder: &Folder, twin: &Twin) -> Result<(), StoreError> {
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

fn refuse_foreign(out: &Path, folder: &Folder) -> Result<(), StoreError> {
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

/// A twin's record, where the folder is one.
fn recorded(folder: &Folder, name: &str) -> Result<Option<Twin>, StoreError> {
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
        .find(|path| !super::state::is_inside(path))
    {
        Some(path) => Err(problem(format!(
            "names `{path}`, which is not a file of the twin"
        ))),
        None => Ok(Some(twin)),
    }
}

fn refused(path: &Path, reason: &str, hint: &str) -> StoreError {
    StoreError::Refused {
        path: path.to_owned(),
        reason: reason.to_owned(),
        hint: hint.to_owned(),
    }
}

/// The parent and the last name of a path that may not exist.
fn split(path: &Path) -> Result<(PathBuf, String), StoreError> {
    let name = path
        .file_name()
        .ok_or_else(|| refused(path, "is no name for a new directory", "choose another one"))?;
    let name = name
        .to_str()
        .ok_or_else(|| refused(path, "has a name that is not UTF-8", "choose another one"))?;
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    Ok((parent.to_owned(), name.to_owned()))
}
