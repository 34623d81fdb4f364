//! A program to run, how it ended, and the watchdog that ends one that hangs.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::Result;

/// A program that runs longer than this hangs: a run takes milliseconds.
const LIMIT: Duration = Duration::from_secs(60);

/// A program with its arguments.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// The program and its arguments.
    pub(crate) words: Vec<String>,
    /// Variables set besides the suite's own.
    pub(crate) environment: Vec<(String, String)>,
    /// User and group to run as; the suite's own without.
    pub(crate) user: Option<u32>,
    /// The working directory.
    pub(crate) folder: PathBuf,
    /// Where both outputs go.
    pub(crate) log: PathBuf,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// With this status.
    Exit(i32),
    /// By this signal.
    Signal(i32),
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exit(status) => write!(f, "exit {status}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// A run that is over.
#[derive(Debug, Clone)]
pub(crate) struct Ended {
    /// How.
    pub(crate) end: End,
    /// What it printed, both streams.
    pub(crate) output: String,
}

impl Ended {
    /// Whether it exited with this status.
    pub(crate) fn exited(&self, status: i32) -> bool {
        self.end == End::Exit(status)
    }

    /// How it ended, with the last line that it printed.
    pub(crate) fn describe(&self) -> String {
        let last = self.output.lines().rfind(|line| !line.trim().is_empty());
        let last: String = last
            .unwrap_or("nothing printed")
            .chars()
            .take(160)
            .collect();
        format!("{} ({last})", self.end)
    }
}

impl Program {
    /// As it can be pasted into a shell.
    pub(crate) fn shell(&self) -> String {
        let quoted = |word: &String| {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=@,:".contains(c);
            if !word.is_empty() && word.chars().all(plain) {
                word.clone()
            } else {
                format!("'{}'", word.replace('\'', "'\\''"))
            }
        };
        let variables = self
            .environment
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let words = self.words.iter().map(quoted);
        variables.chain(words).collect::<Vec<_>>().join(" ")
    }

    /// The command, with `launcher` before it where one is given.
    pub(crate) fn command(&self, launcher: &[&str]) -> Result<Command> {
        let mut words = launcher
            .iter()
            .copied()
            .chain(self.words.iter().map(String::as_str));
        let mut command = Command::new(words.next().ok_or("no program")?);
        let log = File::create(&self.log)?;
        command
            .args(words)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        Ok(command)
    }

    /// Runs it to its end.
    pub(crate) fn run(&self) -> Result<Ended> {
        let mut child = self.command(&[])?.spawn()?;
        let watched = watch(Pid::from_raw(i32::try_from(child.id())?));
        let status = child.wait()?;
        drop(watched);
        let end = match (status.code(), status.signal()) {
            (Some(code), _) => End::Exit(code),
            (None, signal) => End::Signal(signal.unwrap_or(0)),
        };
        Ok(self.ended(end))
    }

    pub(super) fn ended(&self, end: End) -> Ended {
        let output = std::fs::read(&self.log).unwrap_or_default();
        Ended {
            end,
            output: String::from_utf8_lossy(&output).into_owned(),
        }
    }
}

/// Runs a helper of the suite and asks that it succeeds.
pub(crate) fn helper(program: &str, arguments: &[&Path]) -> Result<()> {
    let output = Command::new(program).args(arguments).output()?;
    if output.status.success() {
        return Ok(());
    }
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!("{program} {arguments:?}: {}", error.trim()).into())
}

static RUNNING: LazyLock<Mutex<HashMap<i32, Instant>>> = LazyLock::new(|| {
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            for (pid, since) in running.iter() {
                if since.elapsed() > LIMIT {
                    let _ = kill(Pid::from_raw(*pid), Signal::SIGKILL);
                }
            }
        }
    });
    Mutex::new(HashMap::new())
});

/// Ends the process if it is still there after [`LIMIT`]; dropped, the watch is over.
pub(super) fn watch(pid: Pid) -> Watched {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.insert(pid.as_raw(), Instant::now());
    Watched(pid.as_raw())
}

/// A process under the watchdog.
#[derive(Debug)]
pub(super) struct Watched(i32);

impl Drop for Watched {
    fn drop(&mut self) {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.remove(&self.0);
    }
}
