//! `forget`: the patched files stay, the backups go.

use unsnag_core::store;

use super::open;
use crate::args::{ForgetArgs, Format};
use crate::exit::{Outcome, Status};
use crate::output::{confirm, print_json, say};
use crate::report::{change, json};
use crate::run;

/// Runs the verb.
pub fn run(args: &ForgetArgs) -> Outcome {
    open::folder(&args.directory)?;
    open::refuse_pending(&args.directory)?;
    let preview = store::preview_forget(&args.directory).map_err(open::store_failure)?;
    if preview == store::Forgotten::default() {
        say("Nothing to forget.\n");
        if args.format == Format::Json {
            print_json(&json::ForgottenDocument::new(&args.directory, &preview))?;
        }
        return Ok(Status::Done);
    }
    say(&change::forgotten(&preview));
    if !args.yes && !confirm("Drop the backups? They cannot be had again.")? {
        say("Nothing was changed.\n");
        return Ok(Status::Done);
    }
    let forgotten = store::forget(&args.directory, &run::options()).map_err(open::store_failure)?;
    say("Done.\n");
    if args.format == Format::Json {
        let _ = print_json(&json::ForgottenDocument::new(&args.directory, &forgotten));
    }
    Ok(Status::Done)
}
