//! `recover`: what an operation that was cut off left behind goes back.

use unsnag_core::store;

use super::open;
use crate::args::{Format, RecoverArgs};
use crate::exit::{Outcome, Status};
use crate::output::{print_json, say};
use crate::report::{change, json};

/// Runs the verb.
pub fn run(args: &RecoverArgs) -> Outcome {
    open::folder(&args.directory)?;
    let recovered = store::recover(&args.directory).map_err(open::store_failure)?;
    say(&change::recovered(&args.directory, &recovered));
    if args.format == Format::Json {
        print_json(&json::RecoveredDocument::new(&args.directory, &recovered))?;
    }
    Ok(Status::Done)
}
