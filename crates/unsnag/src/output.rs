//! Writing to standard output and error: whole texts, with a closed pipe or a full disk as an ordinary result.

use std::io::{self, IsTerminal, Write};

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

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@=,+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_for_a_shell() {
        assert_eq!(quoted("a/b-c.d"), "a/b-c.d");
        assert_eq!(quoted("my model"), "'my model'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("--gpu=sm120"), "--gpu=sm120");
        assert_eq!(quoted(""), "''");
    }
}
