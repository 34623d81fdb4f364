//! What is done to a directory while faults are put in.

use std::fmt;

/// An operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// The scenario's change, on a directory that was never touched.
    Apply,
    /// The change goes back.
    Revert,
    /// A second change on top.
    SecondApply,
    /// The second change goes back, the first stays.
    SecondRevert,
    /// The first change goes back, the second stays.
    FirstRevert,
    /// Both go back at once.
    RevertAll,
    /// An apply that was cut off at the n-th third of its pending states is taken back.
    RecoverApply(usize),
    /// The same with a revert.
    RecoverRevert(usize),
    /// A patched twin is made.
    Out,
    /// A twin that another patch made stale is made anew.
    OutAgain,
    /// The patch stays, the state goes.
    Forget,
}

/// Every operation that is tried.
pub(crate) const ALL: &[Operation] = &[
    Operation::Apply,
    Operation::Revert,
    Operation::SecondApply,
    Operation::SecondRevert,
    Operation::FirstRevert,
    Operation::RevertAll,
    Operation::RecoverApply(0),
    Operation::RecoverApply(1),
    Operation::RecoverApply(2),
    Operation::RecoverRevert(0),
    Operation::RecoverRevert(1),
    Operation::RecoverRevert(2),
    Operation::Out,
    Operation::OutAgain,
    Operation::Forget,
];

impl Operation {
    /// Whether the operation is a recovery.
    pub(crate) fn is_recovery(self) -> bool {
        matches!(self, Self::RecoverApply(_) | Self::RecoverRevert(_))
    }

    /// Whether it is tried in every scenario also by default.
    pub(crate) fn is_core(self) -> bool {
        matches!(
            self,
            Self::Apply
                | Self::Revert
                | Self::SecondRevert
                | Self::RecoverApply(1)
                | Self::RecoverRevert(1)
        )
    }

    /// Whether it writes to a twin.
    pub(crate) fn is_twin(self) -> bool {
        matches!(self, Self::Out | Self::OutAgain)
    }

    /// Whether the first change is in place before it.
    pub(crate) fn needs_first(self) -> bool {
        !matches!(
            self,
            Self::Apply | Self::RecoverApply(_) | Self::Out | Self::OutAgain
        )
    }

    /// Whether the second change is in place before it.
    pub(crate) fn needs_second(self) -> bool {
        matches!(
            self,
            Self::SecondRevert | Self::FirstRevert | Self::RevertAll
        )
    }

    /// Whether everything is as it was in the beginning when it is done.
    pub(crate) fn ends_pristine(self) -> bool {
        matches!(self, Self::Revert | Self::RevertAll)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Apply => f.write_str("apply"),
            Self::Revert => f.write_str("revert"),
            Self::SecondApply => f.write_str("apply-second"),
            Self::SecondRevert => f.write_str("revert-second"),
            Self::FirstRevert => f.write_str("revert-first"),
            Self::RevertAll => f.write_str("revert-all"),
            Self::RecoverApply(state) => write!(f, "recover-apply-{state}"),
            Self::RecoverRevert(state) => write!(f, "recover-revert-{state}"),
            Self::Out => f.write_str("out"),
            Self::OutAgain => f.write_str("out-again"),
            Self::Forget => f.write_str("forget"),
        }
    }
}
