//! Applies an RFC 6902 patch to a file and writes the result to another one, in chunks:
//! `splice PATCH.json FROM TO [--sync]`.

#![allow(clippy::print_stderr)]

use json_splice::Patch;
use std::error::Error;
use std::fs::File;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        [patch, from, to] => splice(patch, from, to, false),
        [patch, from, to, "--sync"] => splice(patch, from, to, true),
        _ => Err("usage: splice PATCH.json FROM TO [--sync]".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Nothing is written unless the document is valid and the whole patch applies to it.
fn splice(patch: &str, from: &str, to: &str, sync: bool) -> Result<(), Box<dyn Error>> {
    let patch = Patch::parse(&std::fs::read(patch)?)?;
    let mut document = File::open(from)?;
    let edits = patch.edits_in(&document)?;
    let to = File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .open(to)?;
    edits.copy(&mut document, &to)?;
    if sync {
        to.sync_all()?;
    }
    Ok(())
}
