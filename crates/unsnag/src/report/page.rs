//! A fix's page: the same text for `explain` and for `docs/fixes/ID.md`.

use std::fmt::Write as _;

use unsnag_core::fix::{Fix, Instead, KindFile, ProofExpectation};

use super::finding::{releases, sure};

/// The page in Markdown.
pub fn page(fix: &Fix) -> String {
    let mut out = format!("# {}\n\n", fix.id);
    let _ = writeln!(out, "{}\n", fix.title);
    if let Some(reason) = &fix.withdrawn {
        let _ = writeln!(out, "Withdrawn: {reason}\n");
    }
    let safety = match (fix.kind, fix.safety()) {
        (KindFile::Advice, _) => "advice: no edit is right".to_owned(),
        (KindFile::Fix, safety) => {
            safety.map_or_else(String::new, |safety| safety.name().to_owned())
        }
    };
    let mut row = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(out, "- {name}: {value}");
        }
    };
    row("family", &fix.family);
    row("severity", fix.severity.name());
    row("safety", &safety);
    let targets: Vec<String> = fix.target.iter().map(|row| format!("`{row}`")).collect();
    row(
        "where",
        &if targets.is_empty() {
            "every engine".to_owned()
        } else {
            targets.join("; ")
        },
    );
    row("sure", &sure(fix));
    row("since", &fix.since);
    row("older names", &fix.aliases.join(", "));
    let _ = writeln!(out, "\n{}", fix.explanation.trim());
    let instead: Vec<String> = fix.instead.iter().map(instead).collect();
    section(&mut out, "Instead of an edit", &instead);
    let proofs: Vec<String> = fix
        .proofs
        .iter()
        .map(|proof| {
            let says = match proof.expect {
                ProofExpectation::Refuses => "refuses before, accepts after",
                ProofExpectation::Accepts => "accepts as it is: nothing is needed there",
                ProofExpectation::Misreads => "reads another value before than after",
            };
            let gpu = proof
                .gpu
                .as_ref()
                .map(|gpu| format!(" on {gpu}"))
                .unwrap_or_default();
            format!(
                "{} {}{gpu}, `{}` on the case `{}`: {says}",
                proof.library, proof.version, proof.check, proof.case
            )
        })
        .collect();
    section(&mut out, "Proofs", &proofs);
    let sources: Vec<String> = fix
        .source
        .iter()
        .map(|source| format!("`{source}`"))
        .collect();
    section(&mut out, "Source", &sources);
    let references: Vec<String> = fix
        .references
        .iter()
        .map(|address| format!("<{address}>"))
        .collect();
    section(&mut out, "References", &references);
    out
}

fn section(out: &mut String, title: &str, rows: &[String]) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n## {title}\n");
    for row in rows {
        let _ = writeln!(out, "- {row}");
    }
}

fn instead(instead: &Instead) -> String {
    let noted = |text: String, note: &str| {
        if note.is_empty() {
            text
        } else {
            format!("{text}: {note}")
        }
    };
    match instead {
        Instead::Upgrade {
            library,
            version,
            note,
        } => noted(format!("upgrade to {library} {version} or later"), note),
        Instead::Flag { flag, on, note } => {
            noted(format!("the flag `{flag}`{}", releases(on)), note)
        }
        Instead::Requantize(how) => format!("quantize again: {how}"),
        Instead::Note(note) => note.clone(),
    }
}
