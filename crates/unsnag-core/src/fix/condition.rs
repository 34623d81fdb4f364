//! A condition as it stands in the TOML, and as it is evaluated.

use json_splice::RawValue;
use serde::Deserialize;

use super::one_or_many::OneOrMany;
use crate::rule::{Glob, Place};
use crate::target::{Intent, Row, RowFile};

/// A condition: a question about the directory, the weights, the target or the person's intent.
#[derive(Debug, Clone)]
pub enum Condition {
    /// About values at places of a file.
    Value {
        /// The file, where it is not the site's.
        file: Option<String>,
        /// The places, one of which is meant.
        at: Vec<Place>,
        /// Whether every match must hold rather than one.
        every: bool,
        /// What is asked.
        test: Test,
        /// The text under the caret.
        label: Option<String>,
    },
    /// Whether a file with such a name is there.
    Files {
        /// The names.
        names: Vec<Glob>,
        /// Whether there must be none instead.
        absent: bool,
    },
    /// Whether tensors with such names are stored.
    Tensors {
        /// The names.
        names: Vec<Glob>,
        /// What is asked of them.
        ask: TensorTest,
        /// The text of the evidence.
        label: Option<String>,
    },
    /// Whether a file's whole text fits.
    Text {
        /// The file.
        file: String,
        /// The patterns, one of which must fit.
        patterns: Vec<Glob>,
    },
    /// Whether a file is readable, broken, or something else.
    State {
        /// The file.
        file: String,
        /// The state: `missing`, `json`, `broken`, `lfs-pointer`, `text`.
        state: String,
    },
    /// Whether the person named this intent.
    Intent(Intent),
    /// Whether the target fits one of the rows.
    Target(Vec<Row>),
    /// Whether one holds.
    Any(Vec<Condition>),
    /// Whether all hold.
    All(Vec<Condition>),
    /// Whether it does not hold.
    Not(Box<Condition>),
}

/// What is asked of a value.
#[derive(Debug, Clone)]
pub enum Test {
    /// One of the kinds.
    Is(Vec<ValueKind>),
    /// Equal to one of the values.
    Equals(Vec<RawValue>),
    /// Present and equal to none of the values.
    NotEquals(Vec<RawValue>),
    /// A string that one of the patterns fits.
    Matches(Vec<Glob>),
    /// An array with one of the values.
    Contains(Vec<RawValue>),
    /// A length against a number.
    Length(Ordered, RawValue),
    /// A length against a number elsewhere.
    LengthAgainst(Ordered, Elsewhere),
    /// A length that is the sum of two numbers elsewhere.
    LengthSum(Elsewhere, Elsewhere),
    /// A number against a number.
    Number(Ordered, RawValue),
    /// A value against a value elsewhere.
    Against(Ordered, Elsewhere),
}

/// Another place, perhaps in another file.
#[derive(Debug, Clone)]
pub struct Elsewhere {
    /// The file, where it is another one.
    pub file: Option<String>,
    /// The place.
    pub at: Place,
}

/// How two values must lie to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Ordered {
    Equal,
    Unequal,
    Less,
    More,
    AtMost,
    AtLeast,
}

/// Kinds that a condition can ask for. Missing, null and present are three states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum ValueKind {
    Missing,
    Null,
    Present,
    Object,
    Array,
    String,
    Integer,
    Float,
    Number,
    Bool,
}

/// What is asked of tensors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TensorTest {
    /// At least one has such a name.
    Stored,
    /// None has.
    Absent,
    /// There are some, and all have one of the dtypes.
    Dtype(Vec<String>),
    /// One of them lacks each of these siblings.
    Without(Vec<String>),
}

/// A length or value to compare with: `"> 3"`, or a place.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ComparisonFile {
    /// `"> 3"`
    Number(String),
    /// A place.
    Place(Box<PlaceComparison>),
}

/// Which comparison, with which place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[allow(missing_docs)]
pub struct PlaceComparison {
    pub equal_to: Option<ElsewhereFile>,
    pub unequal_to: Option<ElsewhereFile>,
    pub more_than: Option<ElsewhereFile>,
    pub less_than: Option<ElsewhereFile>,
    /// Of a length: with `equal-to`, the two numbers together.
    pub plus: Option<ElsewhereFile>,
}

/// A place, or a place in another file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ElsewhereFile {
    /// In the same file.
    Here(String),
    /// In another one.
    There(FilePlace),
}

/// A place in a named file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FilePlace {
    /// The file; the site's own where it is not given.
    pub file: Option<String>,
    /// The place.
    pub at: String,
}

/// A condition as it stands in the TOML.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[allow(missing_docs)]
pub struct ConditionFile {
    pub file: Option<String>,
    pub at: Option<OneOrMany<String>>,
    #[serde(default)]
    pub every: bool,
    pub is: Option<OneOrMany<ValueKind>>,
    pub equals: Option<OneOrMany<String>>,
    pub not_equals: Option<OneOrMany<String>>,
    pub matches: Option<OneOrMany<Glob>>,
    pub starts_with: Option<OneOrMany<String>>,
    pub contains: Option<OneOrMany<String>>,
    pub length: Option<ComparisonFile>,
    pub value: Option<ComparisonFile>,
    pub files: Option<OneOrMany<Glob>>,
    pub no_files: Option<OneOrMany<Glob>>,
    pub tensors: Option<OneOrMany<Glob>>,
    pub no_tensors: Option<OneOrMany<Glob>>,
    pub dtype: Option<OneOrMany<String>>,
    pub without: Option<OneOrMany<String>>,
    pub text: Option<OneOrMany<Glob>>,
    pub state: Option<String>,
    pub intent: Option<String>,
    pub target: Option<Vec<RowFile>>,
    pub any: Option<Vec<ConditionFile>>,
    pub all: Option<Vec<ConditionFile>>,
    pub not: Option<Box<ConditionFile>>,
    pub label: Option<String>,
    pub because: Option<String>,
}

impl ConditionFile {
    /// The conditions inside it.
    pub(super) fn nested(&self) -> impl Iterator<Item = &Self> {
        let parts = self.any.iter().chain(&self.all).flatten();
        parts.chain(self.not.as_deref())
    }
}

mod compile;

pub(crate) use compile::{compile_all, raw};

#[cfg(test)]
mod tests;
