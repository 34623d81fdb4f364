//! Taking steps back: exactly where the files are as they were left, by the inverse where it still fits, never over somebody's edit.

mod run;

use std::path::Path;

pub use run::{Reverted, run};

use super::StoreError;
use super::apply::replay;
use super::entry::{self, EntryId};
use super::fsys::{Digest, FsError, Root};
use super::home;
use super::origin::Origin;
use super::rebase::{carry, difference};
use super::recover::pending;
use super::state::{STATE, State, StepChange, StepFile, edits, stored};

/// Which steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// The last one.
    Last,
    /// This one.
    Step(u64),
    /// All of them.
    All,
}

/// What a revert would do.
#[derive(Debug, Clone)]
pub struct RevertPlan {
    pub(super) selection: Selection,
    /// The steps, by number.
    pub steps: Vec<u64>,
    /// Their fixes, by id.
    pub fixes: Vec<String>,
    /// Their files, by path.
    pub files: Vec<FileRevert>,
    /// How many steps stay in place.
    pub remaining: usize,
    pub(super) next: State,
}

/// What a revert would do to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRevert {
    /// Path in the model directory.
    pub path: String,
    /// What stands there now.
    pub now: Option<Vec<u8>>,
    /// What would stand there.
    pub then: Option<Vec<u8>>,
    /// How it is reached.
    pub way: Way,
    /// Whether the entry of before the first patch comes back itself: no step of the file remains.
    pub(super) to_origin: bool,
    /// What stands there now, as an entry.
    pub(super) entry: Option<EntryId>,
}

/// How a file is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// It is as it was left: to the byte.
    Exact,
    /// It was edited since; the inverse fits beside the edit, which stays.
    Merged,
    /// It was edited since, and taking the patch back would touch that edit.
    Refused,
}

impl RevertPlan {
    /// Whether there is nothing to take back.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether a file stands in the way.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.files.iter().any(|file| file.way == Way::Refused)
    }
}

/// What a revert would do. Changes nothing.
///
/// # Errors
/// There is no such step; later steps depend on it; an operation is pending; the state cannot be read.
pub fn preview(path: &Path, selection: Selection) -> Result<RevertPlan, StoreError> {
    let root = Root::open(path)?;
    let nothing = || RevertPlan {
        selection,
        steps: Vec::new(),
        fixes: Vec::new(),
        files: Vec::new(),
        remaining: 0,
        next: State::new(),
    };
    let state = match home::existing(&root)? {
        None => None,
        Some(_) if pending(path, None)?.is_some() => {
            return Err(StoreError::Pending {
                path: path.to_owned(),
            });
        }
        Some(folder) => home::state(&folder)?,
    };
    match (state, selection) {
        (Some(state), _) => plan(&root, &state, selection),
        (None, Selection::Step(wanted)) => Err(StoreError::NoStep {
            wanted,
            known: Vec::new(),
        }),
        (None, _) => Ok(nothing()),
    }
}

pub(super) fn plan(
    root: &Root,
    state: &State,
    selection: Selection,
) -> Result<RevertPlan, StoreError> {
    let known: Vec<u64> = state.steps.iter().map(|step| step.number).collect();
    let gone: Vec<u64> = match selection {
        Selection::All => known.clone(),
        Selection::Last => known.last().copied().into_iter().collect(),
        Selection::Step(wanted) if known.contains(&wanted) => vec![wanted],
        Selection::Step(wanted) => return Err(StoreError::NoStep { wanted, known }),
    };
    let (dropped, kept): (Vec<_>, Vec<_>) = state
        .steps
        .iter()
        .cloned()
        .partition(|step| gone.contains(&step.number));
    let mut next = state.clone();
    next.steps = kept;
    next.moves.clear();
    let mut paths: Vec<String> = dropped
        .iter()
        .flat_map(|step| step.files.iter().map(|file| file.path.clone()))
        .collect();
    paths.sort();
    paths.dedup();
    let mut files = Vec::new();
    for path in paths {
        files.push(file(root, state, &mut next, &gone, &path)?);
    }
    let mut fixes: Vec<String> = dropped
        .iter()
        .flat_map(|step| step.label.fixes.clone())
        .collect();
    fixes.sort();
    fixes.dedup();
    Ok(RevertPlan {
        selection,
        steps: gone,
        fixes,
        files,
        remaining: next.steps.len(),
        next,
    })
}

