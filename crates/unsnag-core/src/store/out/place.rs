//! A finished twin gets its place, and what stood there or beside it goes.

use super::record::{MAKING, TWIN, Twin, recorded};
use super::{aside, beside, refused};
use crate::store::StoreError;
use crate::store::change::Options;
use crate::store::fsys::{Folder, FsError, Kind, Swap};
use crate::store::home::FOLDER;

/// Gives a finished twin its name; what stood there before ends under one of the other two.
pub(super) fn put_in_place(
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
    let mounted = |error: FsError| match error.errno() {
        Some(rustix::io::Errno::BUSY | rustix::io::Errno::XDEV) => refused(
            &outside.full(name),
            &format!("is a mount point, whose place a twin cannot take ({error})"),
            "name a directory in it",
        ),
        _ => error.into(),
    };
    if !options.force_portable
        && outside.exchange(new, outside, name).map_err(mounted)? == Swap::Done
    {
        return Ok(());
    }
    // Two renames: for a moment nothing stands there, which recovery mends.
    let old = aside(name);
    outside.rename(name, outside, &old).map_err(mounted)?;
    if let Err(error) = outside.rename(new, outside, name) {
        outside.rename(&old, outside, name)?;
        return Err(error.into());
    }
    Ok(())
}

/// Removes what is left beside a twin that is in its place: it stands, whatever comes of this.
pub(super) fn tidy(outside: &Folder, name: &str) -> Result<(), StoreError> {
    for name in [beside(name), aside(name)] {
        match clear(outside, &name) {
            Err(StoreError::System(error)) => return Err(StoreError::Unsure(error)),
            other => other.map(|_| ())?,
        }
    }
    Ok(())
}

/// Removes a twin, finished or not, that stands under a name of this program's own; nothing else.
pub(super) fn clear(outside: &Folder, name: &str) -> Result<bool, StoreError> {
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

pub(super) fn existing_folder(outside: &Folder, name: &str) -> Result<Option<Folder>, StoreError> {
    Ok(match outside.stat(name)? {
        Some((Kind::Directory, _)) => Some(outside.child(name)?),
        Some(_) => {
            let path = outside.full(name);
            return Err(refused(&path, "is no directory", "choose a new directory"));
        }
        None => None,
    })
}

fn is_not_empty(error: &FsError) -> bool {
    error.errno() == Some(rustix::io::Errno::NOTEMPTY)
}
