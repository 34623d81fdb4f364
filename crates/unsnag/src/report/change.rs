//! What a change would do and did, in words.

use std::fmt::Write as _;
use std::path::Path;

use unsnag_core::plan::{Because, FilePlan, Held, Plan};
use unsnag_core::store::revert::{FileRevert, RevertPlan, Reverted, Way};
use unsnag_core::store::{Applied, Forgotten, Operation, Recovered, Returned};
use unsnag_core::target::Target;

use super::udiff::unified;
use crate::output::{command, quoted};

/// The unified diff of every file.
pub fn diff(files: &[FilePlan]) -> String {
    files
        .iter()
        .map(|file| unified(&file.path, file.before.as_deref(), file.after.as_deref()))
        .collect()
}

/// What a plan takes and what it leaves, and what to type.
pub fn summary(plan: &Plan<'_>, directory: &Path, target: &Target) -> String {
    let mut out = String::new();
    for step in &plan.steps {
        let fix = plan
            .report
            .findings
            .iter()
            .find(|finding| finding.fix.id == step.fix);
        let title = fix.map_or(String::new(), |finding| {
            finding.captures.fill(&finding.fix.title)
        });
        let _ = writeln!(out, "{}: {title}", step.fix);
    }
    for held in &plan.held {
        let _ = writeln!(out, "{}", self::held(held, directory, target));
    }
    if plan.is_empty() {
        out.push_str(if plan.held.is_empty() {
            "Nothing to do.\n"
        } else {
            "Nothing to edit.\n"
        });
    }
    out
}

fn held(held: &Held<'_>, directory: &Path, target: &Target) -> String {
    let fix = held.finding.fix;
    let flags = target.flags();
    let command = |words: &[&str]| {
        let flags = flags.iter().map(String::as_str);
        let words: Vec<&str> = words.iter().copied().chain(flags).collect();
        command("apply", directory, &words)
    };
    let why = match held.because {
        Because::Lossy => {
            let loses = held
                .finding
                .cures
                .first()
                .and_then(|cure| cure.loses.clone())
                .unwrap_or_default();
            format!("loses something ({loses}); {}", command(&["--lossy"]))
        }
        Because::MayApply => {
            format!(
                "needs {}; {}",
                super::finding::needs(&held.finding.needs),
                command(&["--fix", &fix.id])
            )
        }
        Because::Skipped => "skipped".to_owned(),
        Because::Refused => format!(
            "refused: {}",
            held.finding
                .refused
                .as_deref()
                .unwrap_or("no edit is right")
        ),
        Because::Advice => format!("no edit is right; unsnag explain {}", fix.id),
        Because::Cured => format!(
            "cured by {} already",
            held.finding.cured_by.as_deref().unwrap_or("a flag")
        ),
    };
    format!(
        "left alone: {} ({}): {why}",
        fix.id,
        held.finding.captures.fill(&fix.title)
    )
}

/// What was done, and how to take it back.
pub fn applied(directory: &Path, applied: &Applied) -> String {
    let files: Vec<&str> = applied
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    let mut out = format!("Done (step {}): {}.\n", applied.step, files.join(", "));
    for note in &applied.notes {
        let _ = writeln!(out, "note: {note}");
    }
    let _ = writeln!(
        out,
        "The originals are in {}; {} puts them back.",
        directory.join(".unsnag").display(),
        command("revert", directory, &[])
    );
    out
}

/// Where the twin is.
pub fn twin(source: &Path, out: &Path) -> String {
    if source == out {
        format!("Nothing to edit: serve {}\n", out.display())
    } else {
        format!(
            "Serve {} instead of {}, which is untouched.\n",
            out.display(),
            source.display()
        )
    }
}

/// What recovery did.
pub fn recovered(directory: &Path, recovered: &Recovered) -> String {
    let name = directory.display();
    match (&recovered.operation, recovered.leftovers) {
        (Some(operation), _) => format!(
            "{name}: {} of {} was cut off; everything is as it was before.\n",
            operation.verb,
            operation.files.join(", ")
        ),
        (None, true) => {
            format!("{name}: leftovers of an operation were removed; no file had changed.\n")
        }
        (None, false) => format!("{name}: nothing to recover.\n"),
    }
}

