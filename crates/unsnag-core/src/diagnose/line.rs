//! One line of a log without what logging puts around it: colours, layers of containers and services, JSON records, the engine's own prefix.

use std::borrow::Cow;

mod container;
mod engine;
mod record;

pub(super) use record::{LONGEST as LONGEST_RECORD, may_be as may_be_record};

/// The longest part of a message that is kept, in bytes.
pub(super) const LONGEST: usize = 16 * 1024;
/// The most layers that are taken off. Nobody wraps a log so often.
const LAYERS: usize = 12;
/// The most lines of one record.
const PIECES: usize = 1000;

/// A line, undressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line<'t> {
    /// The service that a compose log names, or nothing.
    pub(super) service: &'t str,
    /// Which process wrote it: `Worker_TP4 pid=77`, `rank1`, or nothing.
    pub(super) process: &'t str,
    /// Whether no engine wrote anything around the message, so that it may continue the line before.
    pub(super) bare: bool,
    /// Whether it is marked as harmless: DEBUG, INFO or WARNING.
    pub(super) quiet: bool,
    /// Whether it is marked as an error.
    pub(super) loud: bool,
    /// The message, with its indentation.
    pub(super) text: &'t str,
}

impl Line<'_> {
    /// What tells its writer from others.
    pub(super) fn writer(&self) -> Writer {
        Writer {
            service: self.service.to_owned(),
            process: self.process.to_owned(),
        }
    }
}

/// Who wrote a line.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Writer {
    pub(super) service: String,
    pub(super) process: String,
}

/// Undresses a line, and gives what it says: one line, or several where a record holds them.
pub(super) fn undress(bytes: &[u8], each: &mut impl FnMut(&Line<'_>)) {
    let bare = Line {
        service: "",
        process: "",
        bare: true,
        quiet: false,
        loud: false,
        text: "",
    };
    peel(&plain(bytes), &bare, LAYERS, each);
}

/// Takes layers off from the outermost on; `outer` is what those before said.
fn peel(text: &str, outer: &Line<'_>, layers: usize, each: &mut impl FnMut(&Line<'_>)) {
    let mut line = Line {
        text,
        ..outer.clone()
    };
    let mut left = layers;
    while left > 0
        && let Some((service, rest)) = container::layer(line.text)
    {
        left -= 1;
        line.service = service.unwrap_or(line.service);
        line.text = rest;
    }
    loop {
        if left == 0 {
            break;
        }
        left -= 1;
        if let Some(record) = record::record(line.text) {
            inside(&record, &line, left, each);
            return;
        }
        if !own(&mut line) {
            break;
        }
        line.bare = false;
    }
    line.text = cut(line.text);
    each(&line);
}

/// The lines of a record, each with layers of its own.
fn inside(
    record: &record::Record,
    outer: &Line<'_>,
    layers: usize,
    each: &mut impl FnMut(&Line<'_>),
) {
    let outer = Line {
        process: record.process.as_deref().unwrap_or(outer.process),
        bare: outer.bare && !record.logged && record.process.is_none(),
        quiet: record.quiet || outer.quiet && !record.logged,
        loud: record.loud || outer.loud && !record.logged,
        ..outer.clone()
    };
    for piece in record.text.split('\n').take(PIECES) {
        peel(&plain(piece.as_bytes()), &outer, layers, each);
    }
}

/// Takes one prefix of the engine off.
fn own(line: &mut Line<'_>) -> bool {
    let rest = line.text;
    if let Some((name, after)) = engine::named(rest).or_else(|| engine::rank(rest)) {
        line.process = name;
        line.text = after;
    } else if let Some((level, after)) = engine::level(rest) {
        line.quiet = matches!(level, engine::Level::Quiet);
        line.loud = matches!(level, engine::Level::Loud);
        line.text = after;
    } else if let Some(after) = engine::stamped(rest) {
        line.text = after;
    }
    line.text.len() != rest.len()
}

/// At most so much of a message as is kept.
fn cut(text: &str) -> &str {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Process and message of each line that a line holds.
    fn texts(line: &str) -> Vec<(String, String)> {
        let mut all = Vec::new();
        undress(line.as_bytes(), &mut |line| {
            all.push((line.process.to_owned(), line.text.to_owned()));
        });
        all
    }

    fn one(line: &str) -> (bool, bool, bool) {
        let mut marks = (false, false, false);
        undress(line.as_bytes(), &mut |line| {
            marks = (line.bare, line.quiet, line.loud)
        });
        marks
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
                texts(line),
                [(process.to_owned(), message.to_owned())],
                "{line}"
            );
        }
    }

    /// One record, whatever is around it.
    #[test]
    fn layers_in_any_order() {
        let record = r#"{"level":"ERROR","message":"(Worker_TP1 pid=7) ValueError: x"}"#;
        let expected = [("Worker_TP1 pid=7".to_owned(), "ValueError: x".to_owned())];
        let docker = |line: &str| {
            let log = serde_json::Value::String(format!("{line}\n"));
            format!(r#"{{"log":{log},"stream":"stderr","time":"2026-01-01T00:00:00.1Z"}}"#)
        };
        for line in [
            record.to_owned(),
            format!("vllm-1  | {record}"),
            format!("vllm-1  | 2026-01-01T00:00:00.123456789Z {record}"),
            format!("[pod/vllm-0/server] {record}"),
            format!("[pod/vllm-0/server] 2026-01-01T00:00:00.1Z {record}"),
            format!("2026-01-01T00:00:00.1Z stderr F {record}"),
            format!("2026-01-01 00:00:00,123 {record}"),
            format!("[2026-01-01 00:00:00] {record}"),
            format!("Jan 01 00:00:00 gpu3 vllm[12]: {record}"),
            format!("Jan 01 00:00:00 gpu3 docker[12]: vllm-1  | {record}"),
            docker(record),
            docker(&docker(record)),
            docker(&format!("2026-01-01T00:00:00.1Z stderr F {record}")),
            format!("vllm-1  | {}", docker(record)),
            docker(
                "\u{1b}[36m(Worker_TP1 pid=7)\u{1b}[0m ERROR 01-01 00:00:00 [a.py:1] ValueError: x",
            ),
        ] {
            assert_eq!(texts(&line), expected, "{line}");
        }
    }

    #[test]
    fn a_record_may_hold_a_traceback() {
        let line = r#"{"level":"ERROR","processName":"W1","message":"failed","exc_info":"Traceback (most recent call last):\n  File \"a\"\nValueError: x"}"#;
        let lines: Vec<String> = texts(line).into_iter().map(|(_, text)| text).collect();
        assert_eq!(
            lines,
            [
                "failed",
                "Traceback (most recent call last):",
                "  File \"a\"",
                "ValueError: x"
            ]
        );
        assert_eq!(one(line), (false, false, true));
    }

    #[test]
    fn levels_are_kept() {
        assert!(one("WARNING 01-01 00:00:00 [a.py:1] x").1);
        assert!(one("(EngineCore_0 pid=7) ERROR 01-01 00:00:00 [core.py:1] x").2);
        assert!(one("vllm-1  | x").0);
    }

    #[test]
    fn layers_have_an_end() {
        let mut line = "ValueError: x".to_owned();
        for _ in 0..40 {
            line = format!("vllm-1  | {line}");
        }
        assert_eq!(texts(&line).len(), 1);
    }
}
