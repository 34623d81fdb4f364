//! `diff`: what `apply` would do.

use unsnag_core::fix::Catalogue;
use unsnag_core::plan::plan;

use super::{apply, open};
use crate::args::{DiffArgs, DiffFormat};
use crate::exit::{Outcome, Status};
use crate::output::{print, print_json, say};
use crate::report::{change, json};
use crate::target;

/// Runs the verb.
pub fn run(args: &DiffArgs, catalogue: &Catalogue) -> Outcome {
    let target = target::resolve(&args.target, catalogue)?;
    let directory = open::model(&args.directory)?;
    if let Some(note) = open::warn_pending(&args.directory)? {
        say(&note);
    }
    let plan = plan(
        &directory,
        &target,
        catalogue,
        &apply::choice(&args.choice)?,
    )
    .map_err(apply::plan_failure)?;
    apply::refuse_broken(&args.directory, &plan)?;
    match args.format {
        DiffFormat::Human => {
            print(&change::diff(&plan.files))?;
            say(&change::summary(&plan, &args.directory, &target));
        }
        DiffFormat::Json => print_json(&json::PlanDocument::new(&args.directory, &target, &plan))?,
        DiffFormat::JsonPatch => print_json(&json::patches(&plan))?,
    }
    Ok(if plan.report.has_findings(false) || !plan.is_empty() {
        Status::Findings
    } else {
        Status::Done
    })
}
