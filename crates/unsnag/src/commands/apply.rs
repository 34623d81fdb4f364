//! `apply`: the edits that cure what was found, with a backup.

use std::path::Path;

use unsnag_core::fix::Catalogue;
use unsnag_core::plan::{Choice, Plan, PlanError, plan};
use unsnag_core::store::{self, Label, Request};
use unsnag_core::target::Target;

use super::open;
use crate::args::{ApplyArgs, ChangeArgs, ChoiceArgs, Format};
use crate::exit::{Failure, Outcome, Status};
use crate::output::{confirm, print, print_json, print_path, say};
use crate::report::{change, json};
use crate::{run, target};

/// Runs the verb.
pub fn run(args: &ApplyArgs, catalogue: &Catalogue) -> Outcome {
    let target = target::resolve(&args.target, catalogue)?;
    let directory = open::model(&args.directory)?;
    let pending =
        store::pending(&args.directory, Some(run::waiting)).map_err(open::store_failure)?;
    if pending.is_some() && (args.change.dry_run || args.out.is_some()) {
        open::refuse_pending(&args.directory)?;
    }
    if let Some(pending) = pending {
        say(&format!("{}: {pending}\n", args.directory.display()));
        if !args.change.yes && !confirm("Bring it back to what it was before, first?")? {
            say("Nothing was changed.\n");
            return Ok(Status::Error);
        }
        store::recover(&args.directory, &run::options()).map_err(open::store_failure)?;
        return self::run(
            &ApplyArgs {
                directory: args.directory.clone(),
                ..args.clone()
            },
            catalogue,
        );
    }
    let plan =
        plan(&directory, &target, catalogue, &choice(&args.choice)?).map_err(plan_failure)?;
    refuse_broken(&args.directory, &plan)?;
    refuse_undecided(&args.choice, &plan)?;
    let request = Request {
        changes: plan.changes(),
        consulted: plan.consulted.clone(),
        label: Label {
            verb: "apply".to_owned(),
            fixes: plan.fixes(),
            command_line: run::command_line(),
        },
    };
    if let Some(out) = &args.out {
        return self::out(args, out, &plan, &request, &target);
    }
    if plan.is_empty() {
        say(&change::summary(&plan, &args.directory, &target));
        return match args.format {
            _ if args.print_path => print_path(&args.directory).map(|()| Status::Done),
            Format::Human => Ok(if args.change.dry_run && plan.report.has_findings(false) {
                Status::Findings
            } else {
                Status::Done
            }),
            Format::Json => print_json(&json::PlanDocument::new(&args.directory, &target, &plan))
                .map(|()| Status::Done),
        };
    }
    if args.format == Format::Human && !args.print_path {
        print(&change::diff(&plan.files))?;
    }
    say(&change::summary(&plan, &args.directory, &target));
    if args.change.dry_run {
        if args.format == Format::Json {
            print_json(&json::PlanDocument::new(&args.directory, &target, &plan))?;
        }
        return Ok(Status::Findings);
    }
    if !args.change.yes && !confirm("Apply?")? {
        say("Nothing was changed.\n");
        return Ok(Status::Done);
    }
    drop(directory);
    let applied = store::apply(&args.directory, &request, &options(&args.change))
        .map_err(open::store_failure)?;
    report(&args.directory, args.format, args.print_path, &applied);
    Ok(Status::Done)
}

/// Says what was done. Nothing that happens here can change the status any more.
pub fn report(directory: &Path, format: Format, path_only: bool, applied: &store::Applied) {
    say(&change::applied(directory, applied));
    let _ = match format {
        _ if path_only => print_path(directory),
        Format::Human => Ok(()),
        Format::Json => print_json(&json::AppliedDocument::new(directory, applied)),
    };
}

fn out(
    args: &ApplyArgs,
    out: &Path,
    plan: &Plan<'_>,
    request: &Request,
    target: &Target,
) -> Outcome {
    if args.format == Format::Human && !args.print_path {
        print(&change::diff(&plan.files))?;
    }
    say(&change::summary(plan, &args.directory, target));
    if args.change.dry_run {
        if args.format == Format::Json && !args.print_path {
            print_json(&json::PlanDocument::new(&args.directory, target, plan))?;
        }
        return Ok(if plan.is_empty() {
            Status::Done
        } else {
            Status::Findings
        });
    }
    if !plan.is_empty()
        && !args.change.yes
        && !confirm(&format!("Make a patched twin in {}?", out.display()))?
    {
        say("Nothing was changed.\n");
        return Ok(Status::Done);
    }
    let served = store::apply_out(&args.directory, out, request, &options(&args.change))
        .map_err(open::store_failure)?;
    match args.format {
        _ if args.print_path => print_path(&served)?,
        Format::Human => print(&change::twin(&args.directory, &served))?,
        Format::Json => print_json(&json::TwinDocument::new(
            &args.directory,
            &served,
            plan.fixes(),
        ))?,
    }
    Ok(Status::Done)
}

/// What the store is told about the run.
pub fn options(change: &ChangeArgs) -> store::Options {
    store::Options {
        fresh_mtime: change.fresh_mtime,
        ..run::options()
    }
}

/// Reads which fixes are meant.
///
/// # Errors
/// `--cure` without `=`.
pub fn choice(args: &ChoiceArgs) -> Result<Choice, Failure> {
    let cures = args.cure.iter().map(|cure| {
        let (fix, name) = cure
            .split_once('=')
            .ok_or_else(|| Failure::new(format!("--cure {cure}: expected ID=NAME")))?;
        Ok((fix.to_owned(), name.to_owned()))
    });
    Ok(Choice {
        only: args.fix.iter().cloned().collect(),
        skip: args.skip.iter().cloned().collect(),
        lossy: args.lossy,
        cures: cures.collect::<Result<_, Failure>>()?,
    })
}

/// A plan that cannot be made.
pub fn plan_failure(error: PlanError) -> Failure {
    let failure = Failure::new(error.to_string());
    match error {
        PlanError::UnknownFix { .. } => failure.hint("unsnag list shows every fix"),
        PlanError::RuledOut { .. } => {
            failure.hint("name another --engine or --gpu, or leave it out")
        }
        _ => failure,
    }
}

/// Stops where a file that fixes read is broken and no fix repairs it.
///
/// # Errors
/// The first such file, with the place.
pub fn refuse_broken(directory: &Path, plan: &Plan<'_>) -> Result<(), Failure> {
    match plan.report.broken.first() {
        None => Ok(()),
        Some(broken) => Err(Failure::new(broken.message(directory))
            .hint(broken.hint)
            .hint("nothing was changed")),
    }
}

/// Stops where a fix was named that cannot be decided, or where nothing can be edited because a file was not fetched.
///
/// # Errors
/// The fix, and the facts that are missing.
pub fn refuse_undecided(choice: &ChoiceArgs, plan: &Plan<'_>) -> Result<(), Failure> {
    for undecided in &plan.report.undecided {
        let pointer = plan.is_empty()
            && undecided
                .needs
                .iter()
                .any(|gap| gap.reason.contains("git lfs pull"));
        if choice.fix.contains(&undecided.fix.id) || pointer {
            let needs: Vec<String> = undecided.needs.iter().map(ToString::to_string).collect();
            return Err(Failure::new(format!(
                "{} cannot be decided here: {}",
                undecided.fix.id,
                needs.join("; ")
            ))
            .hint("nothing was changed"));
        }
    }
    Ok(())
}
