//! A range of versions, and how a version or another range lies to it.

use std::fmt;
use std::str::FromStr;

use super::version::Version;
use crate::rule::{Gap, Truth};

/// Comparisons that must all hold, such as `>=0.14.0,<0.18.0`; `*` is every version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    lower: Option<Bound>,
    upper: Option<Bound>,
    holes: Vec<Version>,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Bound {
    version: Version,
    inclusive: bool,
}

/// The text is no range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// A part is not a comparison with a version.
    #[error(
        "`{0}` is not a comparison; expected *, or parts such as >=0.14.0, <0.18.0, ==0.5.9, !=5.0.0"
    )]
    Comparison(String),
    /// No version lies in the range.
    #[error("no version lies in `{0}`")]
    Empty(String),
}

/// How one range lies to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Every version of the first is in the second.
    Inside,
    /// No version is in both.
    Disjoint,
    /// Some are, or may be.
    Overlap,
}

impl Range {
    /// Whether every version is in it.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.lower.is_none() && self.upper.is_none() && self.holes.is_empty()
    }

    /// Whether it has no upper bound, so that versions nobody has read yet are in it.
    #[must_use]
    pub fn is_open_ended(&self) -> bool {
        self.upper.is_none()
    }

    /// The lowest version named, where one is.
    #[must_use]
    pub fn lowest(&self) -> Option<&Version> {
        self.lower.as_ref().map(|bound| &bound.version)
    }

    /// The single version, where the range is `==X`.
    #[must_use]
    pub fn exact(&self) -> Option<&Version> {
        match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) if lower.version == upper.version => Some(&lower.version),
            _ => None,
        }
    }

    /// Whether `version` of `library` is in the range. A nightly build, and a pre-release of a bound, are unknown.
    #[must_use]
    pub fn contains(&self, library: &str, version: &Version) -> Truth {
        if self.is_any() {
            return Truth::Yes;
        }
        if version.is_nightly() {
            return Truth::unknown(Gap::target(
                format!("{library} version"),
                format!("{version} is an unreleased build"),
            ));
        }
        if let Some(bound) = self.bounds().find(|bound| version.is_prerelease_of(bound)) {
            return Truth::unknown(Gap::target(
                format!("{library} version"),
                format!("{version} is a pre-release of {bound}"),
            ));
        }
        Truth::from(self.holds(version))
    }

    fn holds(&self, version: &Version) -> bool {
        let above = self
            .lower
            .as_ref()
            .is_none_or(|b| *version > b.version || (b.inclusive && *version == b.version));
        let below = self
            .upper
            .as_ref()
            .is_none_or(|b| *version < b.version || (b.inclusive && *version == b.version));
        above && below && !self.holes.contains(version)
    }

    fn bounds(&self) -> impl Iterator<Item = &Version> {
        self.lower
            .iter()
            .chain(&self.upper)
            .map(|bound| &bound.version)
            .chain(&self.holes)
    }

    /// How `self` lies to `other`.
    #[must_use]
    pub fn relation(&self, other: &Self) -> Relation {
        if let Some(version) = self.exact() {
            return if other.holds(version) {
                Relation::Inside
            } else {
                Relation::Disjoint
            };
        }
        if precedes(self.upper.as_ref(), other.lower.as_ref())
            || precedes(other.upper.as_ref(), self.lower.as_ref())
        {
            return Relation::Disjoint;
        }
        if let Some(version) = other.exact()
            && !self.holds(version)
        {
            return Relation::Disjoint;
        }
        let from = lower_reaches(self.lower.as_ref(), other.lower.as_ref());
        let to = upper_reaches(self.upper.as_ref(), other.upper.as_ref());
        let whole = other.holes.iter().all(|hole| !self.holds(hole));
        if from && to && whole {
            Relation::Inside
        } else {
            Relation::Overlap
        }
    }
}

/// Whether everything up to `upper` lies below everything from `lower` on.
fn precedes(upper: Option<&Bound>, lower: Option<&Bound>) -> bool {
    match (upper, lower) {
        (Some(upper), Some(lower)) => {
            upper.version < lower.version
                || (upper.version == lower.version && !(upper.inclusive && lower.inclusive))
        }
        _ => false,
    }
}

/// Whether the lower bound `inner` is at or above `outer`.
fn lower_reaches(inner: Option<&Bound>, outer: Option<&Bound>) -> bool {
    match (inner, outer) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(inner), Some(outer)) => {
            inner.version > outer.version
                || (inner.version == outer.version && (outer.inclusive || !inner.inclusive))
        }
    }
}

