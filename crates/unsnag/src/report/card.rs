//! The compatibility card: with no target known, what the files say, grouped by engine and GPU.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use unsnag_core::check::{Finding, Report, Status};
use unsnag_core::view::View;

use super::finding::unread;
use super::headline::headline;

/// The whole card.
pub fn card(view: &View<'_>, report: &Report<'_>) -> String {
    let name = view.directory().path().display().to_string();
    let mut out = format!("{name}: {}\n", headline(view));
    let _ = writeln!(
        out,
        "target: not known; --engine and --gpu name it, -v says more\n"
    );
    let everywhere: Vec<&Finding<'_>> = report
        .findings
        .iter()
        .filter(|finding| finding.status != Status::MayApply)
        .collect();
    for finding in &everywhere {
        let _ = writeln!(
            out,
            "wherever it runs: {}   [{}, {}]",
            finding.captures.fill(&finding.fix.title),
            finding.fix.id,
            finding.fix.severity.name()
        );
    }
    let mut rows: BTreeMap<String, Vec<&Finding<'_>>> = BTreeMap::new();
    for finding in report
        .findings
        .iter()
        .filter(|finding| finding.status == Status::MayApply)
    {
        for row in &finding.fix.target {
            let entry = rows.entry(row.to_string()).or_default();
            if !entry.iter().any(|known| known.fix.id == finding.fix.id) {
                entry.push(finding);
            }
        }
    }
    for (row, findings) in &rows {
        let _ = writeln!(out, "on {row}");
        for finding in findings {
            let verb = match finding.fix.severity {
                unsnag_core::fix::Severity::Blocks => "breaks",
                unsnag_core::fix::Severity::WrongOutput => "answers wrongly",
                unsnag_core::fix::Severity::Degraded => "degraded",
                unsnag_core::fix::Severity::Nuisance => "nuisance",
            };
            let _ = writeln!(
                out,
                "  {verb}: {}   [{}]",
                finding.captures.fill(&finding.fix.title),
                finding.fix.id
            );
        }
    }
    if !report.broken.is_empty() {
        let _ = writeln!(out, "not judged: {}", unread(report));
    } else if everywhere.is_empty() && rows.is_empty() {
        let _ = writeln!(out, "no known incompatibility in these files.");
    }
    if !report.undecided.is_empty() {
        let (n, verb) = (
            report.undecided.len(),
            if report.undecided.len() == 1 {
                "depends"
            } else {
                "depend"
            },
        );
        let _ = writeln!(
            out,
            "\n{n} more {verb} on facts not given (weights or files that are not here)."
        );
    }
    out
}
