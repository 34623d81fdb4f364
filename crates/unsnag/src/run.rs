//! What the command knows of its own run: the command line, the clock, signals.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use unsnag_core::store::{self, Timestamp};

use crate::output::say;

/// The words of the command line, for the history.
pub fn command_line() -> Vec<String> {
    std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

/// What the store is told about the run. SIGINT and SIGTERM ask it to undo and stop; a second one ends the process at once.
pub fn options() -> store::Options {
    let interrupt = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(&interrupt));
        let _ = signal_hook::flag::register(signal, Arc::clone(&interrupt));
    }
    store::Options {
        interrupt: Some(interrupt),
        force_portable: std::env::var_os("UNSNAG_FORCE_PORTABLE").is_some_and(|value| value == "1"),
        now: Timestamp::now(),
        waiting: Some(waiting),
        ..store::Options::default()
    }
}

/// Says that another process is at work in the directory.
pub fn waiting() {
    say("waiting for another unsnag that is at work in this directory\n");
}
