//! Applying: read, compare with what the plan read, stage, and hand over to the transaction.

use std::path::Path;

use json_splice::Edits;

use super::change::{Action, Applied, Before, FileChange, Options, Request, Touched};
use super::entry::{self, EntryId};
use super::fsys::{Digest, FileRead, Layout, Owner, Root};
use super::home::Home;
use super::origin::Origin;
use super::recover::undone;
use super::stage::{Like, stage};
use super::state::{
    Move, MoveKind, Operation, OperationFile, STATE, State, Step, StepChange, StepFile, Text,
    stored,
};
use super::transaction::Reserve;
use super::{StoreError, transaction};

/// Carries out a request.
///
/// # Errors
/// Nothing is done where a file is not what the plan read, must not be edited, or the file system refuses; [`StoreError::Unsure`] where
/// it is done and not confirmed.
pub fn apply(path: &Path, request: &Request, options: &Options) -> Result<Applied, StoreError> {
    if super::pending(path, options.waiting)?.is_some() {
        return Err(StoreError::Pending {
            path: path.to_owned(),
        });
    }
    // Everything that can be seen without a lock is refused before the first entry is made.
    let root = Root::open(path)?;
    for change in &request.changes {
        read(&root, &change.path, change.before)?;
    }
    drop(root);
    let home = Home::open(path, options)?;
    undone(&home, locked(&home, request, options))
}

fn locked(home: &Home, request: &Request, options: &Options) -> Result<Applied, StoreError> {
    roll_back_leftovers(home)?;
    let mut next = State::read(&home.folder, STATE)?.unwrap_or_else(State::new);
    next.moves.clear();
    home.write_ignore()?;
    for consulted in &request.consulted {
        read(&home.root, &consulted.path, consulted.before)?;
    }
    let mut files = Vec::new();
    let mut touched = Vec::new();
    let mut operation_files = Vec::new();
    for change in &request.changes {
        if options.interrupted() {
            return Err(StoreError::Interrupted);
        }
        let read = read(&home.root, &change.path, change.before)?;
        touched.push(Touched {
            path: change.path.clone(),
            was_link: read.as_ref().is_some_and(|read| read.link.is_some()),
        });
        settle(home, &mut next, &change.path, read.as_ref())?;
        let file = one(home, &mut next, change, read.as_ref(), options)?;
        let before = read.as_ref().map(|read| Digest::of(&read.bytes));
        operation_files.push(OperationFile {
            path: change.path.clone(),
            before,
            after: file.after,
        });
        files.push(file);
    }
    let operation = Operation {
        number: next.next_number(),
        time: options.now,
        verb: request.label.verb.clone(),
        fixes: request.label.fixes.clone(),
        command_line: request.label.command_line.clone(),
        files: operation_files,
    };
    let step = operation.number;
    next.steps.push(Step {
        number: step,
        time: options.now,
        label: request.label.clone(),
        files,
    });
    next.history.push(operation.clone());
    let notes = super::status::notes(&home.root, &touched, options);
    // The journal of a revert has what this state has, less a step, and its own moves.
    home.set_aside(2 * next.to_bytes().map_or(0, |bytes| bytes.len()) + 4096)?;
    transaction::run(home, &next, Reserve::Keep, options)?;
    Ok(Applied {
        operation,
        step,
        files: touched,
        notes,
    })
}

/// A further patch needs the file as the last one left it: the steps are splices on splices. Where somebody brought the original back, the earlier
/// patches of the file are not there any more.
fn settle(
    home: &Home,
    next: &mut State,
    path: &str,
    read: Option<&FileRead>,
) -> Result<(), StoreError> {
    let (Some(left), Some(origin)) = (next.left(path), next.origin(path)) else {
        return Ok(());
    };
    let now = read.map(|read| Digest::of(&read.bytes));
    let link = read.and_then(|read| read.link.as_ref());
    if now == left && link.is_none() {
        return Ok(());
    }
    let is_own_link = |text: &String| origin.entry == Some(EntryId::Link { text: text.clone() });
    if now == origin.digest && link.is_none_or(is_own_link) {
        for step in &mut next.steps {
            step.files.retain(|file| file.path != path);
        }
        next.steps.retain(|step| !step.files.is_empty());
        return Ok(());
    }
    Err(StoreError::Refused {
        path: home.root.path().join(path),
        reason: "is not as its last patch left it, and a further one would lose the way back".to_owned(),
        hint: "unsnag revert takes the patches out and keeps the edit beside them, with --force aside; unsnag forget keeps the file as it is and drops the backup".to_owned(),
    })
}

/// What an operation left that was cut off before its journal, or after its commit. A pending one is refused.
pub(super) fn roll_back_leftovers(home: &Home) -> Result<(), StoreError> {
    if super::home::journal(&home.folder)?.is_some() {
        return Err(StoreError::Pending {
            path: home.root.path().to_owned(),
        });
    }
    let state = super::home::state(&home.folder)?;
    Ok(home.sweep(state.as_ref())?)
}

/// Reads a file and compares it with what the plan read.
fn read(root: &Root, path: &str, before: Before) -> Result<Option<FileRead>, StoreError> {
    if !super::state::is_inside(path) {
        return Err(super::FsError::Outside(path.to_owned()).into());
    }
    let found = root.read(path, entry::LIMIT)?;
    let same = match (&found, before) {
        (None, Before::Missing) => true,
        (Some(read), Before::Present { digest, len }) => {
            read.bytes.len() as u64 == len && Digest::of(&read.bytes) == digest
        }
        _ => false,
    };
    if !same {
        return Err(StoreError::Changed {
            path: root.path().join(path),
        });
    }
    if let Some(read) = &found {
        refuse(root, path, read)?;
    }
    Ok(found)
}

