//! `lint`: whether fix folders hold what the format asks for.

use std::fmt::Write as _;

use serde::Serialize;
use unsnag_core::fix::lint;

use crate::args::{Format, LintArgs};
use crate::exit::{Failure, Outcome, Status};
use crate::output::{print, print_json};

#[derive(Serialize)]
struct Document {
    schema_version: u32,
    problems: Vec<ProblemJson>,
}

#[derive(Serialize)]
struct ProblemJson {
    path: String,
    message: String,
}

/// Runs the verb.
pub fn run(args: &LintArgs) -> Outcome {
    let problems = lint(&args.directory, unsnag_fixes::rules::RULES)
        .map_err(|error| Failure::new(error.to_string()))?;
    match args.format {
        Format::Human => {
            let mut out = String::new();
            for problem in &problems {
                let _ = writeln!(out, "{}: {}", problem.path.display(), problem.message);
            }
            let n = problems.len();
            let _ = writeln!(
                out,
                "{}",
                if n == 0 {
                    "no problem.".to_owned()
                } else {
                    format!("{n} problem{}.", if n == 1 { "" } else { "s" })
                }
            );
            print(&out)?;
        }
        Format::Json => {
            let row = |problem: &unsnag_core::fix::Problem| ProblemJson {
                path: problem.path.display().to_string(),
                message: problem.message.clone(),
            };
            print_json(&Document {
                schema_version: 1,
                problems: problems.iter().map(row).collect(),
            })?;
        }
    }
    Ok(if problems.is_empty() {
        Status::Done
    } else {
        Status::Findings
    })
}
