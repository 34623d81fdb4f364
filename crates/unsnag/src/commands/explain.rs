//! `explain`: a fix's page, in the terminal.

use unsnag_core::fix::Catalogue;

use crate::args::{ExplainArgs, Format};
use crate::exit::{Failure, Outcome, Status};
use crate::output::{print, print_json};
use crate::report::{json, page};

/// Runs the verb.
pub fn run(args: &ExplainArgs, catalogue: &Catalogue) -> Outcome {
    let Some(fix) = catalogue.get(&args.id) else {
        let failure = Failure::new(format!("no fix is called `{}`", args.id));
        let failure = match catalogue.nearest(&args.id) {
            Some(near) => failure.hint(format!("did you mean `{near}`?")),
            None => failure,
        };
        return Err(failure.hint("unsnag list shows every fix"));
    };
    match args.format {
        Format::Human => print(&page::page(fix))?,
        Format::Json => print_json(&json::ExplainDocument::new(fix))?,
    }
    Ok(Status::Done)
}