/// Files that no edit may touch.
fn refuse(root: &Root, path: &str, read: &FileRead) -> Result<(), StoreError> {
    let refused = |reason: &str, hint: &str| {
        Err(StoreError::Refused {
            path: root.path().join(path),
            reason: reason.to_owned(),
            hint: hint.to_owned(),
        })
    };
    let name = path.rsplit('/').next().unwrap_or(path);
    if read
        .bytes
        .starts_with(b"version https://git-lfs.github.com/spec/v1")
    {
        return refused(
            "is a Git LFS pointer, not the file",
            "git lfs pull fetches it",
        );
    }
    let hash = name.strip_prefix("sha256-").unwrap_or("");
    if hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return refused(
            "is named by its own hash, as in Ollama's store: an edit would break the store",
            "edit the model's source and import it again",
        );
    }
    Ok(())
}

/// Stages one file and adds its move, and its origin where it is the first patch of that file.
fn one(
    home: &Home,
    next: &mut State,
    change: &FileChange,
    read: Option<&FileRead>,
    options: &Options,
) -> Result<StepFile, StoreError> {
    let (parent, name) = home.root.parent(&change.path)?;
    let old = EntryId::at_known(&parent, name, read)?;
    let first = next.origin(&change.path).is_none();
    let slot = next.slot(if first { 'o' } else { 't' });
    if first {
        let origin = Origin {
            path: change.path.clone(),
            slot: slot.clone(),
            entry: old.clone(),
            digest: read.map(|read| Digest::of(&read.bytes)),
            mtime_ns: read.map_or(0, |read| i64::try_from(read.identity.mtime_ns).unwrap_or(0)),
            owner: read.map(|read| read.identity.owner),
        };
        if let Some(read) = read {
            // Its own copy beside the entry: a hard-linked original can change under another name.
            let source = if read.link.is_none() {
                Some(parent.open_file(name)?.file)
            } else {
                None
            };
            let like = Like {
                owner: read.identity.owner,
                attributes: source.as_ref(),
                mtime_ns: Some(read.identity.mtime_ns),
            };
            stage(&home.folder, &origin.copy(), &read.bytes, &like)?;
        }
        next.origins.push(origin);
    }
    let step = |change_made, after| StepFile {
        path: change.path.clone(),
        after,
        change: change_made,
    };
    let (kind, new, file) = match (&change.action, read) {
        (Action::Edit(edits), Some(read)) => {
            let bytes = edits.apply(&read.bytes);
            let source = if read.link.is_none() {
                Some(parent.open_file(name)?.file)
            } else {
                None
            };
            let like = Like {
                owner: read.identity.owner,
                attributes: source.as_ref(),
                mtime_ns: keeps_mtime(&home.root, &change.path, options)
                    .then_some(read.identity.mtime_ns),
            };
            let id = stage(&home.folder, &slot, &bytes, &like)?;
            (
                MoveKind::Exchange,
                Some(id),
                step(StepChange::Edit(stored(edits)), Some(Digest::of(&bytes))),
            )
        }
        (Action::Create(bytes), None) => {
            let like = Like {
                owner: new_owner(home)?,
                attributes: None,
                mtime_ns: None,
            };
            let id = stage(&home.folder, &slot, bytes, &like)?;
            (
                MoveKind::Place,
                Some(id),
                step(
                    StepChange::Create(Text::from(bytes.as_slice())),
                    Some(Digest::of(bytes)),
                ),
            )
        }
        (Action::Park, Some(_)) => (MoveKind::Take, None, step(StepChange::Park, None)),
        (Action::Edit(_) | Action::Park, None) | (Action::Create(_), Some(_)) => {
            return Err(StoreError::Changed {
                path: parent.full(name),
            });
        }
    };
    next.moves.push(Move::new(
        &home.folder,
        (&change.path, &slot),
        kind,
        old,
        new,
    )?);
    Ok(file)
}

impl EntryId {
    /// What stands at `name`, whose bytes were read already.
    fn at_known(
        folder: &super::fsys::Folder,
        name: &str,
        read: Option<&FileRead>,
    ) -> Result<Option<Self>, StoreError> {
        Ok(match read {
            None => None,
            Some(FileRead { link: Some(_), .. }) => Some(Self::Link {
                text: folder.link_text(name)?,
            }),
            Some(read) => Some(Self::of(&read.bytes)),
        })
    }
}

/// Owner and bits of a file that did not exist: the directory's, without the right to enter.
fn new_owner(home: &Home) -> Result<Owner, StoreError> {
    let directory = home.root.folder().identity()?.owner;
    Ok(Owner {
        mode: directory.mode & 0o666,
        uid: home.owner.uid,
        gid: home.owner.gid,
    })
}

/// `hf download --local-dir` fetches a file again whose time is newer than its own record of the download.
fn keeps_mtime(root: &Root, path: &str, options: &Options) -> bool {
    let record = format!(".cache/huggingface/download/{path}.metadata");
    !options.fresh_mtime && *root.layout() == Layout::LocalDir && root.len(&record).is_ok()
}

/// The bytes that a file has after some of its steps.
pub(super) fn replay(
    origin: Option<&[u8]>,
    steps: &[(u64, StepChange)],
) -> Option<Option<Vec<u8>>> {
    let mut bytes = origin.map(<[u8]>::to_vec);
    for (_, change) in steps {
        bytes = match change {
            StepChange::Edit(splices) => {
                let edits: Edits = super::state::edits(splices)?;
                let before = bytes?;
                if edits
                    .splices()
                    .last()
                    .is_some_and(|splice| splice.range.end > before.len())
                {
                    return None;
                }
                Some(edits.apply(&before))
            }
            StepChange::Create(text) => Some(text.bytes()),
            StepChange::Park => None,
        };
    }
    Some(bytes)
}
