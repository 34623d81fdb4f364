//! The proof by injection that nothing is ever lost: the command is killed, starved, interrupted and cut from power at each system call, and what is
//! left must be exactly the state before or exactly the state after.
//!
//! `tests/crash/run` starts it; words on the command line choose the lines that have them all, `--all` takes the whole matrix.

#![allow(clippy::disallowed_methods)] // The suite makes the trees that it breaks.
#![cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), allow(unused))]

/// What can go wrong in the suite itself.
type Error = Box<dyn std::error::Error + Send + Sync>;
/// The suite's own results.
type Result<T> = std::result::Result<T, Error>;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod engine;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod lines;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod modes;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod report;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod scenario;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod suite;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod tree;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() -> std::process::ExitCode {
    suite::main()
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() -> std::process::ExitCode {
    use std::io::Write as _;
    let _ = writeln!(
        std::io::stdout(),
        "skipped: the tracer knows system calls of Linux on x86_64 only\n0 passed, 0 failed, 1 skipped"
    );
    std::process::ExitCode::SUCCESS
}
