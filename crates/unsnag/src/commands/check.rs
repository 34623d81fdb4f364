//! `check`: what is wrong with model directories.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use unsnag_core::check::{Finding, Report, check, ruled_out};
use unsnag_core::fix::{Catalogue, KindFile};
use unsnag_core::target::Target;
use unsnag_core::view::{Directory, Overlay, View};

use super::open;
use crate::args::{CheckArgs, Format};
use crate::exit::{Failure, Outcome, Status};
use crate::output::{print, print_json, say};
use crate::report::{card, finding, headline, json};
use crate::target;

/// What one directory comes to.
struct Checked {
    status: Status,
    human: String,
    errors: String,
    json: json::Directory,
}

/// Runs the verb.
pub fn run(args: &CheckArgs, catalogue: &Catalogue) -> Outcome {
    let target = target::resolve(&args.target, catalogue)?;
    let mut worst = Status::Done;
    let directories = if args.recursive {
        let below = open::below(&args.directories);
        for failure in &below.unread {
            worst = worse(worst, failure.status);
            say(&failure.render());
        }
        below.models
    } else {
        args.directories.clone()
    };
    if directories.is_empty() {
        return Err(Failure::new("no model directory below the given ones")
            .with_status(worse(worst, Status::NoModel)));
    }
    let results = in_parallel(&directories, |directory| {
        one(directory, &target, catalogue, args)
    });
    let mut human = String::new();
    let mut documents = Vec::new();
    for (directory, result) in directories.iter().zip(results) {
        match result {
            Ok(checked) => {
                worst = worse(worst, checked.status);
                if !human.is_empty() {
                    human.push('\n');
                }
                human.push_str(&checked.human);
                say(&checked.errors);
                documents.push(checked.json);
            }
            Err(failure) if directories.len() == 1 => return Err(failure),
            Err(failure) => {
                worst = worse(worst, failure.status);
                say(&failure.render());
                documents.push(json::Directory::failed(directory, &target, &failure));
            }
        }
    }
    match args.format {
        Format::Human => print(&human)?,
        Format::Json => print_json(&json::CheckDocument::new(documents))?,
    }
    Ok(worst)
}

/// Errors before findings before a missing model before nothing.
fn worse(a: Status, b: Status) -> Status {
    let rank = |status| match status {
        Status::Error => 4,
        Status::Unsure => 3,
        Status::Findings => 2,
        Status::NoModel => 1,
        Status::Done => 0,
    };
    if rank(b) > rank(a) { b } else { a }
}

fn in_parallel<T: Send>(directories: &[PathBuf], work: impl Fn(&Path) -> T + Sync) -> Vec<T> {
    let threads = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(directories.len());
    if threads <= 1 {
        return directories
            .iter()
            .map(|directory| work(directory))
            .collect();
    }
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            match directories.get(index) {
                Some(directory) => done.push((index, work(directory))),
                None => return done,
            }
        }
    };
    let mut all: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .filter_map(|worker| worker.join().ok())
            .flatten()
            .collect()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, result)| result).collect()
}

fn one(
    path: &Path,
    target: &Target,
    catalogue: &Catalogue,
    args: &CheckArgs,
) -> Result<Checked, Failure> {
    let directory = open::model(path)?;
    let note = open::warn_pending(path)?;
    let overlay = Overlay::default();
    let view = View::new(&directory, &overlay);
    let report = check(&view, target, catalogue);
    let mut status = if report.has_findings(args.strict) {
        Status::Findings
    } else {
        Status::Done
    };
    let human = if target.is_unknown() {
        card::card(&view, &report)
    } else {
        human(&view, &report, target, catalogue, args)
    };
    if target.is_unknown() && !args.strict {
        status = if report
            .findings
            .iter()
            .any(|finding| finding.fix.target.is_empty())
        {
            status
        } else {
            Status::Done
        };
    }
    let mut errors = note.unwrap_or_default();
    for broken in &report.broken {
        status = Status::Error;
        let _ = writeln!(
            errors,
            "error: {}\nhint: {}",
            broken.message(path),
            broken.hint
        );
    }
    Ok(Checked {
        status,
        json: json::Directory::new(&directory, target, &report),
        human,
        errors,
    })
}

fn human(
    view: &View<'_>,
    report: &Report<'_>,
    target: &Target,
    catalogue: &Catalogue,
    args: &CheckArgs,
) -> String {
    let directory: &Directory = view.directory();
    let name = directory.path().display().to_string();
    let mut out = format!("{name}: {}\n", headline::headline(view));
    let brought: Vec<String> = target.brought().collect();
    let brought = if brought.is_empty() {
        String::new()
    } else {
        format!(" (brings {})", brought.join(", "))
    };
    let _ = writeln!(out, "target: {target}{brought}");
    for found in &report.findings {
        let _ = write!(
            out,
            "\n{}",
            finding::finding(found, directory.path(), target)
        );
    }
    let _ = writeln!(out, "\n{}", summary(report, target, args.verbose));
    if args.verbose {
        for undecided in &report.undecided {
            let _ = writeln!(
                out,
                "undecided: {}   [{}] needs {}",
                undecided.fix.title,
                undecided.fix.id,
                finding::needs(&undecided.needs)
            );
        }
        for (fix, because) in ruled_out(view, target, catalogue) {
            let _ = writeln!(out, "ruled out: {}   [{}] {because}", fix.title, fix.id);
        }
    }
    out
}

fn summary(report: &Report<'_>, target: &Target, verbose: bool) -> String {
    use unsnag_core::check::Status::{Applies, MayApply, Refused};
    let count = |wanted: &dyn Fn(&Finding<'_>) -> bool| {
        report
            .findings
            .iter()
            .filter(|finding| wanted(finding))
            .count()
    };
    let problems = count(&|finding| finding.is_problem());
    let fixes = count(&|finding| {
        finding.is_problem() && finding.status == Applies && finding.fix.kind == KindFile::Fix
    });
    let refused = count(&|finding| finding.status == Refused);
    let may = count(&|finding| finding.status == MayApply);
    let plural =
        |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let mut text = if problems == 0 {
        match target.unread().next() {
            Some((library, version, checked)) => {
                format!(
                    "not judged: {library} {version} is newer than {checked}, the newest that the catalogue has read; nothing known applies."
                )
            }
            None if report.broken.is_empty() => "no known problem.".to_owned(),
            None => format!(
                "not judged: {}; nothing known applies to the rest.",
                finding::unread(report)
            ),
        }
    } else {
        let mut text = format!(
            "{}, {}",
            plural(problems, "problem", "problems"),
            plural(fixes, "fix", "fixes")
        );
        if refused > 0 {
            let _ = write!(text, ", {refused} that no edit cures");
        }
        if !report.broken.is_empty() {
            let _ = write!(text, "; not judged: {}", finding::unread(report));
        }
        text + "."
    };
    if let Some((library, version, checked)) = target.unread().next().filter(|_| problems > 0) {
        let _ = write!(
            text,
            " {library} {version} is newer than {checked}, the newest that the catalogue has read."
        );
    }
    if may > 0 {
        let _ = write!(
            text,
            " {} on facts not given.",
            plural(
                may,
                "more may apply, depending",
                "more may apply, depending"
            )
        );
    }
    if !report.undecided.is_empty() {
        let hint = if verbose { "" } else { " (-v)" };
        let _ = write!(
            text,
            " {} on facts not given{hint}.",
            plural(report.undecided.len(), "more depends", "more depend")
        );
    }
    text
}
