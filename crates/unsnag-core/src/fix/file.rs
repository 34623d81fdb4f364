//! A fix as it stands in `fix.toml`; every key that is not known is an error.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::condition::{ConditionFile, FilePlace};
use super::one_or_many::OneOrMany;
use crate::target::RowFile;

/// `fix.toml`.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[allow(missing_docs)]
pub struct FixFile {
    /// The folder's name, where it is written at all.
    pub id: Option<String>,
    pub title: String,
    #[serde(default)]
    pub kind: KindFile,
    pub severity: Severity,
    /// The release of the catalogue that brought it.
    pub since: String,
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Why it was withdrawn.
    pub withdrawn: Option<String>,
    #[serde(default)]
    pub references: Vec<String>,
    #[serde(default)]
    pub source: Vec<String>,
    #[serde(default)]
    pub target: Vec<RowFile>,
    /// The `why` line of a finding.
    #[serde(default)]
    pub why: String,
    /// The reason shown where no cure holds.
    pub refused: Option<String>,
    #[serde(default)]
    pub instead: Vec<InsteadFile>,
    #[serde(default)]
    pub symptom: Vec<SymptomFile>,
    #[serde(default)]
    pub proof: Vec<ProofFile>,
    /// The file of the site, where `each` does not say.
    pub file: Option<String>,
    pub each: Option<FilePlace>,
    #[serde(default)]
    pub when: Vec<ConditionFile>,
    #[serde(default)]
    pub unless: Vec<ConditionFile>,
    #[serde(default)]
    pub cure: Vec<CureFile>,
    /// The files never show it, only a log does.
    #[serde(default)]
    pub log_only: bool,
    /// The name of a rule in Rust.
    pub rule: Option<String>,
    /// What the rule gets.
    #[serde(default)]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "BTreeMap<String, serde_json::Value>")
    )]
    pub args: serde_json::Map<String, serde_json::Value>,
}

/// What an entry is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum KindFile {
    /// It edits.
    #[default]
    Fix,
    /// It says why no edit is right and what is.
    Advice,
}

/// How much a fault hurts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// A nuisance: a warning, a failure long after loading.
    Nuisance,
    /// Slower, more memory, or one feature fails.
    Degraded,
    /// It starts and answers wrongly.
    WrongOutput,
    /// It does not start.
    Blocks,
}

impl Severity {
    /// The name in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nuisance => "nuisance",
            Self::Degraded => "degraded",
            Self::WrongOutput => "wrong-output",
            Self::Blocks => "blocks",
        }
    }
}

/// Whether a cure keeps everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Safety {
    /// The same numbers or better; its price stands in `cost`.
    Safe,
    /// Something is lost or approximated; it is only taken when asked for.
    Lossy,
}

impl Safety {
    /// The name in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Lossy => "lossy",
        }
    }
}

/// A cure that is no edit.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct InsteadFile {
    /// Engine or library to the first release that needs no cure.
    pub upgrade: Option<BTreeMap<String, String>>,
    /// An engine's flag.
    pub flag: Option<String>,
    /// How to quantize again.
    pub requantize: Option<String>,
    /// Where the flag exists.
    #[serde(default)]
    pub on: BTreeMap<String, String>,
    pub note: Option<String>,
}

/// What an engine's log says.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SymptomFile {
    /// RE2 syntax.
    pub regex: String,
    /// Text that must stand near by.
    pub near: Option<String>,
    /// Whether the files must confirm it.
    #[serde(default)]
    pub weak: bool,
}

/// Which real library judged it, on which case.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProofFile {
    /// The library.
    pub library: String,
    /// Its exact version.
    pub version: String,
    /// The judge's check.
    pub check: String,
    /// A case of this fix.
    pub case: String,
    /// The simulated GPU.
    pub gpu: Option<String>,
    /// `refuses` (default) or `accepts`.
    #[serde(default)]
    pub expect: ProofExpectation,
    /// Values that the library reads, before and after.
    #[serde(default)]
    pub show: BTreeMap<String, ShownFile>,
    /// The engine's arguments.
    #[serde(default)]
    pub args: Vec<String>,
}

/// What the library says of the unpatched directory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ProofExpectation {
    /// It refuses it, with the fix's symptom, and accepts the patched one.
    #[default]
    Refuses,
    /// It accepts it: nothing is needed there.
    Accepts,
    /// It accepts both and reads the values of `show`.
    Misreads,
}

/// A value that a library reads.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ShownFile {
    /// From the unpatched directory.
    pub before: String,
    /// From the patched one.
    pub after: String,
}

/// One cure.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct CureFile {
    pub name: Option<String>,
    pub safety: Safety,
    #[serde(default)]
    pub cost: String,
    /// What a lossy cure loses.
    pub loses: Option<String>,
    #[serde(default)]
    pub when: Vec<ConditionFile>,
    #[serde(default)]
    pub edit: Vec<EditFile>,
}

/// One edit.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[allow(missing_docs)]
pub struct EditFile {
    pub file: Option<String>,
    pub at: Option<OneOrMany<String>>,
    #[serde(default)]
    pub remove: bool,
    pub set: Option<String>,
    pub put: Option<String>,
    pub add: Option<String>,
    pub rename: Option<String>,
    pub copy_from: Option<FilePlace>,
    pub move_to: Option<String>,
    pub truncate_to: Option<String>,
    pub append: Option<Vec<String>>,
    #[serde(default)]
    pub park: bool,
    pub create: Option<String>,
}

impl FixFile {
    /// The file that its places are in where they name none.
    pub(super) fn own_file(&self) -> String {
        let each = self.each.as_ref().and_then(|each| each.file.clone());
        let file = each.or_else(|| self.file.clone());
        file.unwrap_or_else(|| "config.json".to_owned())
    }
}
