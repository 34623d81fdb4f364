//! What the state folder says: origins, live steps, the history, and the journal of an operation under way. Read as hostile input.

use jiff::Timestamp;
use json_splice::{Edits, Splice};
use serde::{Deserialize, Serialize};

use super::StoreError;
use super::change::Label;
use super::entry::EntryId;
use super::fsys::{Digest, Folder, FsError, Owner};
use super::origin::Origin;

/// The committed state.
pub(super) const STATE: &str = "state";
/// An operation under way; renamed to `state` it is committed.
pub(super) const JOURNAL: &str = "journal";
/// The journal before it counts.
pub(super) const JOURNAL_NEW: &str = "journal.new";
/// The longest state file that is read.
const LIMIT: u64 = 1 << 30;
const VERSION: u32 = 1;

/// Everything that is known of a directory's patches.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    version: u32,
    /// The next free number of a slot.
    pub(super) next_slot: u64,
    /// What each patched file was before the first patch.
    pub(super) origins: Vec<Origin>,
    /// The patches in place, in order.
    pub(super) steps: Vec<Step>,
    /// Every operation, in order.
    pub(super) history: Vec<Operation>,
    /// Slots of files that somebody edited and a forced revert kept.
    pub(super) kept: Vec<Kept>,
    /// What the operation that leads here moves; empty once it is cleaned up.
    pub(super) moves: Vec<Move>,
}

/// A file that a forced revert kept aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    pub(super) path: String,
    pub(super) slot: String,
}

/// A patch in place, which `revert` can take back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its number; never used twice in a directory's life.
    pub number: u64,
    /// When it was made.
    pub time: Timestamp,
    /// What made it.
    pub label: Label,
    pub(super) files: Vec<StepFile>,
}

/// What a step did to one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepFile {
    pub(super) path: String,
    pub(super) after: Option<Digest>,
    pub(super) change: StepChange,
}

/// How a step changed a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum StepChange {
    Edit(Vec<StoredSplice>),
    Create(Text),
    Park,
}

/// A splice in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredSplice {
    start: usize,
    end: usize,
    new: Text,
}

/// Bytes, as text where they are UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Text {
    Utf8(String),
    Bytes(Vec<u8>),
}

impl Text {
    pub(super) fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Utf8(text) => text.as_bytes().to_vec(),
            Self::Bytes(bytes) => bytes.clone(),
        }
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Self {
        std::str::from_utf8(bytes).map_or_else(
            |_| Self::Bytes(bytes.to_vec()),
            |text| Self::Utf8(text.to_owned()),
        )
    }
}

/// For the state file.
pub(super) fn stored(edits: &Edits) -> Vec<StoredSplice> {
    let stored = |splice: &Splice| StoredSplice {
        start: splice.range.start,
        end: splice.range.end,
        new: Text::from(splice.replacement.as_slice()),
    };
    edits.splices().iter().map(stored).collect()
}

/// From the state file; `None` where the splices overlap or run backwards.
pub(super) fn edits(stored: &[StoredSplice]) -> Option<Edits> {
    let splice = |stored: &StoredSplice| Splice {
        range: stored.start..stored.end,
        replacement: stored.new.bytes(),
    };
    Edits::new(stored.iter().map(splice).collect()).ok()
}

/// A line of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// Its number, from 1.
    pub number: u64,
    /// When.
    pub time: Timestamp,
    /// What: `apply`, `patch`, `revert`.
    pub verb: String,
    /// The fixes, by id.
    pub fixes: Vec<String>,
    /// The words of the command line.
    pub command_line: Vec<String>,
    /// The files.
    pub files: Vec<OperationFile>,
}

/// A file of an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationFile {
    /// Path in the model directory.
    pub path: String,
    /// SHA-256 before; none where the file was missing.
    pub before: Option<Digest>,
    /// SHA-256 after; none where the file is missing then.
    pub after: Option<Digest>,
}

