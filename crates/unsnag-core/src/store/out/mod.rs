//! A patched twin of a directory that must not be touched: real files for what changes, absolute links for the rest.

mod make;
mod place;
mod record;

use std::path::{Path, PathBuf};

use super::StoreError;
use super::change::{Options, Request};
use super::fsys::{Folder, Root};
use super::lock::lock_folder;
use make::{make, wanted};
use place::{clear, existing_folder, put_in_place, tidy};
use record::{TWIN, is_whole, recorded, refuse_edited, refuse_foreign};

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
    let _lock = lock_folder(&outside, options)?;
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

/// What a twin that was cut off in the making left beside `path` goes; a finished one that was pushed aside comes back.
pub(super) fn recover_twin(path: &Path, options: &Options) -> Result<bool, StoreError> {
    let Ok((parent, name)) = split(path) else {
        return Ok(false);
    };
    // Nothing of the folder that holds it is touched without need, nor its lock.
    if !leftover_twin(path) {
        return Ok(false);
    }
    let outside = Folder::open(&parent)?;
    let _lock = lock_folder(&outside, options)?;
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

/// The source of a twin, where the directory is one.
pub(super) fn twin_of(root: &Root) -> Result<Option<String>, StoreError> {
    Ok(recorded(root.folder(), TWIN)?.map(|twin| twin.source))
}

/// The name under which a twin is made, beside the one that it gets.
fn beside(name: &str) -> String {
    format!(".{name}.unsnag-new")
}

/// The name under which a twin waits that makes room for a newer one.
fn aside(name: &str) -> String {
    format!(".{name}.unsnag-old")
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

fn refused(path: &Path, reason: &str, hint: &str) -> StoreError {
    StoreError::Refused {
        path: path.to_owned(),
        reason: reason.to_owned(),
        hint: hint.to_owned(),
    }
}
