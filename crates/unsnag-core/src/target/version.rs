//! A release of an engine or library, as its users write it, and its order.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A version: PEP 440 for Python packages, a build number (`b4567`) for llama.cpp.
///
/// A local part (`0.15.1+cu128`) is kept in the text and ignored in comparisons.
#[derive(Debug, Clone)]
pub struct Version {
    public: pep440_rs::Version,
    text: String,
}

/// The text is no version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a version; expected something like 0.15.1, 5.0.0rc1 or b4567")]
pub struct VersionError(pub String);

impl Version {
    /// Whether it is an unreleased build, such as `0.1.dev15795+gabcdef`.
    #[must_use]
    pub fn is_nightly(&self) -> bool {
        self.public.is_dev()
    }

    /// Whether it is a pre-release (or nightly) of `bound`, so that it may lie on either side of it.
    #[must_use]
    pub fn is_prerelease_of(&self, bound: &Self) -> bool {
        self.public.any_prerelease()
            && !bound.public.any_prerelease()
            && same_release(&self.public, &bound.public)
    }

    /// As it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

fn same_release(a: &pep440_rs::Version, b: &pep440_rs::Version) -> bool {
    let (a, b) = (a.release(), b.release());
    (0..a.len().max(b.len()))
        .all(|i| a.get(i).copied().unwrap_or(0) == b.get(i).copied().unwrap_or(0))
}

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let bare = text.strip_prefix(['v', 'V', 'b']).unwrap_or(text);
        let public = bare.split('+').next().unwrap_or(bare);
        let starts_with_digit = public.starts_with(|c: char| c.is_ascii_digit());
        match pep440_rs::Version::from_str(public) {
            Ok(public) if starts_with_digit => Ok(Self {
                public,
                text: text.to_owned(),
            }),
            _ => Err(VersionError(text.to_owned())),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.public == other.public
    }
}

impl Eq for Version {}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.public.cmp(&other.public)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn orders_as_pep_440() {
        let ordered = [
            "0.5.5rc1",
            "0.5.5",
            "0.5.5.post3",
            "0.5.6",
            "0.15.1",
            "1.3.0rc12",
            "1.3.0",
        ];
        assert!(
            ordered
                .windows(2)
                .all(|pair| version(pair[0]) < version(pair[1]))
        );
    }

    #[test]
    fn a_local_part_does_not_count() {
        assert_eq!(version("0.15.1+cu128"), version("v0.15.1"));
        assert_eq!(version("0.15.1+cu128").as_str(), "0.15.1+cu128");
    }

    #[test]
    fn nightly_and_prerelease() {
        assert!(version("0.1.dev15795+gabcdef1").is_nightly());
        assert!(version("0.18.0rc1").is_prerelease_of(&version("0.18")));
        assert!(!version("0.17.1rc1").is_prerelease_of(&version("0.18")));
    }

    #[test]
    fn refuses_words() {
        for bad in ["", "latest", "v", "b", "one.two"] {
            assert!(bad.parse::<Version>().is_err(), "{bad}");
        }
    }
}