/// One directory entry that an operation moves between the directory and its slot in the state folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Move {
    pub(super) path: String,
    pub(super) slot: String,
    pub(super) kind: MoveKind,
    /// What stood at the path.
    pub(super) old: Option<EntryId>,
    /// What shall stand there.
    pub(super) new: Option<EntryId>,
    /// The new entry's inode, where old and new have the same content and nothing else tells them apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) inode: Option<u64>,
}

impl Move {
    /// A move of what is staged in `slot`.
    pub(super) fn new(
        folder: &Folder,
        (path, slot): (&str, &str),
        kind: MoveKind,
        old: Option<EntryId>,
        new: Option<EntryId>,
    ) -> Result<Self, StoreError> {
        let inode = if new.is_some() && old == new {
            folder.stat(slot)?.map(|(_, identity)| identity.ino)
        } else {
            None
        };
        Ok(Self {
            path: path.to_owned(),
            slot: slot.to_owned(),
            kind,
            old,
            new,
            inode,
        })
    }

    /// Whether the new entry stands at a name.
    pub(super) fn is_new_at(&self, folder: &Folder, name: &str) -> Result<bool, FsError> {
        let Some(new) = &self.new else {
            return Ok(false);
        };
        if let Some(inode) = self.inode
            && folder.stat(name)?.is_none_or(|(_, at)| at.ino != inode)
        {
            return Ok(false);
        }
        new.is_at(folder, name)
    }
}

/// How an entry moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MoveKind {
    /// Path and slot change places.
    Exchange,
    /// From the slot to a path where nothing is.
    Place,
    /// From the path to the slot.
    Take,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            version: VERSION,
            next_slot: 1,
            ..Self::default()
        }
    }

    /// Whether nothing is kept for anybody.
    pub(super) fn is_idle(&self) -> bool {
        self.steps.is_empty() && self.origins.is_empty() && self.kept.is_empty()
    }

    pub(super) fn origin(&self, path: &str) -> Option<&Origin> {
        self.origins.iter().find(|origin| origin.path == path)
    }

    /// The steps that touch a file, in order, with what they did.
    pub(super) fn steps_of<'s>(
        &'s self,
        path: &'s str,
    ) -> impl DoubleEndedIterator<Item = (&'s Step, &'s StepFile)> {
        self.steps.iter().filter_map(move |step| {
            step.files
                .iter()
                .find(|file| file.path == path)
                .map(|file| (step, file))
        })
    }

    /// What a file's last step left; outer `None` where no step touches it.
    pub(super) fn left(&self, path: &str) -> Option<Option<Digest>> {
        self.steps_of(path).next_back().map(|(_, file)| file.after)
    }

    /// A free slot's name.
    pub(super) fn slot(&mut self, prefix: char) -> String {
        let slot = format!("{prefix}{}", self.next_slot);
        self.next_slot += 1;
        slot
    }

    /// The number of the next operation.
    pub(super) fn next_number(&self) -> u64 {
        self.history.last().map_or(0, |operation| operation.number) + 1
    }

    /// Reads `state` or `journal`; `None` where there is none.
    pub(super) fn read(folder: &Folder, name: &str) -> Result<Option<Self>, StoreError> {
        let mut opened = match folder.open_file(name) {
            Ok(opened) => opened,
            Err(error) if error.errno() == Some(rustix::io::Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let bytes = opened.read_all(LIMIT)?;
        Self::parse(&bytes)
            .map(Some)
            .map_err(|problem| StoreError::State {
                path: folder.full(name),
                problem,
            })
    }

    /// Text and checksum.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, String> {
        let mut bytes = serde_json::to_vec(self).map_err(|error| error.to_string())?;
        bytes.push(b'\n');
        let line = format!("{}\n", Digest::of(&bytes));
        bytes.extend(line.into_bytes());
        Ok(bytes)
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let body = bytes
            .len()
            .checked_sub(65)
            .and_then(|at| bytes.split_at_checked(at));
        let (text, checksum) = body.ok_or("is too short to be a state file")?;
        let checksum = std::str::from_utf8(checksum).map_err(|_| "has no checksum")?;
        if checksum.trim_end() != Digest::of(text).to_string() {
            return Err("does not fit its checksum".to_owned());
        }
        let state: Self = serde_json::from_slice(text)
            .map_err(|error| format!("is not a state file: {error}"))?;
        if state.version != VERSION {
            return Err(format!(
                "is of version {}, this program knows {VERSION}",
                state.version
            ));
        }
        state.validate()?;
        Ok(state)
    }

    /// Nothing in it may lead out of the directory or into the state folder by another name than a slot's.
    fn validate(&self) -> Result<(), String> {
        let paths = self.origins.iter().map(|origin| &origin.path);
        let paths = paths
            .chain(self.moves.iter().map(|one| &one.path))
            .chain(self.kept.iter().map(|kept| &kept.path));
        let paths = paths.chain(
            self.steps
                .iter()
                .flat_map(|step| step.files.iter().map(|file| &file.path)),
        );
        for path in paths {
            if !is_inside(path) {
                return Err(format!(
                    "names `{path}`, which is not a file of the model directory"
                ));
            }
        }
        let slots = self.origins.iter().map(|origin| &origin.slot);
        for slot in slots
            .chain(self.moves.iter().map(|one| &one.slot))
            .chain(self.kept.iter().map(|kept| &kept.slot))
        {
            if !is_slot(slot) {
                return Err(format!(
                    "names the slot `{slot}`, which this program never makes"
                ));
            }
        }
        Ok(())
    }
}

