//! Writing to standard output and error: whole texts, with a closed pipe or a full disk as an ordinary result.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use serde::Serialize;

use crate::exit::Failure;

/// Writes findings to standard output.
///
/// # Errors
/// Standard output cannot be written.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::new(format!("standard output: {error}")))
}

/// Writes a path and a newline to standard output, byte by byte as it is.
///
/// # Errors
/// Standard output cannot be written.
pub fn print_path(path: &Path) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(path.as_os_str().as_bytes())
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush())
        .map_err(|error| Failure::new(format!("standard output: {error}")))
}

/// Writes a JSON document and a newline to standard output.
///
/// # Errors
/// Standard output cannot be written.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Failure::new(format!("JSON output: {error}")))?;
    print(&(text + "\n"))
}

/// Says something about the run on standard error. That nobody can read it changes nothing.
pub fn say(text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

/// Asks on the terminal; anything but an explicit yes is no.
///
/// # Errors
/// Standard input is not a terminal, or cannot be read.
pub fn confirm(question: &str) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::new(
            "standard input is not a terminal, so nobody can be asked; nothing was changed",
        )
        .hint("--yes does it without asking, --dry-run only shows it"));
    }
    say(&format!("{question} [y/N] "));
    let mut answer = String::new();
    io::stdin()
        .read_line(&mut answer)
        .map_err(|error| Failure::new(format!("standard input: {error}")))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// A command of this program on a directory, to be pasted into a shell.
pub fn command(verb: &str, directory: &Path, words: &[&str]) -> String {
    let mut line = format!("unsnag {verb} {}", quoted_path(directory));
    for word in words {
        line.push(' ');
        line.push_str(&quoted(word));
    }
    line
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    quoted_bytes(word.as_bytes())
}

/// A path as a shell takes it, and no program takes it for a flag.
pub fn quoted_path(path: &Path) -> String {
    let bytes = path.as_os_str().as_bytes();
    if bytes.starts_with(b"-") {
        quoted_bytes(&[b"./", bytes].concat())
    } else {
        quoted_bytes(bytes)
    }
}

fn quoted_bytes(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(word) if !word.chars().any(char::is_control) => {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@=,+%".contains(c);
            if !word.is_empty() && word.chars().all(plain) {
                word.to_owned()
            } else {
                format!("'{}'", word.replace('\'', r"'\''"))
            }
        }
        // What a terminal would not show, in the form of bash, zsh and POSIX 2024.
        _ => {
            let mut word = "$'".to_owned();
            for byte in bytes {
                match byte {
                    b'\'' | b'\\' => word.extend(['\\', char::from(*byte)]),
                    b' '..=b'~' => word.push(char::from(*byte)),
                    _ => {
                        let _ = write!(word, "\\{byte:03o}");
                    }
                }
            }
            word + "'"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_shell() {
        assert_eq!(quoted("a/b-c.d"), "a/b-c.d");
        assert_eq!(quoted("my model"), "'my model'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("--gpu=sm120"), "--gpu=sm120");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("a\nb's"), r"$'a\012b\'s'");
    }

    #[test]
    fn paths_for_a_shell() {
        let path = |bytes: &[u8]| quoted_path(Path::new(std::ffi::OsStr::from_bytes(bytes)));
        assert_eq!(path(b"models/a"), "models/a");
        assert_eq!(path(b"-d2"), "./-d2");
        assert_eq!(path(b"\xff m"), r"$'\377 m'");
        assert_eq!(
            command("revert", Path::new("-my model"), &["--all"]),
            "unsnag revert './-my model' --all"
        );
    }
}
