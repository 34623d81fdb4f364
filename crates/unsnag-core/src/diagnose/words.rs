//! Words of engines that say how a line is meant: wrappers, harmless announcements, readiness, ends.

/// Wrappers say that something failed and never what.
const WRAPPERS: [&str; 21] = [
    "Engine core initialization failed",
    "WorkerProc initialization failed",
    "WorkerProc failed to start",
    "See root cause above",
    "See stack trace above",
    "Failed core proc",
    "EngineDeadError",
    "EngineCore encountered",
    "EngineCore failed to start",
    "EngineCore hit an exception",
    "ActorDiedError",
    "BrokenPipeError",
    "Parent process exited",
    "died unexpectedly",
    "Child job 2 terminated",
    "Executor worker",
    "Received sigquit from a child process",
    "scheduler is dead",
    "Engine process failed to start",
    "Cancelled by user",
    "ExceptionGroup: ",
];

/// Lines before tracebacks that engines print on purpose and live on after.
const HARMLESS: [&str; 4] = [
    "Fallback to regular model init",
    "Exception ignored in",
    "falling back to",
    "Falling back to",
];

/// What engines print when they serve.
const READY: [&str; 4] = [
    "Application startup complete",
    "The server is fired up",
    "server is listening on",
    "Connected to target server",
];

/// What ends a program without an exception.
const ENDS: [&str; 9] = [
    "error loading model",
    "failed to load model",
    ": error: ",
    "terminate called",
    "Segmentation fault",
    "panicked at",
    "Killed",
    "Bus error",
    "Error: ",
];

fn has(words: &[&str], text: &str) -> bool {
    words.iter().any(|words| text.contains(words))
}

/// Whether the text never is a cause.
pub(super) fn is_wrapper(text: &str) -> bool {
    has(&WRAPPERS, text) || (text.contains("Call to ") && text.ends_with(" method failed"))
}

/// Whether a traceback that follows is meant to be there.
pub(super) fn is_harmless(text: &str) -> bool {
    has(&HARMLESS, text)
}

/// Whether the engine serves from here on.
pub(super) fn is_ready(text: &str) -> bool {
    has(&READY, text)
}

/// Whether the line ends a program, whatever it says.
pub(super) fn is_end(text: &str) -> bool {
    has(&ENDS, text) || text.starts_with("error:")
}