/// Whether a path stays inside the model directory and outside the state folder.
pub(super) fn is_inside(path: &str) -> bool {
    !path.is_empty()
        && !path.contains('\0')
        && path
            .split('/')
            .all(|part| !part.is_empty() && part != "." && part != "..")
        && path.split('/').next() != Some(super::home::FOLDER)
}

/// `o12` (an origin), `t12` (on its way), `k12` (kept for somebody).
pub(super) fn is_slot(name: &str) -> bool {
    let rest = name.strip_prefix(['o', 't', 'k']).unwrap_or("");
    !rest.is_empty() && rest.len() < 20 && rest.bytes().all(|byte| byte.is_ascii_digit())
}

/// Owner of files in the state folder: the directory's group may use them where it may use the directory.
pub(super) fn file_owner(folder: Owner) -> Owner {
    Owner {
        mode: 0o600 | (folder.mode & 0o060),
        ..folder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let mut state = State::new();
        state.kept.push(Kept {
            path: "config.json".into(),
            slot: "k1".into(),
        });
        let read = State::parse(&state.to_bytes().unwrap()).unwrap();
        assert_eq!(read.kept, state.kept);
    }

    #[test]
    fn hostile_input_is_refused() {
        let good = State::new().to_bytes().unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            assert!(
                State::parse(&bad).is_err() || at == good.len() - 1,
                "byte {at}"
            );
        }
        assert!(State::parse(&good[..good.len() - 1]).is_err());
        for path in [
            "/etc/passwd",
            "../x",
            "a/../../x",
            ".unsnag/state",
            "",
            "a//b",
            "./a",
        ] {
            let mut state = State::new();
            state.kept.push(Kept {
                path: path.into(),
                slot: "k1".into(),
            });
            assert!(State::parse(&state.to_bytes().unwrap()).is_err(), "{path}");
        }
        for slot in ["state", "../o1", "o", "o1.copy", "x1", "o-1"] {
            let mut state = State::new();
            state.kept.push(Kept {
                path: "a".into(),
                slot: slot.into(),
            });
            assert!(State::parse(&state.to_bytes().unwrap()).is_err(), "{slot}");
        }
    }
}
