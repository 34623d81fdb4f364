//! A line that is a JSON object: an application's record, or a collector's around a line of the application.

use serde_json::Value;

/// The longest JSON object that is read, in bytes. A whole traceback may stand in one.
pub(in super::super) const LONGEST: usize = 256 * 1024;

/// Where records keep a message: the logger's of an application, then those of collectors.
const MESSAGES: [&str; 5] = ["message", "msg", "text", "event", "jsonPayload"];
const COLLECTED: [&str; 3] = ["log", "MESSAGE", "textPayload"];
/// Where loggers put the traceback.
const TRACES: [&str; 5] = [
    "exc_info",
    "exception",
    "traceback",
    "stack_trace",
    "exc_text",
];

/// What a record says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// Its lines, each perhaps with layers of its own.
    pub(super) text: String,
    /// Whether the logger marked it as harmless or as an error.
    pub(super) quiet: bool,
    pub(super) loud: bool,
    /// The process that it names.
    pub(super) process: Option<String>,
    /// Whether the logger of an application wrote it, and not a collector around a bare line.
    pub(super) logged: bool,
}

/// Whether the bytes may hold a JSON object behind what containers put before one.
pub(in super::super) fn may_be(bytes: &[u8]) -> bool {
    let head = bytes.get(..512).unwrap_or(bytes);
    memchr::memchr(b'{', head).is_some() && bytes.trim_ascii_end().ends_with(b"}")
}

/// Reads a line that is a record.
pub(super) fn record(text: &str) -> Option<Record> {
    let text = text.trim_end();
    if !text.starts_with('{') || !text.ends_with('}') {
        return None;
    }
    let root: Value = serde_json::from_str(text).ok()?;
    if let Some(text) = COLLECTED.iter().find_map(|key| words(root.get(key)?)) {
        // The level of a collector is that of the stream, not of the line.
        return Some(Record {
            text,
            ..Record::default()
        });
    }
    let (message, inner) = MESSAGES.iter().find_map(|key| match root.get(key)? {
        inner @ Value::Object(_) => {
            let message = MESSAGES.iter().find_map(|key| words(inner.get(key)?))?;
            Some((message, inner))
        }
        value => Some((words(value)?, &root)),
    })?;
    let field = |keys: &[&str]| {
        keys.iter()
            .find_map(|key| inner.get(key).or_else(|| root.get(key))?.as_str())
    };
    let level = field(&["level", "levelname", "severity", "log.level"])
        .unwrap_or_default()
        .to_ascii_lowercase();
    let mut text = message;
    for trace in TRACES
        .iter()
        .filter_map(|key| inner.get(key).and_then(words))
    {
        text.push('\n');
        text.push_str(&trace);
    }
    Some(Record {
        text,
        quiet: ["trace", "debug", "info", "notice", "warn", "warning"].contains(&level.as_str()),
        loud: ["error", "err", "critical", "fatal", "alert", "emergency"].contains(&level.as_str()),
        process: field(&["processName", "process_name"])
            .filter(|name| *name != "MainProcess")
            .map(str::to_owned),
        logged: !level.is_empty(),
    })
}

/// A string, or the bytes that journald writes where a message has colours.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim_end_matches('\n').to_owned()),
        Value::Array(bytes) => {
            let bytes: Option<Vec<u8>> = bytes
                .iter()
                .map(|byte| u8::try_from(byte.as_u64()?).ok())
                .collect();
            Some(String::from_utf8_lossy(&bytes.filter(|bytes| !bytes.is_empty())?).into_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records() {
        for (line, text, quiet, loud) in [
            (r#"{"level":"error","msg":"x"}"#, "x", false, true),
            (r#"{"levelname":"WARNING","message":"x"}"#, "x", true, false),
            (r#"{"log":"x\n","stream":"stderr"}"#, "x", false, false),
            (
                r#"{"MESSAGE":[27,91,109,120],"PRIORITY":"6"}"#,
                "\u{1b}[mx",
                false,
                false,
            ),
            (
                r#"{"severity":"INFO","textPayload":"ValueError: x"}"#,
                "ValueError: x",
                false,
                false,
            ),
            (
                r#"{"severity":"ERROR","jsonPayload":{"message":"x"}}"#,
                "x",
                false,
                true,
            ),
            (
                r#"{"level":"ERROR","message":"x","exc_info":"Traceback\nV: y"}"#,
                "x\nTraceback\nV: y",
                false,
                true,
            ),
        ] {
            let record = record(line).unwrap_or_default();
            assert_eq!(
                (record.text.as_str(), record.quiet, record.loud),
                (text, quiet, loud),
                "{line}"
            );
        }
        for line in [
            "{}",
            "{\"a\":1}",
            "{\"log\":",
            "{'log': 'x'}",
            "{\"log\":1}",
        ] {
            assert_eq!(record(line), None, "{line}");
        }
    }
}
