//! `recover`: what an operation that was cut off left behind goes back.

use unsnag_core::store;

use super::open;
use crate::args::{Format, RecoverArgs};
use crate::exit::{Outcome, Status};
use crate::output::{command, print_json, say};
use crate::report::{change, json};
use crate::run;

/// Runs the verb.
pub fn run(args: &RecoverArgs) -> Outcome {
    // A twin that was cut off in the making is not there yet; what was made of it is.
    if !store::leftover_twin(&args.directory) {
        open::folder(&args.directory)?;
    }
    let recovered = store::recover(&args.directory, &run::options()).map_err(|error| {
        // Whether anything was cut off, a damaged state does not say.
        let is_known = !matches!(error, store::StoreError::State { .. });
        let failure = open::store_failure(error);
        if !is_known {
            return failure;
        }
        let again = command("recover", &args.directory, &[]);
        failure.hint(format!(
            "nothing is lost, and what was cut off still waits: when that is mended, {again}"
        ))
    })?;
    say(&change::recovered(&args.directory, &recovered));
    if args.format == Format::Json {
        print_json(&json::RecoveredDocument::new(&args.directory, &recovered))?;
    }
    Ok(Status::Done)
}
