//! The document of `diagnose`.

use serde::Serialize;
use unsnag_core::diagnose::{Diagnosis, Log};
use unsnag_core::target::Target;

use super::SCHEMA_VERSION;
use super::check::{TargetJson, kind};
use crate::commands::diagnose::source::{Early, SEND};

/// What a log comes to.
#[derive(Debug, Serialize)]
pub struct DiagnosisDocument {
    schema_version: u32,
    failed: bool,
    target: TargetJson,
    model: Option<String>,
    architecture: Option<String>,
    root_cause: Option<RootCauseJson>,
    answers: Vec<AnswerJson>,
    elsewhere: Option<ElsewhereJson>,
    ruled_out: Vec<RuledOutJson>,
    truncated: bool,
    ends_early: Vec<EarlyJson>,
    empty: bool,
    files_checked: bool,
}

#[derive(Debug, Serialize)]
struct RootCauseJson {
    line: u64,
    message: String,
    process: Option<String>,
    frame: Option<String>,
}

#[derive(Debug, Serialize)]
struct AnswerJson {
    id: String,
    kind: &'static str,
    title: String,
    confidence: &'static str,
}

#[derive(Debug, Serialize)]
struct ElsewhereJson {
    name: &'static str,
    what: &'static str,
    advice: &'static str,
}

#[derive(Debug, Serialize)]
struct RuledOutJson {
    id: String,
    because: String,
}

#[derive(Debug, Serialize)]
struct EarlyJson {
    file: String,
    byte: u64,
    because: &'static str,
    next: &'static str,
}

impl DiagnosisDocument {
    /// From a diagnosis.
    pub fn new(
        log: &Log,
        diagnosis: &Diagnosis<'_>,
        target: &Target,
        files_checked: bool,
        early: &[Early],
    ) -> Self {
        let failure = diagnosis.failure.as_ref();
        let root_cause = diagnosis
            .line
            .zip(diagnosis.message.clone())
            .map(|(line, message)| RootCauseJson {
                line,
                message,
                process: failure
                    .map(|failure| failure.process.clone())
                    .filter(|process| !process.is_empty()),
                frame: failure.and_then(|failure| failure.frame.clone()),
            });
        let answer = |answer: &unsnag_core::diagnose::Answer<'_>| AnswerJson {
            id: answer.fix.id.clone(),
            kind: kind(answer.fix.kind),
            title: answer.fix.title.clone(),
            confidence: answer.confidence.name(),
        };
        Self {
            schema_version: SCHEMA_VERSION,
            failed: diagnosis.failed,
            target: TargetJson::new(target),
            model: log.facts.model.clone(),
            architecture: log.facts.architecture.clone(),
            root_cause,
            answers: diagnosis.answers.iter().map(answer).collect(),
            elsewhere: diagnosis.elsewhere.map(|found| ElsewhereJson {
                name: found.name,
                what: found.what,
                advice: found.advice,
            }),
            ruled_out: diagnosis
                .ruled_out
                .iter()
                .map(|(fix, because)| RuledOutJson {
                    id: fix.id.clone(),
                    because: because.clone(),
                })
                .collect(),
            truncated: diagnosis.cut.is_some() || !early.is_empty(),
            ends_early: early
                .iter()
                .map(|early| EarlyJson {
                    file: early.file.clone(),
                    byte: early.byte,
                    because: early.because,
                    next: SEND,
                })
                .collect(),
            empty: log.empty,
            files_checked,
        }
    }
}
