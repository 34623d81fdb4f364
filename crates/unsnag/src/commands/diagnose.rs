//! `diagnose`: from an engine's log to its root cause and the cure.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use unsnag_core::check::check;
use unsnag_core::diagnose::{Log, Symptoms, diagnose, read};
use unsnag_core::fix::Catalogue;
use unsnag_core::target::Target;
use unsnag_core::view::{Directory, Overlay, View};

use crate::args::{DiagnoseArgs, Format, TargetArgs};
use crate::exit::{Failure, Outcome, Status};
use crate::output::{print, print_json};
use crate::report::{diagnosis, json};
use crate::target;

/// Runs the verb.
pub fn run(args: &DiagnoseArgs, catalogue: &Catalogue) -> Outcome {
    let (directories, logs): (Vec<&PathBuf>, Vec<&PathBuf>) =
        args.paths.iter().partition(|path| path.is_dir());
    let log = match logs.as_slice() {
        [] => read_log(Path::new("-"), Box::new(io::stdin().lock()))?,
        [one] if one.as_os_str() == "-" => read_log(Path::new("-"), Box::new(io::stdin().lock()))?,
        files => read_files(files)?,
    };
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
        ))?,
        Format::Json => print_json(&json::DiagnosisDocument::new(
            &log,
            &diagnosis,
            &target,
            report.is_some(),
        ))?,
    }
    Ok(if diagnosis.failed {
        Status::Findings
    } else {
        Status::Done
    })
}

fn read_log(path: &Path, mut input: Box<dyn Read + '_>) -> Result<Log, Failure> {
    let failed = |error: &io::Error| Failure::new(format!("{}: {error}", path.display()));
    let mut start = [0; 2];
    let mut filled = 0;
    while filled < 2 {
        match input.read(start.get_mut(filled..).unwrap_or_default()) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(failed(&error)),
        }
    }
    let start = start.get(..filled).unwrap_or_default();
    let whole = start.chain(input);
    let log = if start == [0x1f, 0x8b] {
        read(MultiGzDecoder::new(BufReader::new(whole)))
    } else {
        read(whole)
    };
    log.map_err(|error| failed(&error))
}

/// Several files are one log, in the order given.
fn read_files(files: &[&PathBuf]) -> Result<Log, Failure> {
    let mut whole: Box<dyn Read> = Box::new(io::empty());
    for path in files {
        let failed = |error: &io::Error| Failure::new(format!("{}: {error}", path.display()));
        let mut file = File::open(path).map_err(|error| failed(&error))?;
        if files.len() == 1 {
            return read_log(path, Box::new(file));
        }
        let mut start = [0; 2];
        let filled = file.read(&mut start).map_err(|error| failed(&error))?;
        let start = io::Cursor::new(start.get(..filled).unwrap_or_default().to_vec());
        let gzip = start.get_ref() == &[0x1f, 0x8b];
        let file = start.chain(file);
        let file: Box<dyn Read> = if gzip {
            Box::new(MultiGzDecoder::new(BufReader::new(file)))
        } else {
            Box::new(file)
        };
        whole = Box::new(whole.chain(file));
    }
    read_log(Path::new("logs"), whole)
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
