//! One line of a log without what logging puts around it: colours, container and service prefixes, the engine's own prefix.

use std::borrow::Cow;

/// The longest part of a line that is kept, in bytes.
pub(super) const LONGEST: usize = 16 * 1024;

/// A line, undressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line<'t> {
    /// The service that a compose log names, or nothing.
    pub(super) service: String,
    /// Which process wrote it: `Worker_TP4 pid=77`, `rank1`, or nothing.
    pub(super) process: String,
    /// Whether nothing stood around the message, so that it may continue the line before.
    pub(super) bare: bool,
    /// Whether it is marked as harmless: DEBUG, INFO or WARNING.
    pub(super) quiet: bool,
    /// Whether it is marked as an error.
    pub(super) loud: bool,
    /// The message, with its indentation.
    pub(super) text: Cow<'t, str>,
}

impl Line<'_> {
    /// What tells its writer from others.
    pub(super) fn writer(&self) -> String {
        format!("{}/{}", self.service, self.process)
    }
}

/// Undresses a line.
pub(super) fn undress(bytes: &[u8]) -> Line<'_> {
    let bytes = bytes.get(..LONGEST).unwrap_or(bytes);
    let text = plain(bytes);
    let text = match json_message(&text) {
        Some(message) => Cow::Owned(message),
        None => text,
    };
    let mut rest: &str = &text;
    let mut process = String::new();
    let (mut quiet, mut loud) = (false, false);
    let name;
    (name, rest) = service(rest);
    let service = name.to_owned();
    let inner = rest;
    for _ in 0..6 {
        let before = rest;
        if let Some((name, after)) = named(rest) {
            process = name.to_owned();
            rest = after;
        }
        if let Some((name, after)) = rank(rest) {
            process = name.to_owned();
            rest = after;
        }
        if let Some((level, after)) = level(rest) {
            quiet = matches!(level, Level::Quiet);
            loud = matches!(level, Level::Loud);
            rest = after;
        }
        if let Some(after) = stamped(rest) {
            rest = after;
        }
        if rest == before {
            break;
        }
    }
    let bare = rest.len() == inner.len();
    let start = text.len() - rest.len();
    let text = match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(start..).unwrap_or_default()),
        Cow::Owned(text) => Cow::Owned(text.get(start..).unwrap_or_default().to_owned()),
    };
    Line {
        service,
        process,
        bare,
        quiet,
        loud,
        text,
    }
}

/// UTF-8 with what is not replaced, without colours, NULs, and what a carriage return overwrote.
fn plain(bytes: &[u8]) -> Cow<'_, str> {
    let trimmed = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    let visible = trimmed
        .iter()
        .rposition(|byte| *byte == b'\r')
        .map_or(trimmed, |at| trimmed.get(at + 1..).unwrap_or_default());
    let text = String::from_utf8_lossy(visible);
    if !text.contains(['\u{1b}', '\0']) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\u{1b}' => {
                if rest.as_str().starts_with('[') {
                    for c in rest.by_ref().skip(1) {
                        if ('@'..='~').contains(&c) {
                            break;
                        }
                    }
                }
            }
            '\0' => {}
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The message of a line that is a JSON object, as JSON log formats write it.
fn json_message(text: &str) -> Option<String> {
    let trimmed = text.trim();
    if !trimmed.starts_with('{') || !trimmed.ends_with('}') {
        return None;
    }
    let document = json_splice::Document::parse(trimmed.as_bytes()).ok()?;
    let root = document.root();
    let message = ["message", "msg", "log", "text"]
        .iter()
        .find_map(|key| root.get(key)?.as_str())?;
    let level = ["level", "levelname", "severity"]
        .iter()
        .find_map(|key| root.get(key)?.as_str());
    let message = message.trim_end_matches('\n').to_owned();
    Some(match level {
        Some(level) => format!("{} 01-01 00:00:00 [json:1] {message}", level.to_uppercase()),
        None => message,
    })
}