fn file(
    root: &Root,
    state: &State,
    next: &mut State,
    gone: &[u64],
    path: &str,
) -> Result<FileRevert, StoreError> {
    let broken = |problem: &str| StoreError::State {
        path: root.path().join(home::FOLDER).join(STATE),
        problem: format!("{problem} of {path}"),
    };
    let origin = state.origin(path).ok_or_else(|| broken("has no origin"))?;
    let original = original(root, origin)?;
    let live: Vec<(u64, StepChange)> = state
        .steps_of(path)
        .map(|(step, file)| (step.number, file.change.clone()))
        .collect();
    let left = replay(original.as_deref(), &live)
        .ok_or_else(|| broken("has splices that do not fit the bytes"))?;
    let kept = without(original.as_deref(), &live, gone, path)?;
    let then = replay(original.as_deref(), &kept)
        .ok_or_else(|| broken("has splices that do not fit the bytes"))?;
    let to_origin = kept.is_empty();
    root.parent(path)
        .map_err(|error| without_folder(root, path, error))?;
    let read = root.read(path, entry::LIMIT)?;
    // A patched file is never a link: somebody put it there, and only the original one may be taken for what it replaces.
    let entry = read.as_ref().map(|read| match &read.link {
        Some(text) => EntryId::Link { text: text.clone() },
        None => EntryId::of(&read.bytes),
    });
    let is_foreign_link =
        matches!(entry, Some(EntryId::Link { .. })) && !(to_origin && entry == origin.entry);
    let now = read.map(|read| read.bytes);
    for step in &mut next.steps {
        if let (Some(file), Some((_, change))) = (
            step.files.iter_mut().find(|file| file.path == path),
            kept.iter().find(|(number, _)| *number == step.number),
        ) {
            *file = StepFile {
                path: path.to_owned(),
                after: file.after,
                change: change.clone(),
            };
        }
    }
    refresh(next, path, original.as_deref(), &kept);
    let file = |now, then, way, to_origin| FileRevert {
        path: path.to_owned(),
        now,
        then,
        way,
        to_origin,
        entry,
    };
    if is_foreign_link {
        return Ok(file(now, then, Way::Refused, to_origin));
    }
    if now == left || now == then {
        return Ok(file(now, then, Way::Exact, to_origin));
    }
    match merged(left.as_deref(), then.as_deref(), now.as_deref()) {
        Some(merged) => Ok(file(now, Some(merged), Way::Merged, false)),
        None => Ok(file(now, then, Way::Refused, to_origin)),
    }
}

/// Where the folder of a patched file was renamed or removed. It is not made here: a run that is cut off would leave it behind.
fn without_folder(root: &Root, path: &str, error: FsError) -> StoreError {
    let Some((folder, _)) = path.rsplit_once('/') else {
        return error.into();
    };
    if error.errno() != Some(rustix::io::Errno::NOENT) {
        return error.into();
    }
    StoreError::Refused {
        path: root.path().join(folder),
        reason: format!("is gone, and {path} with it; nothing was changed"),
        hint: "move the folder back; or make it anew, empty: revert --force then puts the original into it".to_owned(),
    }
}

/// The digests that the remaining steps leave.
fn refresh(next: &mut State, path: &str, original: Option<&[u8]>, kept: &[(u64, StepChange)]) {
    for (index, (number, _)) in kept.iter().enumerate() {
        let bytes = replay(original, kept.get(..=index).unwrap_or_default()).flatten();
        let step = next.steps.iter_mut().find(|step| step.number == *number);
        if let Some(file) =
            step.and_then(|step| step.files.iter_mut().find(|file| file.path == path))
        {
            file.after = bytes.as_deref().map(Digest::of);
        }
    }
}

/// The steps that remain, each rebased over those that go.
fn without(
    original: Option<&[u8]>,
    live: &[(u64, StepChange)],
    gone: &[u64],
    path: &str,
) -> Result<Vec<(u64, StepChange)>, StoreError> {
    let mut steps = live.to_vec();
    for number in gone.iter().rev() {
        let Some(at) = steps.iter().position(|(known, _)| known == number) else {
            continue;
        };
        let (_, removed) = steps.remove(at);
        if steps.len() == at {
            continue;
        }
        let depends = |later: u64| StoreError::Depends {
            step: *number,
            later,
            path: path.to_owned(),
        };
        let before = replay(original, steps.get(..at).unwrap_or_default()).flatten();
        let mut inverse = match (&removed, &before) {
            (StepChange::Edit(splices), Some(before)) => {
                edits(splices).map(|edits| edits.undo(before).edits().clone())
            }
            _ => None,
        };
        for (later, change) in steps.iter_mut().skip(at) {
            let (StepChange::Edit(splices), Some(back)) = (&*change, &inverse) else {
                return Err(depends(*later));
            };
            let forward = edits(splices).ok_or_else(|| depends(*later))?;
            let rebased = carry(&forward, back).ok_or_else(|| depends(*later))?;
            inverse = Some(carry(back, &forward).ok_or_else(|| depends(*later))?);
            *change = StepChange::Edit(stored(&rebased));
        }
        // Splices that meet without overlapping can still leave a document that is none.
        let result = replay(original, &steps).flatten();
        if let Some(bytes) = result
            && path.ends_with(".json")
            && json_splice::Document::parse(&bytes).is_err()
        {
            return Err(depends(steps.get(at).map_or(*number, |(later, _)| *later)));
        }
    }
    Ok(steps)
}

/// The inverse beside somebody's edit, where both fit.
fn merged(left: Option<&[u8]>, then: Option<&[u8]>, now: Option<&[u8]>) -> Option<Vec<u8>> {
    let (left, then, now) = (left?, then?, now?);
    let inverse = difference(left, then)?;
    let merged = carry(&inverse, &difference(left, now)?)?.apply(now);
    (json_splice::Document::parse(left).is_err() || json_splice::Document::parse(&merged).is_ok())
        .then_some(merged)
}

/// The bytes of before the first patch, from the copy, or from the entry where the copy is damaged.
pub(super) fn original(root: &Root, origin: &Origin) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(digest) = origin.digest else {
        return Ok(None);
    };
    let folder = root.folder().child(home::FOLDER)?;
    for name in [origin.copy(), origin.slot.clone()] {
        if let Ok(mut opened) = folder.open_file(&name)
            && let Ok(bytes) = opened.read_all(entry::LIMIT)
            && Digest::of(&bytes) == digest
        {
            return Ok(Some(bytes));
        }
    }
    Err(StoreError::State {
        path: folder.full(&origin.copy()),
        problem: format!(
            "is not the original of {} any more, and neither is the entry kept beside it",
            origin.path
        ),
    })
}
