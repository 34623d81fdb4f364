//! An exception as a log shows it.

/// An exception that ended something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Its line in the log, from 1.
    pub line: u64,
    /// The service, where a compose log says it.
    pub service: String,
    /// The process, where the log says it.
    pub process: String,
    /// Its class, such as `ValueError`; empty where the line has no class.
    pub kind: String,
    /// What it says, a line each, with the number of the line.
    pub message: Vec<(u64, String)>,
    /// The innermost frame: file, line, function.
    pub frame: Option<String>,
    /// Modules of the traceback, outermost first.
    pub modules: Vec<String>,
    /// The last lines before it of the same process, with their numbers.
    pub context: Vec<(u64, String)>,
    /// How many times the same came from other processes.
    pub repeated: u64,
}

impl Failure {
    /// The first line of what it says.
    pub(super) fn first(&self) -> &str {
        self.message.first().map_or("", |(_, text)| text)
    }

    /// All that it says.
    pub(super) fn whole(&self) -> String {
        let lines: Vec<&str> = self.message.iter().map(|(_, text)| text.as_str()).collect();
        lines.join("\n")
    }

    /// By which the same is known when another worker says it: without numbers.
    pub(super) fn key(&self) -> String {
        let first = self.first().chars().take(400);
        let plain: String = first.filter(|c| !c.is_ascii_digit()).collect();
        format!("{}: {plain}", self.kind)
    }
}

/// Class and message of an exception line: `vllm.x.SomeError: text`, `ValueError("text")`.
pub(super) fn exception(text: &str) -> Option<(String, String)> {
    let text = text.trim_start_matches('*');
    let end = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))
        .unwrap_or(text.len());
    let (path, rest) = text.split_at(end);
    let class = path.rsplit('.').next()?;
    let named = class.starts_with(|c: char| c.is_ascii_uppercase())
        && (class.ends_with("Error")
            || class.ends_with("Exception")
            || class.ends_with("OutOfResources"));
    if !named || class == "Error" {
        return None;
    }
    let message = match rest.chars().next() {
        None => String::new(),
        Some(':') => rest.get(1..)?.trim().to_owned(),
        Some('(') => rest
            .trim_matches(['(', ')'])
            .trim_matches(['"', '\''])
            .to_owned(),
        Some(_) => return None,
    };
    Some((class.to_owned(), message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exception_lines() {
        for (line, kind, message) in [
            ("ValueError: x", "ValueError", "x"),
            ("a.b.SomeError: x: y", "SomeError", "x: y"),
            ("ValueError(\"x\")", "ValueError", "x"),
            (
                "**OutOfResources: shared memory",
                "OutOfResources",
                "shared memory",
            ),
            ("AssertionError", "AssertionError", ""),
        ] {
            assert_eq!(
                exception(line),
                Some((kind.to_owned(), message.to_owned())),
                "{line}"
            );
        }
        for line in [
            "Error: x",
            "an Error: x",
            "error_bars: none",
            "ValueError is raised",
            "",
        ] {
            assert_eq!(exception(line), None, "{line}");
        }
    }
}
