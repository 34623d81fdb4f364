//! The run: command line, two workers, lines in order, the closing count.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use crate::Result;
use crate::engine::tracer::{LAUNCH, launch};
use crate::lines::{Line, lines};
use crate::report::Tally;
use crate::scenario::Lab;

/// One for each core of the machine that runs this for every change.
const WORKERS: usize = 2;

/// What stands on the command line.
#[derive(Debug, Default)]
struct Arguments {
    all: bool,
    list: bool,
    keep: bool,
    filters: Vec<String>,
}

/// Runs the suite, or becomes a program to be traced.
pub(crate) fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == LAUNCH) {
        let (error, status) = launch(&words[1..]);
        let _ = writeln!(std::io::stderr(), "{error}");
        return ExitCode::from(u8::try_from(status).unwrap_or(127));
    }
    let mut arguments = Arguments::default();
    for word in words {
        match word.as_str() {
            "--all" => arguments.all = true,
            "--list" => arguments.list = true,
            "--keep" => arguments.keep = true,
            _ if word.starts_with('-') => {
                let _ = writeln!(
                    std::io::stderr(),
                    "error: {word}: expected --all, --list, --keep, or words of the names of lines"
                );
                return ExitCode::from(2);
            }
            _ => arguments.filters.push(word),
        }
    }
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool> {
    let mut lines = lines(arguments.all);
    let wanted = |line: &Line| {
        let has = |word: &String| line.name.split(' ').any(|part| part == word);
        arguments.filters.iter().all(has)
    };
    lines.retain(wanted);
    let mut out = std::io::stdout();
    if arguments.list {
        for line in &lines {
            writeln!(out, "{}", line.name)?;
        }
        return Ok(true);
    }
    let began = Instant::now();
    let programs = tempfile::Builder::new().prefix("unsnag-crash-").tempdir()?;
    let trees = tempfile::Builder::new()
        .prefix("unsnag-crash-")
        .tempdir_in(memory())?;
    let lab = lab(programs.path(), trees.path())?;
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for_each(&lines, &lab, |line, tally| {
        passed += tally.passed;
        failed += tally.failures.len();
        skipped += usize::from(tally.skipped.is_some());
        writeln!(out, "{}: {tally}", line.name)?;
        Ok(out.flush()?)
    })?;
    if arguments.keep {
        writeln!(
            out,
            "kept: {} {}",
            programs.keep().display(),
            trees.keep().display()
        )?;
    }
    writeln!(out, "{:.0} s", began.elapsed().as_secs_f64())?;
    writeln!(out, "{passed} passed, {failed} failed, {skipped} skipped")?;
    Ok(failed == 0)
}

/// Bytes that the trees and images of two lines at once need, with room.
const ROOM: u64 = 1 << 30;

/// Trees are made in memory where that is to be had: a kill loses nothing of the page cache, and power cuts have disks of their own.
fn memory() -> PathBuf {
    let shared = Path::new("/dev/shm");
    let room = rustix::fs::statvfs(shared).is_ok_and(|stat| stat.f_bavail * stat.f_frsize > ROOM);
    if room && tempfile::tempfile_in(shared).is_ok() {
        shared.to_owned()
    } else {
        std::env::temp_dir()
    }
}

/// Copies what every user of a scenario must be able to run and read.
fn lab(programs: &Path, trees: &Path) -> Result<Lab> {
    for folder in [programs, trees] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
    }
    let program = |from: &Path, name: &str| -> Result<String> {
        let to = programs.join(name);
        fs::copy(from, &to)?;
        fs::set_permissions(&to, fs::Permissions::from_mode(0o755))?;
        Ok(to.display().to_string())
    };
    let fixes = programs.join("fixes");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/crash/fixes");
    fs::create_dir(&fixes)?;
    crate::scenario::bench::copy(&own, &fixes)?;
    crate::engine::process::helper("chmod", &[Path::new("-R"), Path::new("a+rX"), &fixes])?;
    Ok(Lab {
        unsnag: program(Path::new(env!("CARGO_BIN_EXE_unsnag")), "unsnag")?,
        launcher: program(&std::env::current_exe()?, "launcher")?,
        fixes,
        folder: trees.to_owned(),
    })
}

/// Runs the lines on the workers and hands out what they found, in order.
fn for_each(
    lines: &[Line],
    lab: &Lab,
    mut done: impl FnMut(&Line, &Tally) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(line) = lines.get(number) else {
                        return;
                    };
                    let tally = one(line, lab, number);
                    if sender.send((number, tally)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut shown = 0;
        for (number, tally) in receiver {
            waiting.insert(number, tally);
            while let Some(tally) = waiting.remove(&shown) {
                if let Some(line) = lines.get(shown) {
                    done(line, &tally)?;
                }
                shown += 1;
            }
        }
        Ok(())
    })
}

/// One line. What the suite itself cannot do is a failure, unless it says that it skips.
fn one(line: &Line, lab: &Lab, number: usize) -> Tally {
    let place = lab.folder.join(format!("line-{number}"));
    let tally = fs::create_dir(&place)
        .map_err(Into::into)
        .and_then(|()| (line.run)(lab, &place));
    let tally = tally.unwrap_or_else(|error| {
        let text = error.to_string();
        match text.strip_prefix("skipped: ") {
            Some(reason) => Tally::skipped(reason),
            None => {
                let mut tally = Tally::default();
                tally.fail("broken", text);
                tally
            }
        }
    });
    if tally.failures.is_empty() {
        let _ = fs::remove_dir_all(&place);
    }
    tally
}
