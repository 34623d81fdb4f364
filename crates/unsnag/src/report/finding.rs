//! A finding in the style of a compiler: what, where, why, the cures in order, their price, and how sure it is.

use std::fmt::Write as _;
use std::path::Path;

use unsnag_core::check::{Finding, Report, Shown, Status};
use unsnag_core::fix::{Fix, Instead, KindFile, ProofExpectation, Safety, Severity};
use unsnag_core::rule::Gap;
use unsnag_core::target::{Library, Range, Target};

use crate::output::command;

/// The files that could not be read as what they are.
pub fn unread(report: &Report<'_>) -> String {
    let files = report.broken.iter().map(|broken| broken.file.as_str());
    files.collect::<Vec<_>>().join(", ")
}

/// Longest part of a line that is shown.
const WIDTH: usize = 100;

/// The whole finding.
pub fn finding(finding: &Finding<'_>, directory: &Path, target: &Target) -> String {
    let mut out = String::new();
    let fix = finding.fix;
    let level = match (finding.status, fix.severity) {
        (Status::MayApply, _) => "note",
        (_, Severity::Blocks | Severity::WrongOutput) => "error",
        (_, Severity::Degraded | Severity::Nuisance) => "warning",
    };
    let may = if finding.status == Status::MayApply {
        "may apply: "
    } else {
        ""
    };
    let _ = writeln!(
        out,
        "{level}: {may}{}   [{}, {}]",
        finding.captures.fill(&fix.title),
        fix.id,
        fix.severity.name()
    );
    let gutter = finding
        .evidence
        .iter()
        .map(|shown| shown.line.to_string().len())
        .max()
        .unwrap_or(1);
    for (number, shown) in finding.evidence.iter().enumerate() {
        evidence(&mut out, shown, gutter, number == 0);
    }
    let mut line = |name: &str, text: &str| {
        let _ = writeln!(out, "  {name:<5} {text}");
    };
    if !fix.why.is_empty() {
        line("why", &finding.captures.fill(&fix.why));
    }
    if !finding.needs.is_empty() {
        line("needs", &needs(&finding.needs));
    }
    if let Some(flag) = &finding.cured_by {
        line(
            "cured",
            &format!("your command line has {flag}, which cures this already"),
        );
    }
    for (number, cure) in cures(finding, directory, target).iter().enumerate() {
        line(
            if number == 0 { "cures" } else { "" },
            &format!("{} {cure}", number + 1),
        );
    }
    if let Some(reason) = &finding.refused {
        line("edit", &format!("refused: {reason}"));
    }
    if let Some(cure) = finding.cures.first() {
        if !cure.cost.is_empty() {
            line("cost", &cure.cost);
        }
        if let Some(loses) = &cure.loses {
            line("loses", loses);
        }
    }
    line("sure", &sure(fix));
    out
}

/// The facts that are missing, joined.
pub fn needs(gaps: &[Gap]) -> String {
    gaps.iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("; ")
}

fn evidence(out: &mut String, shown: &Shown, gutter: usize, first: bool) {
    let arrow = if first { "-->" } else { ":::" };
    if shown.line == 0 {
        let label = if shown.evidence.label.is_empty() {
            String::new()
        } else {
            format!(": {}", shown.evidence.label)
        };
        let _ = writeln!(out, "{:gutter$} {arrow} {}{label}", "", shown.evidence.file);
        return;
    }
    let _ = writeln!(
        out,
        "{:gutter$} {arrow} {}:{}:{}",
        "", shown.evidence.file, shown.line, shown.column
    );
    let start = shown.column.saturating_sub(1);
    let from = if start > WIDTH { start - WIDTH / 2 } else { 0 };
    let text: String = shown
        .text
        .chars()
        .skip(from)
        .take(WIDTH)
        .map(|c| if c == '\t' { ' ' } else { c })
        .collect();
    let length = shown
        .evidence
        .span
        .as_ref()
        .map_or(1, std::ops::Range::len)
        .clamp(1, WIDTH.saturating_sub(start - from).max(1));
    let _ = writeln!(out, "{:>gutter$} | {text}", shown.line);
    let _ = writeln!(
        out,
        "{:gutter$} | {:pad$}{} {}",
        "",
        "",
        "^".repeat(length),
        shown.evidence.label,
        pad = start - from
    );
}

/// The cures that are open to this target, in order: upgrade, flag, requantize, other, edit.
pub fn cures(finding: &Finding<'_>, directory: &Path, target: &Target) -> Vec<String> {
    let mut lines = Vec::new();
    for instead in finding
        .fix
        .instead
        .iter()
        .filter(|instead| !instead.fits(target).is_no())
    {
        lines.push(match instead {
            Instead::Upgrade {
                library,
                version,
                note,
            } => format!("{:<8} {library} >= {version}{}", "upgrade", comma(note)),
            Instead::Flag { flag, on, note } => {
                format!("{:<8} {flag}{}{}", "flag", releases(on), comma(note))
            }
            Instead::Requantize(how) => format!("{:<8} {how}", "quantize"),
            Instead::Note(note) => format!("{:<8} {note}", "other"),
        });
    }
    if finding.fix.kind == KindFile::Fix && !finding.cures.is_empty() {
        let lossy = finding
            .cures
            .first()
            .is_some_and(|cure| cure.safety == Safety::Lossy);
        let flags = target.flags();
        let mut words = vec!["--fix", &finding.fix.id];
        words.extend(flags.iter().map(String::as_str));
        lines.push(format!(
            "{:<8} {}{}",
            "edit",
            command("apply", directory, &words),
            if lossy { " (lossy)" } else { "" }
        ));
    }
    lines
}

fn comma(note: &str) -> String {
    if note.is_empty() {
        String::new()
    } else {
        format!(", {note}")
    }
}

/// The releases in which a flag exists, in parentheses; nothing where it always does.
pub fn releases(on: &[(Library, Range)]) -> String {
    let on: Vec<String> = on
        .iter()
        .map(|(library, range)| format!("{library} {range}"))
        .collect();
    if on.is_empty() {
        String::new()
    } else {
        format!(" ({})", on.join(", "))
    }
}

/// By what a fix is proved.
pub fn sure(fix: &Fix) -> String {
    let mut judges: Vec<String> = fix
        .proofs
        .iter()
        .filter(|proof| proof.expect != ProofExpectation::Accepts)
        .map(|proof| format!("{} {}", proof.library, proof.version))
        .collect();
    judges.dedup();
    match (judges.is_empty(), fix.source.is_empty()) {
        (false, _) => format!("judged by {} itself", judges.join(", ")),
        (true, false) => format!(
            "read in the source: {}",
            fix.source.first().map_or("", String::as_str)
        ),
        (true, true) => "rests on reports".to_owned(),
    }
}
