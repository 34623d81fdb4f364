//! The command `unsnag`.

#![allow(unreachable_pub)] // a binary has no interface of its own

mod args;
mod catalogue;
mod commands;
mod detect;
mod engine_command;
mod exit;
mod output;
mod report;
mod run;
mod target;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Verb};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() {
                exit::Status::Error
            } else {
                exit::Status::Done
            }
            .into();
        }
    };
    match dispatch(&arguments) {
        Ok(status) => status.into(),
        Err(failure) => {
            output::say(&failure.render());
            failure.status.into()
        }
    }
}

fn dispatch(arguments: &Arguments) -> exit::Outcome {
    let catalogue = || catalogue::load(&arguments.fixes);
    match &arguments.verb {
        Verb::Check(args) => commands::check::run(args, catalogue()?),
        Verb::Diff(args) => commands::diff::run(args, catalogue()?),
        Verb::Apply(args) => commands::apply::run(args, catalogue()?),
        Verb::Patch(args) => commands::patch::run(args),
        Verb::Revert(args) => commands::revert::run(args),
        Verb::Recover(args) => commands::recover::run(args),
        Verb::Forget(args) => commands::forget::run(args),
        Verb::Status(args) => commands::status::run(args, catalogue()?),
        Verb::History(args) => commands::history::run(args),
        Verb::Diagnose(args) => commands::diagnose::run(args, catalogue()?),
        Verb::Explain(args) => commands::explain::run(args, catalogue()?),
        Verb::List(args) => commands::list::run(args, catalogue()?),
        Verb::Lint(args) => commands::lint::run(args),
    }
}
