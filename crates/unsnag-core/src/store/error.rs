//! Why an operation was not done, or could not be confirmed.

use std::path::PathBuf;

use super::fsys::FsError;

/// An operation that was not done. Nothing is changed, except where the variant says so.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The file system refused.
    #[error(transparent)]
    System(#[from] FsError),
    /// A file is not what the plan read.
    #[error("{}: changed since it was read; nothing was done", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A file that no edit may touch.
    #[error("{}: {reason}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
        /// What to do.
        hint: String,
    },
    /// An operation was cut off.
    #[error("{}: an operation was cut off and waits to be taken back; nothing was done", path.display())]
    Pending {
        /// The directory.
        path: PathBuf,
    },
    /// The state folder is not what this program wrote.
    #[error("{}: {problem}; nothing was done", path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Recovery found a file that is neither the old nor the new one.
    #[error("{}: {conflict}", path.display())]
    Conflict {
        /// The file.
        path: PathBuf,
        /// What was found.
        conflict: Conflict,
    },
    /// Somebody asked to stop; everything was taken back.
    #[error("interrupted; everything was taken back")]
    Interrupted,
    /// There is no such step.
    #[error("there is no step {wanted}; {}", if known.is_empty() { "no patch is in place".to_owned() } else { format!("in place are {}", list(known)) })]
    NoStep {
        /// What was asked for.
        wanted: u64,
        /// The steps in place.
        known: Vec<u64>,
    },
    /// A step cannot be reverted without later ones.
    #[error(
        "step {step} cannot be reverted alone: step {later} changed the same place of {path} after it"
    )]
    Depends {
        /// The step.
        step: u64,
        /// The later step.
        later: u64,
        /// The file.
        path: String,
    },
    /// A file was edited since, and the inverse does not fit.
    #[error(
        "{path} was edited since it was patched, and taking the patch back would touch that edit"
    )]
    Edited {
        /// The file.
        path: String,
    },
    /// An operation failed and could not be taken back; recovery will.
    #[error("{first}; taking it back failed too: {second}")]
    Halfway {
        /// The failure.
        first: Box<StoreError>,
        /// The failure of the undo.
        second: Box<StoreError>,
    },
    /// It is done; the disk did not confirm that it will last.
    #[error("it is done, and the disk did not confirm that it will last: {0}")]
    Unsure(FsError),
}

/// Recovery stopped: three versions, none of which may be lost.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "was changed by somebody else while an operation was cut off. The original is {original}, and what stands there is neither it nor the patched version. Nothing was touched"
)]
pub struct Conflict {
    /// Where the original is.
    pub original: String,
}

impl StoreError {
    /// Whether the change stands although it is reported as an error.
    #[must_use]
    pub fn is_unsure(&self) -> bool {
        matches!(self, Self::Unsure(_))
    }

    /// Whether there is no space left.
    pub(super) fn is_full(&self) -> bool {
        let Self::System(error) = self else {
            return false;
        };
        matches!(
            error.errno(),
            Some(rustix::io::Errno::NOSPC | rustix::io::Errno::DQUOT)
        )
    }

    /// What to do.
    #[must_use]
    pub fn hints(&self) -> Vec<String> {
        let hint = match self {
            Self::Refused { hint, .. } => hint.clone(),
            Self::Changed { .. } => {
                "run the command again; it plans anew from what stands there now".to_owned()
            }
            Self::Pending { .. } => "unsnag recover, on this directory, takes it back".to_owned(),
            Self::Halfway { .. } => {
                "the journal is kept; unsnag recover takes it back once the cause is gone"
                    .to_owned()
            }
            Self::Unsure(_) => "check the disk; unsnag status rechecks every file".to_owned(),
            Self::State { .. } => {
                "the backups are files in .unsnag; nothing there was touched".to_owned()
            }
            Self::Conflict { .. } => {
                "decide which version is right, put it in place, then run recover again".to_owned()
            }
            Self::Depends { later, .. } => format!("revert step {later} first, or all with --all"),
            Self::System(error) => return error.hint().map(str::to_owned).into_iter().collect(),
            Self::Interrupted | Self::NoStep { .. } | Self::Edited { .. } => return Vec::new(),
        };
        vec![hint]
    }
}

fn list(steps: &[u64]) -> String {
    steps
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}