/// `vllm  | `, `2026-01-01T00:00:00Z stderr F `, `Jan 01 00:00:00 host vllm[12]: `, `pod/name-0 container `.
fn service(text: &str) -> (&str, &str) {
    let mut rest = text;
    let mut service = "";
    if let Some((name, after)) = rest.split_once('|')
        && after.starts_with(' ')
        && !name.trim().is_empty()
        && name.len() < 64
        && name
            .trim()
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
    {
        service = name.trim();
        rest = after.get(1..).unwrap_or_default();
    }
    if let Some(after) = journald(rest) {
        rest = after;
    }
    if let Some((stamp, after)) = rest.split_once(' ')
        && is_rfc3339(stamp)
    {
        rest = after;
        for stream in ["stdout F ", "stderr F ", "stdout P ", "stderr P "] {
            rest = rest.strip_prefix(stream).unwrap_or(rest);
        }
    }
    if let Some(after) = rest.strip_prefix("[pod/")
        && let Some((_, after)) = after.split_once("] ")
    {
        rest = after;
    }
    (service, rest)
}

fn is_rfc3339(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.len() >= 19
        && bytes.get(4) == Some(&b'-')
        && bytes.get(10) == Some(&b'T')
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_digit() || b"-:.TZ+".contains(byte))
}

/// `Jan 01 00:00:00 host name[12]: message`
fn journald(text: &str) -> Option<&str> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    if !MONTHS.iter().any(|month| text.starts_with(month)) {
        return None;
    }
    let (head, after) = text.split_once("]: ")?;
    (head.len() < 120 && head.contains('[') && head.split_whitespace().count() >= 5)
        .then_some(after)
}

/// `(Worker_TP4_EP4 pid=2532) `, `(EngineCore_DP0 pid=7, ip=10.0.0.1) `.
fn named(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('(')?;
    let (name, after) = inner.split_once(')')?;
    (name.len() < 80 && name.contains("pid="))
        .then(|| (name, after.strip_prefix(' ').unwrap_or(after)))
}

/// `[rank0]: `, `[2026-01-01 00:00:00 TP3] `, `[RANK 2] `, `[1,2]<stderr>:`.
fn rank(text: &str) -> Option<(&str, &str)> {
    if let Some(after) = text.strip_prefix("[rank") {
        let (number, after) = after.split_once("]:")?;
        let whole = text.get(1..5 + number.len())?;
        return number
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| (whole, after.strip_prefix(' ').unwrap_or(after)));
    }
    if let Some(after) = text.strip_prefix("[RANK ") {
        let (number, after) = after.split_once(']')?;
        return Some((number, after.strip_prefix(' ').unwrap_or(after)));
    }
    if let Some(after) = text.strip_prefix("[1,")
        && let Some((number, after)) = after.split_once("]<std")
    {
        let (_, after) = after.split_once(">:")?;
        return Some((number, after));
    }
    None
}

enum Level {
    Quiet,
    Loud,
}

/// `ERROR 12-29 15:21:11 [multiproc_executor.py:751] `, `ERROR 03-03 07:43:54 engine.py:400] `, `WARNING:root:`, `ERROR:    `, `E0101 ...`.
fn level(text: &str) -> Option<(Level, &str)> {
    const LEVELS: [(&str, bool); 7] = [
        ("DEBUG", false),
        ("INFO", false),
        ("WARNING", false),
        ("WARN", false),
        ("ERROR", true),
        ("CRITICAL", true),
        ("FATAL", true),
    ];
    let (name, loud) = LEVELS
        .into_iter()
        .find(|(name, _)| text.starts_with(name))?;
    let level = || if loud { Level::Loud } else { Level::Quiet };
    let rest = text.get(name.len()..)?;
    if let Some(after) = rest.strip_prefix(':') {
        let after =
            after.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "._".contains(c));
        return Some((
            level(),
            after
                .strip_prefix(':')
                .unwrap_or(after)
                .trim_start_matches(' '),
        ));
    }
    let stamp = rest.strip_prefix(' ')?;
    let dated = stamp.as_bytes().get(..14)?;
    if !dated
        .iter()
        .all(|byte| byte.is_ascii_digit() || b"-: ".contains(byte))
    {
        return None;
    }
    let after = stamp.get(14..)?;
    let after = after.split_once(']').map_or(
        after,
        |(head, after)| if head.len() < 90 { after } else { stamp },
    );
    Some((level(), after.strip_prefix(' ').unwrap_or(after)))
}

