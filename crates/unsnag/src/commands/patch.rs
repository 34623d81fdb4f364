//! `patch`: a person's own RFC 6902 patch, with the diff, backup and revert of `apply`.

use std::io::Read as _;
use std::path::Path;

use json_splice::Patch;
use unsnag_core::plan::FilePlan;
use unsnag_core::store::fsys::FileRead;
use unsnag_core::store::{self, Action, Before, Digest, FileChange, Label, Request};
use unsnag_core::view::{LIMIT, is_lfs_pointer};

use super::{apply, open};
use crate::args::{Format, PatchArgs};
use crate::exit::{Failure, Outcome, Status};
use crate::output::{confirm, print, print_json, say};
use crate::report::{change, json};
use crate::run;

/// Runs the verb.
pub fn run(args: &PatchArgs) -> Outcome {
    let directory = open::model(&args.directory)?;
    open::refuse_pending(&args.directory)?;
    let text = read(&args.patch)?;
    let patch = Patch::parse(&text).map_err(|error| {
        Failure::new(open::located(&args.patch, &error)).hint("expected an RFC 6902 document: a list of operations such as {\"op\": \"remove\", \"path\": \"/key\"}")
    })?;
    let name = plain(&args.file);
    let file = args.directory.join(&name);
    let read = directory
        .root()
        .read(&name, LIMIT)
        .map_err(|error| open::store_failure(error.into()))?;
    let Some(FileRead { bytes: before, .. }) = &read else {
        return Err(
            Failure::new(format!("{}: there is no such file", file.display()))
                .hint("--file takes a path in the model directory, such as config.json"),
        );
    };
    if is_lfs_pointer(before) {
        return Err(Failure::new(format!(
            "{}: is a Git LFS pointer, not the file",
            file.display()
        ))
        .hint("git lfs pull fetches it"));
    }
    let edits = patch
        .edits(before)
        .map_err(|error| Failure::new(open::located(&file, &error)).hint("nothing was changed"))?;
    let after = edits.apply(before);
    if after == *before {
        say("Nothing to do: the file is so already.\n");
        return Ok(Status::Done);
    }
    let change = FileChange {
        path: name.clone(),
        before: Before::Present {
            digest: Digest::of(before),
            len: before.len() as u64,
        },
        action: Action::Edit(edits.clone()),
    };
    let plan = FilePlan {
        path: name.clone(),
        before: Some(before.clone()),
        after: Some(after),
        edits: Some(edits),
        operations: patch.operations().to_vec(),
        fixes: Vec::new(),
    };
    let files = [plan];
    if args.format == Format::Human {
        print(&change::diff(&files))?;
    }
    if args.change.dry_run {
        if args.format == Format::Json {
            print_json(&json::PatchDocument::new(&args.directory, &files))?;
        }
        return Ok(Status::Findings);
    }
    if !args.change.yes && !confirm("Apply?")? {
        say("Nothing was changed.\n");
        return Ok(Status::Done);
    }
    let label = Label {
        verb: "patch".to_owned(),
        fixes: Vec::new(),
        command_line: run::command_line(),
    };
    let request = Request {
        changes: vec![change],
        consulted: Vec::new(),
        label,
    };
    let applied = store::apply(&args.directory, &request, &apply::options(&args.change))
        .map_err(open::store_failure)?;
    apply::report(&args.directory, args.format, false, &applied);
    Ok(Status::Done)
}

/// The path without `./` and doubled slashes.
fn plain(file: &str) -> String {
    let parts = file.split('/').enumerate();
    let kept = parts.filter(|(at, part)| *part != "." && (*at == 0 || !part.is_empty()));
    kept.map(|(_, part)| part).collect::<Vec<_>>().join("/")
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(path).map(|text| bytes = text)
    };
    read.map(|()| bytes)
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}
