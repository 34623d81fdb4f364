//! `status`: which patches are in place, whether the files are as they were left, and what the target does not need.

use std::fmt::Write as _;

use unsnag_core::fix::Catalogue;
use unsnag_core::store::{self, Standing};
use unsnag_core::target::Target;

use super::open;
use crate::args::{Format, StatusArgs};
use crate::exit::{Outcome, Status};
use crate::output::{command, print, print_json};
use crate::report::json;
use crate::target;

/// Runs the verb.
pub fn run(args: &StatusArgs, catalogue: &Catalogue) -> Outcome {
    open::folder(&args.directory)?;
    open::refuse_pending(&args.directory)?;
    let target = target::resolve(&args.target, catalogue)?;
    let status = store::status(&args.directory).map_err(open::store_failure)?;
    let unneeded = unneeded(&status, &target, catalogue);
    match args.format {
        Format::Human => print(&human(args, &status, &unneeded))?,
        Format::Json => print_json(&json::StatusDocument::new(
            &args.directory,
            &status,
            unneeded,
        ))?,
    }
    Ok(Status::Done)
}

/// Applied fixes that the target certainly does not need.
fn unneeded(
    status: &store::Status,
    target: &Target,
    catalogue: &Catalogue,
) -> Vec<json::UnneededJson> {
    if target.is_unknown() {
        return Vec::new();
    }
    let mut ids: Vec<&String> = status
        .steps
        .iter()
        .flat_map(|step| &step.label.fixes)
        .collect();
    ids.sort();
    ids.dedup();
    let fixes = ids.into_iter().filter_map(|id| catalogue.get(id));
    let unneeded =
        fixes.filter(|fix| !fix.target.is_empty() && target.fits_any(&fix.target).is_no());
    unneeded
        .map(|fix| json::UnneededJson {
            id: fix.id.clone(),
            cost: fix.cost.clone(),
        })
        .collect()
}

fn human(args: &StatusArgs, status: &store::Status, unneeded: &[json::UnneededJson]) -> String {
    let command = |verb| command(verb, &args.directory, &[]);
    let mut out = String::new();
    if let Some(source) = &status.twin_of {
        let _ = writeln!(out, "A patched twin of {source}.");
    }
    if status.steps.is_empty() && status.twin_of.is_none() {
        out.push_str("No patch is in place.\n");
    }
    for step in &status.steps {
        let what = if step.label.fixes.is_empty() {
            step.label.verb.clone()
        } else {
            step.label.fixes.join(", ")
        };
        let _ = writeln!(
            out,
            "step {} {} {what}",
            step.number,
            step.time.strftime("%Y-%m-%dT%H:%M:%SZ")
        );
    }
    for file in &status.files {
        let standing = match &file.standing {
            Standing::AsLeft => "as it was left".to_owned(),
            Standing::Original => "the original is back: somebody restored or downloaded it again; the patch is not there".to_owned(),
            Standing::Edited => "edited since".to_owned(),
            Standing::Link => "a link stands there now, which this program never puts; revert keeps it aside with --force".to_owned(),
            Standing::Moved => "gone, or there although it was parked".to_owned(),
            Standing::Unreadable(error) => format!("cannot be read: {error}"),
        };
        let _ = writeln!(out, "  {}: {standing}", file.path);
    }
    for (path, place) in &status.kept {
        let _ = writeln!(out, "  an edited {path} is kept as {place}");
    }
    for one in unneeded {
        let cost = if one.cost.is_empty() {
            String::new()
        } else {
            format!("; it costs: {}", one.cost)
        };
        let _ = writeln!(
            out,
            "not needed under this target: {}{cost}. {} takes the last step back",
            one.id,
            command("revert")
        );
    }
    if status.leftovers {
        let _ = writeln!(
            out,
            "leftovers of an operation that changed nothing wait in .unsnag; {} removes them",
            command("recover")
        );
    }
    out
}
