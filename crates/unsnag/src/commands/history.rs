//! `history`: every operation on a directory.

use unsnag_core::store;

use super::open;
use crate::args::{Format, HistoryArgs};
use crate::exit::{Outcome, Status};
use crate::output::{print, print_json};
use crate::report::{change, json};

/// Runs the verb.
pub fn run(args: &HistoryArgs) -> Outcome {
    open::folder(&args.directory)?;
    open::refuse_pending(&args.directory)?;
    let operations = store::history(&args.directory).map_err(open::store_failure)?;
    match args.format {
        Format::Human => print(&change::history(&operations))?,
        Format::Json => print_json(&json::HistoryDocument::new(&args.directory, operations))?,
    }
    Ok(Status::Done)
}
