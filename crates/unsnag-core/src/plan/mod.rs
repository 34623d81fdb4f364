//! From a report to a plan: in rounds, each on the view that the round before would leave.

mod compose;
mod round;

use std::collections::{BTreeMap, BTreeSet};

use json_splice::{Edits, Operation};

pub use compose::compose;

use crate::check::{Finding, Report, Status, check};
use crate::fix::{Catalogue, KindFile, Safety};
use crate::rule::FileEdit;
use crate::store::{Action, Before, Consulted, Digest, FileChange};
use crate::target::Target;
use crate::view::{Directory, Overlay, View};

/// After so many rounds a plan that still changes something is at fault.
const ROUNDS: usize = 8;

/// What the person chose.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Only these fixes, also where they only may apply and where they are lossy; all that apply where empty.
    pub only: BTreeSet<String>,
    /// Not these.
    pub skip: BTreeSet<String>,
    /// Lossy cures too.
    pub lossy: bool,
    /// Another cure than the first, by fix.
    pub cures: BTreeMap<String, String>,
}

/// What would be done, and why the rest would not.
#[derive(Debug)]
pub struct Plan<'c> {
    /// What the files show before anything is done.
    pub report: Report<'c>,
    /// What would be done, in order.
    pub steps: Vec<Step>,
    /// What is left alone, and why.
    pub held: Vec<Held<'c>>,
    /// Each touched file, by path.
    pub files: Vec<FilePlan>,
    /// The identity of every other file that the plan rests on.
    pub consulted: Vec<Consulted>,
}

/// One cure of one site.
#[derive(Debug, Clone)]
pub struct Step {
    /// The fix.
    pub fix: String,
    /// The cure's name.
    pub cure: String,
    /// The site.
    pub key: String,
    /// What it does.
    pub edits: Vec<FileEdit>,
    /// In which round, from 0.
    pub round: usize,
}

/// A finding that is left alone.
#[derive(Debug, Clone)]
pub struct Held<'c> {
    /// The finding.
    pub finding: Finding<'c>,
    /// Why.
    pub because: Because,
}

/// Why a finding is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Because {
    /// Its cure loses something, and lossy cures were not asked for.
    Lossy,
    /// A fact about the target is missing.
    MayApply,
    /// The person skipped it, or named others.
    Skipped,
    /// No cure holds.
    Refused,
    /// It is an advice.
    Advice,
    /// A flag of the engine's own command line cures it already.
    Cured,
}

/// What happens to one file.
#[derive(Debug, Clone)]
pub struct FilePlan {
    /// Its path in the directory.
    pub path: String,
    /// Its bytes before; none where it is created.
    pub before: Option<Vec<u8>>,
    /// Its bytes after; none where it is parked.
    pub after: Option<Vec<u8>>,
    /// The splices from one to the other, where it is edited.
    pub edits: Option<Edits>,
    /// The RFC 6902 operations, in order.
    pub operations: Vec<Operation>,
    /// The fixes, by id.
    pub fixes: Vec<String>,
}

/// A plan that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A fix was named that is not in the catalogue.
    #[error("no fix is called `{id}`{}", near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
    UnknownFix {
        /// What was named.
        id: String,
        /// The nearest id.
        near: Option<String>,
    },
    /// A cure was named that the fix does not have.
    #[error("the fix `{fix}` has no cure `{cure}` here; it has {}", known.join(", "))]
    UnknownCure {
        /// The fix.
        fix: String,
        /// What was named.
        cure: String,
        /// Its cures.
        known: Vec<String>,
    },
    /// A fix was named that the target rules out.
    #[error("`{fix}` is not for {target}: it is for {rows}")]
    RuledOut {
        /// The fix.
        fix: String,
        /// The target.
        target: String,
        /// What the fix is for.
        rows: String,
    },
    /// A site asks for an edit again after it was made.
    #[error(
        "`{fix}` asks for the same edit at `{key}` again after `{other}`; this is a fault of the catalogue, please report it"
    )]
    Loop {
        /// The fix.
        fix: String,
        /// The site.
        key: String,
        /// The fix that was applied last.
        other: String,
    },
    /// An edit does not fit its file.
    #[error("`{fix}` cannot edit {file}: {problem}")]
    Edit {
        /// The fix.
        fix: String,
        /// The file.
        file: String,
        /// What is wrong, in words.
        problem: String,
    },
    /// Eight rounds did not settle it.
    #[error("the plan does not settle: after {ROUNDS} rounds {} still ask for edits; this is a fault of the catalogue, please report it", .0.join(", "))]
    Endless(Vec<String>),
}

impl Plan<'_> {
    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The fixes that it takes, by id, each once.
    #[must_use]
    pub fn fixes(&self) -> Vec<String> {
        let fixes: BTreeSet<String> = self.steps.iter().map(|step| step.fix.clone()).collect();
        fixes.into_iter().collect()
    }

    /// What the store is asked to do.
    #[must_use]
    pub fn changes(&self) -> Vec<FileChange> {
        self.files.iter().map(FilePlan::change).collect()
    }
}

impl FilePlan {
    fn change(&self) -> FileChange {
        let before = match &self.before {
            Some(bytes) => Before::Present {
                digest: Digest::of(bytes),
                len: bytes.len() as u64,
            },
            None => Before::Missing,
        };
        let action = match (&self.edits, &self.after) {
            (Some(edits), _) => Action::Edit(edits.clone()),
            (None, Some(bytes)) => Action::Create(bytes.clone()),
            (None, None) => Action::Park,
        };
        FileChange {
            path: self.path.clone(),
            before,
            action,
        }
    }
}

