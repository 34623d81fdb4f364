//! Splices: the bytes that change, and nothing else.

use super::undo::Undo;
use std::error::Error;
use std::fmt;
use std::ops::Range;

/// One change: the bytes of `range` give way to `replacement`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// The bytes that go, as offsets into the text before any splice. Empty for an insertion.
    pub range: Range<usize>,
    /// The bytes that come. Empty for a removal.
    pub replacement: Vec<u8>,
}

/// Splices of one text, in order and disjoint. They apply all at once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edits {
    splices: Vec<Splice>,
}

/// Why splices do not make up edits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditsError {
    /// A range ends before it starts.
    Backwards(Range<usize>),
    /// Two ranges overlap, or are two insertions at one place.
    Overlap(Range<usize>, Range<usize>),
}

impl Edits {
    /// Edits from splices in any order.
    ///
    /// # Errors
    /// When a range runs backwards or two of them overlap. Two insertions at one place overlap: which
    /// comes first would not be said.
    pub fn new(mut splices: Vec<Splice>) -> Result<Edits, EditsError> {
        splices.sort_by_key(|splice| (splice.range.start, splice.range.end));
        for splice in &splices {
            if splice.range.start > splice.range.end {
                return Err(EditsError::Backwards(splice.range.clone()));
            }
        }
        for (a, b) in splices.iter().zip(splices.iter().skip(1)) {
            if a.range.end > b.range.start || a.range == b.range {
                return Err(EditsError::Overlap(a.range.clone(), b.range.clone()));
            }
        }
        Ok(Edits { splices })
    }

    /// The splices, in order and disjoint.
    pub fn splices(&self) -> &[Splice] {
        &self.splices
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.splices.is_empty()
    }

    /// `text` with these edits made. Only meant for the text the edits were made for: offsets past
    /// the end of another one count as its end.
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        let grown: usize = self.splices.iter().map(|s| s.replacement.len()).sum();
        let mut result = Vec::with_capacity(text.len() + grown);
        let mut done = 0;
        for splice in &self.splices {
            result.extend_from_slice(between(text, done, splice.range.start));
            result.extend_from_slice(&splice.replacement);
            done = splice.range.end;
        }
        result.extend_from_slice(between(text, done, text.len()));
        result
    }

    /// The record that leads from the edited text back to `original`, to the byte.
    pub fn undo(&self, original: &[u8]) -> Undo {
        Undo::new(self, original)
    }

    /// The edits that lead from the edited text back to `original`. Unlike [`Edits::undo`] they do
    /// not know the edited text when they see it.
    ///
    /// ```
    /// use json_splice::Patch;
    ///
    /// let patch = Patch::parse(br#"[{"op": "remove", "path": "/a"}]"#)?;
    /// let edits = patch.edits(br#"{"a": 1, "b": 2}"#)?;
    /// let back = edits.inverse(br#"{"a": 1, "b": 2}"#);
    /// assert_eq!(back.apply(br#"{"b": 2}"#), br#"{"a": 1, "b": 2}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn inverse(&self, original: &[u8]) -> Edits {
        let (mut gone, mut come) = (0, 0);
        let splices = self.splices.iter().map(|splice| {
            let old = between(original, splice.range.start, splice.range.end);
            let start = splice.range.start.min(original.len()) - gone + come;
            gone += old.len();
            come += splice.replacement.len();
            Splice {
                range: start..start + splice.replacement.len(),
                replacement: old.to_vec(),
            }
        });
        Edits {
            splices: splices.collect(),
        }
    }
}

fn between(text: &[u8], start: usize, end: usize) -> &[u8] {
    text.get(start..end.min(text.len())).unwrap_or_default()
}

impl fmt::Display for EditsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditsError::Backwards(range) => {
                write!(
                    f,
                    "a splice ends at {} before it starts at {}",
                    range.end, range.start
                )
            }
            EditsError::Overlap(a, b) => write!(
                f,
                "splices of bytes {}..{} and {}..{} overlap",
                a.start, a.end, b.start, b.end
            ),
        }
    }
}

impl Error for EditsError {}
