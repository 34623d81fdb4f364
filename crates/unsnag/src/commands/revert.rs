//! `revert`: edits go back to the byte.

use unsnag_core::store::{self, Selection};

use super::open;
use crate::args::{Format, RevertArgs};
use crate::exit::{Failure, Outcome, Status};
use crate::output::{confirm, print, print_json, say};
use crate::report::{change, json};
use crate::run;

/// Runs the verb.
pub fn run(args: &RevertArgs) -> Outcome {
    open::folder(&args.directory)?;
    if let Some(pending) =
        store::pending(&args.directory, Some(run::waiting)).map_err(open::store_failure)?
    {
        say(&format!("{}: {pending}\n", args.directory.display()));
        if !args.yes && !confirm("Bring it back to what it was before, first?")? {
            say("Nothing was changed.\n");
            return Ok(Status::Error);
        }
        let recovered =
            store::recover(&args.directory, &run::options()).map_err(open::store_failure)?;
        say(&change::recovered(&args.directory, &recovered));
    }
    let selection = match (args.all, args.step) {
        (true, _) => Selection::All,
        (_, Some(step)) => Selection::Step(step),
        _ => Selection::Last,
    };
    let preview =
        store::revert::preview(&args.directory, selection).map_err(open::store_failure)?;
    if preview.is_empty() {
        say("Nothing to revert.\n");
        if args.format == Format::Json {
            print_json(&json::RevertedDocument::nothing(&args.directory))?;
        }
        return Ok(Status::Done);
    }
    if args.format == Format::Human {
        print(&change::revert_preview(&preview))?;
    }
    if preview.is_refused() && !args.force {
        return Err(Failure::new(change::refused(&args.directory, &preview))
            .hint("--force takes the edit back all the same and keeps the edited file aside"));
    }
    if !args.yes && !confirm("Revert?")? {
        say("Nothing was changed.\n");
        return Ok(Status::Done);
    }
    let options = store::Options {
        force: args.force,
        command_line: run::command_line(),
        ..run::options()
    };
    let reverted =
        store::revert::run(&args.directory, &preview, &options).map_err(open::store_failure)?;
    say(&change::reverted(&args.directory, &reverted));
    if args.format == Format::Json {
        let _ = print_json(&json::RevertedDocument::new(&args.directory, &reverted));
    }
    Ok(Status::Done)
}
