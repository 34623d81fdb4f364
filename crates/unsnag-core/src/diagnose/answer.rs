//! From root causes to fixes: symptoms matched, the target asked, the files asked where they are here.

use regex::{Regex, RegexBuilder};

use super::cause::{Candidate, candidates};
use super::elsewhere::{self, Elsewhere};
use super::failure::Failure;
use super::reader::Log;
use crate::check::Report;
use crate::fix::{Catalogue, Fix};
use crate::target::Target;

/// What a log comes to.
#[derive(Debug)]
pub struct Diagnosis<'c> {
    /// Whether anything failed.
    pub failed: bool,
    /// The line of the root cause, from 1.
    pub line: Option<u64>,
    /// What it says.
    pub message: Option<String>,
    /// The exception, where it is one.
    pub failure: Option<Failure>,
    /// Fixes and advice that answer it, surest first.
    pub answers: Vec<Answer<'c>>,
    /// Fixes whose symptom it shows, with why they are not meant.
    pub ruled_out: Vec<(&'c Fix, String)>,
    /// What it is, where it is not the checkpoint's.
    pub elsewhere: Option<Elsewhere>,
    /// The line where the log was cut inside a traceback.
    pub cut: Option<u64>,
}

/// A fix that answers a log.
#[derive(Debug, Clone)]
pub struct Answer<'c> {
    /// The fix or advice.
    pub fix: &'c Fix,
    /// How sure.
    pub confidence: Confidence,
}

/// How sure an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Symptom and files agree.
    Confirmed,
    /// The symptom alone; the files are not here, or cannot decide.
    Symptom,
}

impl Confidence {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Symptom => "symptom",
        }
    }
}

/// The compiled symptoms of a catalogue.
#[derive(Debug)]
pub struct Symptoms<'c> {
    all: Vec<Symptom<'c>>,
}

#[derive(Debug)]
struct Symptom<'c> {
    fix: &'c Fix,
    regex: Regex,
    /// In lower case.
    near: Option<String>,
    weak: bool,
}

/// A symptom needs no more than this when compiled, in bytes.
const REGEX_LIMIT: usize = 1 << 20;

impl<'c> Symptoms<'c> {
    /// Compiles them. One that cannot be compiled is no symptom; lint says so.
    #[must_use]
    pub fn new(catalogue: &'c Catalogue) -> Self {
        let mut all = Vec::new();
        for fix in catalogue.fixes() {
            for symptom in &fix.symptoms {
                if let Ok(regex) = RegexBuilder::new(&symptom.regex)
                    .size_limit(REGEX_LIMIT)
                    .build()
                {
                    all.push(Symptom {
                        fix,
                        regex,
                        near: symptom.near.as_deref().map(str::to_lowercase),
                        weak: symptom.weak,
                    });
                }
            }
        }
        Self { all }
    }

