//! Three-valued answers: yes, no, or unknown together with the facts that would decide.

use std::fmt;

/// Which kind of fact is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GapKind {
    /// Something about the engine, a library or the GPU: the person can name it.
    Target,
    /// Something about the directory: a broken file, absent weights.
    Directory,
}

/// A fact that is missing, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gap {
    /// Whether the target or the directory leaves it open.
    pub kind: GapKind,
    /// The fact, as a short noun: `vllm version`, `gpu`, `weights`, `config.json`.
    pub fact: String,
    /// Why it is missing; empty where the fact says it all.
    pub reason: String,
}

impl Gap {
    /// A fact about the target that nobody named.
    #[must_use]
    pub fn target(fact: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            kind: GapKind::Target,
            fact: fact.into(),
            reason: reason.into(),
        }
    }

    /// A fact about the directory that cannot be read.
    #[must_use]
    pub fn directory(fact: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            kind: GapKind::Directory,
            fact: fact.into(),
            reason: reason.into(),
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reason.is_empty() {
            f.write_str(&self.fact)
        } else {
            write!(f, "{} ({})", self.fact, self.reason)
        }
    }
}

/// Yes, no, or unknown with the gaps that leave it open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Truth {
    /// It holds.
    Yes,
    /// It does not hold.
    No,
    /// It depends on the facts named; never empty.
    Unknown(Vec<Gap>),
}

impl Truth {
    /// Unknown because of one gap.
    #[must_use]
    pub fn unknown(gap: Gap) -> Self {
        Self::Unknown(vec![gap])
    }

    /// Whether it certainly holds.
    #[must_use]
    pub fn is_yes(&self) -> bool {
        matches!(self, Self::Yes)
    }

    /// Whether it certainly does not hold.
    #[must_use]
    pub fn is_no(&self) -> bool {
        matches!(self, Self::No)
    }

    /// The gaps of an unknown; none otherwise.
    #[must_use]
    pub fn gaps(&self) -> &[Gap] {
        match self {
            Self::Unknown(gaps) => gaps,
            Self::Yes | Self::No => &[],
        }
    }

    /// No if any part is no, else unknown if any is. Stops at the first no.
    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut gaps = Vec::new();
        for part in parts {
            match part {
                Self::No => return Self::No,
                Self::Yes => {}
                Self::Unknown(more) => merge(&mut gaps, more),
            }
        }
        if gaps.is_empty() {
            Self::Yes
        } else {
            Self::Unknown(gaps)
        }
    }

    /// Yes if any part is yes, else unknown if any is. Stops at the first yes.
    pub fn any(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut gaps = Vec::new();
        for part in parts {
            match part {
                Self::Yes => return Self::Yes,
                Self::No => {}
                Self::Unknown(more) => merge(&mut gaps, more),
            }
        }
        if gaps.is_empty() {
            Self::No
        } else {
            Self::Unknown(gaps)
        }
    }
}

impl std::ops::Not for Truth {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            unknown @ Self::Unknown(_) => unknown,
        }
    }
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

/// Adds gaps without repeating one.
pub(crate) fn merge(gaps: &mut Vec<Gap>, more: Vec<Gap>) {
    for gap in more {
        if !gaps.contains(&gap) {
            gaps.push(gap);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open() -> Truth {
        Truth::unknown(Gap::target("gpu", ""))
    }

    #[test]
    fn all_is_no_if_any_part_is_no() {
        assert_eq!(Truth::all([open(), Truth::No]), Truth::No);
        assert_eq!(Truth::all([open(), Truth::Yes]), open());
        assert_eq!(Truth::all([]), Truth::Yes);
    }

    #[test]
    fn any_is_yes_if_any_part_is_yes() {
        assert_eq!(Truth::any([open(), Truth::Yes]), Truth::Yes);
        assert_eq!(Truth::any([open(), Truth::No]), open());
        assert_eq!(Truth::any([]), Truth::No);
    }

    #[test]
    fn not_keeps_the_gap() {
        assert_eq!(!open(), open());
        assert_eq!(!Truth::Yes, Truth::No);
    }
}
