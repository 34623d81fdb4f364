//! `diagnose`: from an engine's log to its root cause and the cure.

use std::path::PathBuf;

use unsnag_core::check::check;
use unsnag_core::diagnose::{Log, Symptoms, diagnose};
use unsnag_core::fix::Catalogue;
use unsnag_core::target::Target;
use unsnag_core::view::{Directory, Overlay, View};

use crate::args::{DiagnoseArgs, Format, TargetArgs};
use crate::exit::{Failure, Outcome, Status};
use crate::output::{print, print_json, say};
use crate::report::{diagnosis, json};
use crate::target;

pub(crate) mod source;

use source::{Early, SEND, read_logs};

/// Runs the verb.
pub fn run(args: &DiagnoseArgs, catalogue: &Catalogue) -> Outcome {
    let (directories, logs): (Vec<&PathBuf>, Vec<&PathBuf>) =
        args.paths.iter().partition(|path| path.is_dir());
    let (log, early) = read_logs(&logs)?;
    remarks(&log, &early);
    let target = under(&log, &args.target, catalogue)?;
    let named = directories.first().map(|path| (*path).clone());
    let said = log
        .facts
        .model
        .as_ref()
        .map(PathBuf::from)
        .filter(|path| path.is_dir());
    let directory = named
        .or(said)
        .and_then(|path| Directory::open(&path).ok())
        .filter(Directory::is_model_directory);
    let symptoms = Symptoms::new(catalogue);
    let overlay = Overlay::default();
    let view = directory
        .as_ref()
        .map(|directory| View::new(directory, &overlay));
    let report = view.as_ref().map(|view| check(view, &target, catalogue));
    let diagnosis = diagnose(&log, &symptoms, &target, report.as_ref());
    let place = directory.as_ref().map_or_else(
        || "DIR".to_owned(),
        |directory| directory.path().display().to_string(),
    );
    match args.format {
        Format::Human => print(&diagnosis::human(
            &log,
            &diagnosis,
            &target,
            &place,
            directory.is_some(),
            !early.is_empty(),
        ))?,
        Format::Json => print_json(&json::DiagnosisDocument::new(
            &log,
            &diagnosis,
            &target,
            report.is_some(),
            &early,
        ))?,
    }
    Ok(if diagnosis.failed {
        Status::Findings
    } else {
        Status::Done
    })
}

/// Says what of the log could not be read, and that an empty one proves nothing.
fn remarks(log: &Log, early: &[Early]) {
    for early in early {
        say(&format!(
            "warning: {}: {} at byte {}; the {} lines before are diagnosed\nhint: {SEND}\n",
            early.file, early.because, early.byte, early.lines
        ));
    }
    if log.empty {
        say(
            "warning: the log is empty\nhint: engines write their errors to standard error, which a pipe leaves out: docker logs NAME 2>&1 | unsnag diagnose\n",
        );
    }
}

/// The target that flags name; what they leave open, the log says. Nothing is detected on this machine.
fn under(log: &Log, args: &TargetArgs, catalogue: &Catalogue) -> Result<Target, Failure> {
    let facts = &log.facts;
    let mut args = TargetArgs {
        no_detect: true,
        ..args.clone()
    };
    let named = args.engine.clone().unwrap_or_default();
    let same = |name: &str| named.is_empty() || named == name;
    if let Some(engine) = facts.engine.filter(|engine| same(engine.name())) {
        args.engine = Some(match &facts.version {
            Some(version) => format!("{engine}@{version}"),
            None => engine.to_string(),
        });
    }
    if args.gpu.iter().all(String::is_empty)
        && let Some(gpu) = &facts.gpu
    {
        args.gpu = vec![gpu.to_string()];
    }
    if args.with.is_empty() {
        args.with = facts
            .with
            .iter()
            .map(|(library, version)| format!("{library}@{version}"))
            .collect();
    }
    if let Some(arguments) = &facts.arguments
        && args.command.is_empty()
    {
        args.command = words(arguments);
    }
    target::resolve(&args, catalogue)
}

/// `{'speculative_config': {...}, 'kv_cache_dtype': 'fp8'}` as flags.
fn words(arguments: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in arguments.trim_matches(['{', '}']).split(", '") {
        if let Some((name, value)) = part.split_once(':') {
            words.push(format!(
                "--{}",
                name.trim_matches(['\'', ' ', '"']).replace('_', "-")
            ));
            words.push(value.trim_matches(['\'', ' ', '"']).to_owned());
        }
    }
    words
}