    /// The fixes whose symptom a candidate shows, with whether it is strong.
    fn of(&self, candidate: &Candidate, log: &Log) -> Vec<(&'c Fix, bool)> {
        let mut found: Vec<(&'c Fix, bool)> = Vec::new();
        let mut around: Option<String> = None;
        for symptom in &self.all {
            if !symptom.regex.is_match(&candidate.text) {
                continue;
            }
            let is_near = symptom.near.as_deref().is_none_or(|near| {
                around
                    .get_or_insert_with(|| candidate.around(log))
                    .contains(near)
            });
            if !is_near {
                continue;
            }
            match found.iter_mut().find(|(fix, _)| fix.id == symptom.fix.id) {
                Some((_, strong)) => *strong |= !symptom.weak,
                None => found.push((symptom.fix, !symptom.weak)),
            }
        }
        found
    }
}

/// Answers a log. `report` is the check of the model directory under `target`, where it is here.
#[must_use]
pub fn diagnose<'c>(
    log: &Log,
    symptoms: &Symptoms<'c>,
    target: &Target,
    report: Option<&Report<'c>>,
) -> Diagnosis<'c> {
    let candidates = candidates(log);
    let mut best: Option<(&Candidate, Judged<'c>)> = None;
    for candidate in &candidates {
        let judged = judge(symptoms.of(candidate, log), candidate, target, report);
        let better = best
            .as_ref()
            .is_none_or(|(_, known)| judged.worth() > known.worth());
        if better && judged.worth() > Worth::Nothing {
            best = Some((candidate, judged));
        }
    }
    let foreign = |candidate: &Candidate| {
        elsewhere::of(&candidate.text).or_else(|| elsewhere::of(&candidate.message))
    };
    let other = candidates
        .iter()
        .filter(|candidate| candidate.is_fatal())
        .find_map(|candidate| foreign(candidate).map(|found| (candidate, found)));
    let unknown = candidates.iter().find(|candidate| candidate.is_fatal());
    let (candidate, judged, elsewhere) = match (best, other) {
        (Some((candidate, judged)), _) if !judged.answers.is_empty() => {
            (Some(candidate), judged, None)
        }
        (best, Some((candidate, found))) => (
            Some(candidate),
            best.map(|(_, judged)| judged).unwrap_or_default(),
            Some(found),
        ),
        (Some((candidate, judged)), None) if candidate.is_fatal() => {
            (Some(candidate), judged, None)
        }
        (best, None) => (
            unknown,
            best.map(|(_, judged)| judged).unwrap_or_default(),
            None,
        ),
    };
    let failed = candidate.is_some() || log.cut.is_some() || log.wrappers > 0;
    Diagnosis {
        failed,
        line: candidate.map(|candidate| candidate.line),
        message: candidate.map(|candidate| candidate.message.clone()),
        failure: candidate.and_then(|candidate| candidate.failure().cloned()),
        answers: judged.answers,
        ruled_out: judged.ruled_out,
        elsewhere,
        cut: log.cut,
    }
}

/// What the symptoms of one candidate come to.
#[derive(Debug, Default)]
struct Judged<'c> {
    answers: Vec<Answer<'c>>,
    ruled_out: Vec<(&'c Fix, String)>,
}

/// How much a candidate's symptoms say; the first of the most worth is the root cause.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    Nothing,
    RuledOut,
    Symptom,
    Confirmed,
}

impl Judged<'_> {
    fn worth(&self) -> Worth {
        let sure = |answer: &Answer<'_>| answer.confidence == Confidence::Confirmed;
        if self.answers.iter().any(sure) {
            Worth::Confirmed
        } else if !self.answers.is_empty() {
            Worth::Symptom
        } else if !self.ruled_out.is_empty() {
            Worth::RuledOut
        } else {
            Worth::Nothing
        }
    }
}

fn judge<'c>(
    found: Vec<(&'c Fix, bool)>,
    candidate: &Candidate,
    target: &Target,
    report: Option<&Report<'c>>,
) -> Judged<'c> {
    let mut answers = Vec::new();
    let mut ruled_out = Vec::new();
    for (fix, strong) in found {
        if target.fits_any(&fix.target).is_no() {
            ruled_out.push((fix, format!("it is not for {target}")));
            continue;
        }
        let shown = report.map(|report| {
            let found = report
                .findings
                .iter()
                .any(|finding| finding.fix.id == fix.id);
            let open = report
                .undecided
                .iter()
                .any(|undecided| undecided.fix.id == fix.id);
            (found, open)
        });
        match shown {
            Some((true, _)) => answers.push(Answer {
                fix,
                confidence: Confidence::Confirmed,
            }),
            Some((false, false)) if !fix.log_only => {
                ruled_out.push((fix, "the symptom fits, the files do not".to_owned()))
            }
            _ if strong
                && (fix.log_only || !candidate.survived())
                && (candidate.failure().is_some()
                    || fix.log_only
                    || !fix.symptoms.iter().any(|symptom| symptom.weak)) =>
            {
                answers.push(Answer {
                    fix,
                    confidence: Confidence::Symptom,
                });
            }
            _ => ruled_out.push((
                fix,
                "the symptom alone proves little; the files would decide".to_owned(),
            )),
        }
    }
    if answers
        .iter()
        .any(|answer| answer.confidence == Confidence::Confirmed)
    {
        let (sure, rest) = answers
            .into_iter()
            .partition(|answer| answer.confidence == Confidence::Confirmed);
        answers = sure;
        let rest: Vec<Answer<'c>> = rest;
        ruled_out.extend(
            rest.into_iter()
                .map(|answer| (answer.fix, "the files show another cause".to_owned())),
        );
    }
    Judged { answers, ruled_out }
}