/// Whether the upper bound `inner` is at or below `outer`.
fn upper_reaches(inner: Option<&Bound>, outer: Option<&Bound>) -> bool {
    match (inner, outer) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(inner), Some(outer)) => {
            inner.version < outer.version
                || (inner.version == outer.version && (outer.inclusive || !inner.inclusive))
        }
    }
}

impl FromStr for Range {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut range = Self {
            lower: None,
            upper: None,
            holes: Vec::new(),
            text: text.trim().to_owned(),
        };
        for part in text.split(',').map(str::trim).filter(|part| *part != "*") {
            let bad = || RangeError::Comparison(part.to_owned());
            let split = part.find(|c: char| !"<>=!".contains(c)).ok_or_else(bad)?;
            let (op, version) = part.split_at(split);
            let version: Version = version.parse().map_err(|_| bad())?;
            match op {
                ">=" => {
                    range.lower = Some(Bound {
                        version,
                        inclusive: true,
                    })
                }
                ">" => {
                    range.lower = Some(Bound {
                        version,
                        inclusive: false,
                    })
                }
                "<=" => {
                    range.upper = Some(Bound {
                        version,
                        inclusive: true,
                    })
                }
                "<" => {
                    range.upper = Some(Bound {
                        version,
                        inclusive: false,
                    })
                }
                "==" => {
                    range.lower = Some(Bound {
                        version: version.clone(),
                        inclusive: true,
                    });
                    range.upper = Some(Bound {
                        version,
                        inclusive: true,
                    });
                }
                "!=" => range.holes.push(version),
                _ => return Err(bad()),
            }
        }
        if precedes(range.upper.as_ref(), range.lower.as_ref()) {
            return Err(RangeError::Empty(text.to_owned()));
        }
        Ok(range)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<&Version> for Range {
    fn from(version: &Version) -> Self {
        let bound = Bound {
            version: version.clone(),
            inclusive: true,
        };
        Self {
            lower: Some(bound.clone()),
            upper: Some(bound),
            holes: Vec::new(),
            text: format!("=={version}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> Range {
        text.parse().unwrap()
    }

    fn contains(range_text: &str, version: &str) -> Truth {
        range(range_text).contains("vllm", &version.parse().unwrap())
    }

    #[test]
    fn bounds_are_half_open_where_they_say_so() {
        for (version, expected) in [
            ("0.13.0", Truth::No),
            ("0.14.0", Truth::Yes),
            ("0.17.1", Truth::Yes),
            ("0.18.0", Truth::No),
        ] {
            assert_eq!(contains(">=0.14.0,<0.18.0", version), expected, "{version}");
        }
    }

    #[test]
    fn nightlies_and_prereleases_of_a_bound_are_unknown() {
        assert!(matches!(
            contains(">=0.14.0,<0.18.0", "0.1.dev15795+gabc1234"),
            Truth::Unknown(_)
        ));
        assert!(matches!(
            contains(">=0.14.0,<0.18.0", "0.18.0rc2"),
            Truth::Unknown(_)
        ));
        assert_eq!(contains(">=0.14.0,<0.18.0", "0.17.0rc2"), Truth::Yes);
        assert_eq!(contains("*", "0.1.dev15795+gabc1234"), Truth::Yes);
    }

    #[test]
    fn relations() {
        for (inner, outer, expected) in [
            (">=4.56,<5", "<5", Relation::Inside),
            (">=5.5.3", "<5", Relation::Disjoint),
            (">=4.56,!=5.0.0", "<5", Relation::Overlap),
            ("==0.13.0", ">=0.11,<0.13", Relation::Disjoint),
            ("==0.12.2", ">=0.11,<0.13", Relation::Inside),
            (">=4.56", "*", Relation::Inside),
            ("<5", ">=5", Relation::Disjoint),
            (">=0.11,<0.13", "==0.13.0", Relation::Disjoint),
        ] {
            assert_eq!(
                range(inner).relation(&range(outer)),
                expected,
                "{inner} to {outer}"
            );
        }
    }

    #[test]
    fn refuses_what_is_no_range() {
        assert!("0.14".parse::<Range>().is_err());
        assert!(">=".parse::<Range>().is_err());
        assert!(matches!(
            ">=2,<1".parse::<Range>(),
            Err(RangeError::Empty(_))
        ));
    }
}