/// The diff that a revert would make, with how each file is reached.
pub fn revert_preview(plan: &RevertPlan) -> String {
    let mut out = String::new();
    for file in &plan.files {
        match file.way {
            Way::Exact => {}
            Way::Merged => {
                let _ = writeln!(
                    out,
                    "# {}: edited since it was patched; the patch is taken out and that edit stays",
                    file.path
                );
            }
            Way::Refused => {
                let _ = writeln!(
                    out,
                    "# {}: edited since it was patched, at the same place",
                    file.path
                );
            }
        }
        out.push_str(&unified(
            &file.path,
            file.now.as_deref(),
            file.then.as_deref(),
        ));
    }
    out
}

/// Why a revert is refused, with the versions.
pub fn refused(directory: &Path, plan: &RevertPlan) -> String {
    let files = plan.files.iter().filter(|file| file.way == Way::Refused);
    let line = |file: &FileRevert| {
        let size = |bytes: &Option<Vec<u8>>| {
            bytes.as_ref().map_or_else(
                || "missing".to_owned(),
                |bytes| format!("{} bytes", bytes.len()),
            )
        };
        format!(
            "{}/{}: edited since it was patched, at the same place. Three versions: what stands there ({}), the original ({}), and the patched one; nothing was changed",
            directory.display(),
            file.path,
            size(&file.now),
            size(&file.then)
        )
    };
    files.map(line).collect::<Vec<_>>().join("\n")
}

/// What a revert did.
pub fn reverted(directory: &Path, reverted: &Reverted) -> String {
    let files: Vec<&str> = reverted
        .operation
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    let mut out = format!("Reverted: {}.\n", files.join(", "));
    for note in &reverted.notes {
        let _ = writeln!(out, "note: {note}");
    }
    for (path, place) in &reverted.kept {
        let _ = writeln!(out, "note: the edited {path} is kept as {place}");
    }
    match reverted.remaining {
        0 => {}
        1 => {
            let _ = writeln!(
                out,
                "1 patch stays in place; {} takes it back too.",
                command("revert", directory, &[])
            );
        }
        more => {
            let _ = writeln!(
                out,
                "{more} patches stay in place; {} takes them back too.",
                command("revert", directory, &["--all"])
            );
        }
    }
    out
}

/// What forgetting does.
pub fn forgotten(forgotten: &Forgotten) -> String {
    let mut out = String::new();
    if !forgotten.files.is_empty() {
        let _ = writeln!(
            out,
            "stay as they are, without a backup: {}",
            forgotten.files.join(", ")
        );
    }
    for Returned { path, name, .. } in &forgotten.parked {
        let _ = writeln!(out, "{path} comes back as {name}");
    }
    for Returned { path, name, .. } in &forgotten.kept {
        let _ = writeln!(
            out,
            "what somebody else wrote to {path} comes back as {name}"
        );
    }
    out
}

/// The history, a line an operation and a line a file.
pub fn history(operations: &[Operation]) -> String {
    let mut out = String::new();
    for operation in operations {
        let fixes = if operation.fixes.is_empty() {
            String::new()
        } else {
            format!(" {}", operation.fixes.join(", "))
        };
        let _ = writeln!(
            out,
            "{} {} {}{fixes}",
            operation.number,
            operation.time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            operation.verb
        );
        let command: Vec<String> = operation
            .command_line
            .iter()
            .map(|word| quoted(word))
            .collect();
        let _ = writeln!(out, "  $ {}", command.join(" "));
        for file in &operation.files {
            let digest = |digest: &Option<unsnag_core::store::Digest>| {
                digest.map_or_else(
                    || "missing".to_owned(),
                    |digest| digest.to_string().chars().take(12).collect(),
                )
            };
            let _ = writeln!(
                out,
                "  {}: {} -> {}",
                file.path,
                digest(&file.before),
                digest(&file.after)
            );
        }
    }
    if operations.is_empty() {
        out.push_str("No operation on record.\n");
    }
    out
}