/// `[2026-01-01 00:00:00 TP3] `, `[01/02/2026-03:04:05] [TRT-LLM] [E] `, `2026-01-01 00:00:00,123 - name - ERROR - `.
fn stamped(text: &str) -> Option<&str> {
    if let Some(inner) = text.strip_prefix('[') {
        let (head, after) = inner.split_once(']')?;
        let dated =
            head.len() >= 8 && head.len() < 60 && head.starts_with(|c: char| c.is_ascii_digit());
        let tagged = ["TRT-LLM", "TensorRT-LLM", "I", "W", "E", "_torch"].contains(&head);
        return (dated || tagged).then(|| after.strip_prefix(' ').unwrap_or(after));
    }
    let bytes = text.as_bytes();
    let dated = bytes.len() > 24
        && bytes.get(4) == Some(&b'-')
        && bytes.get(10) == Some(&b' ')
        && bytes.get(13) == Some(&b':');
    if dated && let Some((_, after)) = text.split_once(" - ERROR - ") {
        return Some(after);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(line: &str) -> (String, String) {
        let line = undress(line.as_bytes());
        (line.process.clone(), line.text.into_owned())
    }

    #[test]
    fn shapes_of_prefixes() {
        for (line, process, message) in [
            (
                "(Worker_TP4_EP4 pid=2532) ERROR 12-29 15:21:11 [multiproc_executor.py:751] ValueError: No",
                "Worker_TP4_EP4 pid=2532",
                "ValueError: No",
            ),
            (
                "\u{1b}[0;36m(EngineCore_DP0 pid=41305)\u{1b}[0;0m ValueError: x",
                "EngineCore_DP0 pid=41305",
                "ValueError: x",
            ),
            (
                "vllm  | (Worker_TP1 pid=77) ERROR 10-08 09:19:30 [v1/executor/multiproc_executor.py:671]   File \"a\"",
                "Worker_TP1 pid=77",
                "  File \"a\"",
            ),
            (
                "ERROR 03-03 07:43:54 engine.py:400] 'NoneType' object",
                "",
                "'NoneType' object",
            ),
            (
                "[rank0]: KeyError: 'lm_head.weight'",
                "rank0",
                "KeyError: 'lm_head.weight'",
            ),
            (
                "2026-01-01T00:00:00.123456789Z stderr F [2026-01-01 00:00:00 TP3] Scheduler hit an exception: x",
                "",
                "Scheduler hit an exception: x",
            ),
            (
                "[01/02/2026-03:04:05] [TRT-LLM] [E] [RANK 2] failed",
                "2",
                "failed",
            ),
            (
                "Jan 01 00:00:00 host vllm[12]: ValueError: x",
                "",
                "ValueError: x",
            ),
            (
                "{\"level\": \"error\", \"message\": \"ValueError: x\"}",
                "",
                "ValueError: x",
            ),
            ("loading 50%\rloading 100%\r", "", "loading 100%"),
        ] {
            assert_eq!(
                text(line),
                (process.to_owned(), message.to_owned()),
                "{line}"
            );
        }
    }

    #[test]
    fn levels_are_kept() {
        assert!(undress(b"WARNING 01-01 00:00:00 [a.py:1] x").quiet);
        assert!(undress(b"(EngineCore_0 pid=7) ERROR 01-01 00:00:00 [core.py:1] x").loud);
    }
}