/// Plans the edits of a directory.
///
/// # Errors
/// A fix or cure that does not exist, or that the target rules out; a fault of the catalogue.
pub fn plan<'c>(
    directory: &Directory,
    target: &Target,
    catalogue: &'c Catalogue,
    choice: &Choice,
) -> Result<Plan<'c>, PlanError> {
    let choice = choice.resolved(catalogue, target)?;
    let mut overlay = Overlay::default();
    let mut changes = round::Changes::default();
    let mut first: Option<Report<'c>> = None;
    let mut held = Vec::new();
    for number in 0..=ROUNDS {
        let (report, next) = {
            let view = View::new(directory, &overlay);
            let report = check(&view, target, catalogue);
            let wanted = choice.wanted(&report)?;
            if number == 0 {
                held = choice.held(&report);
            }
            if number == ROUNDS && !wanted.is_empty() {
                return Err(PlanError::Endless(
                    wanted
                        .iter()
                        .map(|(finding, _)| finding.fix.id.clone())
                        .collect(),
                ));
            }
            let next = changes.round(number, &view, &wanted)?;
            drop(wanted);
            (report, next)
        };
        first.get_or_insert(report);
        match next {
            Some(next) => overlay = next,
            None => break,
        }
    }
    let report = first.unwrap_or(Report {
        findings: Vec::new(),
        undecided: Vec::new(),
        broken: Vec::new(),
    });
    let touched: BTreeSet<&str> = overlay.files().map(|(file, _)| file).collect();
    let consulted = directory
        .consulted()
        .filter(|(file, _)| !touched.contains(file))
        .map(|(file, read)| Consulted {
            path: file.to_owned(),
            before: Before::Present {
                digest: Digest::of(&read.bytes),
                len: read.bytes.len() as u64,
            },
        })
        .collect();
    let files = overlay
        .files()
        .map(|(file, planned)| changes.file(directory, file, planned))
        .collect();
    Ok(Plan {
        report,
        steps: changes.into_steps(),
        held,
        files,
        consulted,
    })
}

impl Choice {
    /// With older ids replaced by today's.
    fn resolved(&self, catalogue: &Catalogue, target: &Target) -> Result<Self, PlanError> {
        let id = |id: &String| match catalogue.get(id) {
            Some(fix) => Ok(fix.id.clone()),
            None => Err(PlanError::UnknownFix {
                id: id.clone(),
                near: catalogue.nearest(id).map(str::to_owned),
            }),
        };
        let resolved = Self {
            only: self.only.iter().map(id).collect::<Result<_, _>>()?,
            skip: self.skip.iter().map(id).collect::<Result<_, _>>()?,
            lossy: self.lossy,
            cures: self
                .cures
                .iter()
                .map(|(fix, cure)| Ok((id(fix)?, cure.clone())))
                .collect::<Result<_, _>>()?,
        };
        for fix in resolved.only.iter().filter_map(|id| catalogue.get(id)) {
            if target.fits_any(&fix.target).is_no() {
                let rows: Vec<String> = fix.target.iter().map(ToString::to_string).collect();
                return Err(PlanError::RuledOut {
                    fix: fix.id.clone(),
                    target: target.to_string(),
                    rows: rows.join("; or "),
                });
            }
        }
        Ok(resolved)
    }

    /// Why a finding is left alone; none where its cure is taken.
    fn leaves(&self, finding: &Finding<'_>) -> Option<Because> {
        let id = &finding.fix.id;
        let named = self.only.contains(id) || self.cures.contains_key(id);
        if finding.fix.kind == KindFile::Advice {
            return Some(Because::Advice);
        }
        if self.skip.contains(id) || (!self.only.is_empty() && !named) {
            return Some(Because::Skipped);
        }
        if finding.cured_by.is_some() && !named {
            return Some(Because::Cured);
        }
        match finding.status {
            Status::Refused => Some(Because::Refused),
            Status::MayApply if !named || finding.cures.is_empty() => Some(Because::MayApply),
            _ if !named
                && !self.lossy
                && finding
                    .cures
                    .first()
                    .is_some_and(|cure| cure.safety == Safety::Lossy) =>
            {
                Some(Because::Lossy)
            }
            _ => None,
        }
    }

    fn held<'c>(&self, report: &Report<'c>) -> Vec<Held<'c>> {
        let held = report
            .findings
            .iter()
            .filter_map(|finding| Some((finding, self.leaves(finding)?)));
        held.map(|(finding, because)| Held {
            finding: finding.clone(),
            because,
        })
        .collect()
    }

    /// The findings that are taken, each with the number of its cure.
    fn wanted<'r, 'c>(
        &self,
        report: &'r Report<'c>,
    ) -> Result<Vec<(&'r Finding<'c>, usize)>, PlanError> {
        let mut wanted = Vec::new();
        for finding in report
            .findings
            .iter()
            .filter(|finding| self.leaves(finding).is_none())
        {
            let cure = match self.cures.get(&finding.fix.id) {
                None => 0,
                Some(name) => finding
                    .cures
                    .iter()
                    .position(|cure| cure.name == *name)
                    .ok_or_else(|| PlanError::UnknownCure {
                        fix: finding.fix.id.clone(),
                        cure: name.clone(),
                        known: finding.cures.iter().map(|cure| cure.name.clone()).collect(),
                    })?,
            };
            wanted.push((finding, cure));
        }
        wanted.sort_by(|(a, _), (b, _)| (&a.fix.id, &a.key).cmp(&(&b.fix.id, &b.key)));
        Ok(wanted)
    }
}
