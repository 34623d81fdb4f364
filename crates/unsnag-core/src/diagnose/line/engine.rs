//! What engines and their loggers put before a message: process, rank, level, time.

/// `(Worker_TP4_EP4 pid=2532) `, `(EngineCore_DP0 pid=7, ip=10.0.0.1) `.
pub(super) fn named(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('(')?;
    let (name, after) = inner.split_once(')')?;
    (name.len() < 80 && name.contains("pid="))
        .then(|| (name, after.strip_prefix(' ').unwrap_or(after)))
}

/// `[rank0]: `, `[2026-01-01 00:00:00 TP3] `, `[RANK 2] `, `[1,2]<stderr>:`.
pub(super) fn rank(text: &str) -> Option<(&str, &str)> {
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

pub(super) enum Level {
    Quiet,
    Loud,
}

/// `ERROR 12-29 15:21:11 [multiproc_executor.py:751] `, `ERROR 03-03 07:43:54 engine.py:400] `, `WARNING:root:`, `ERROR:    `, `E0101 ...`.
pub(super) fn level(text: &str) -> Option<(Level, &str)> {
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
pub(super) fn stamped(text: &str) -> Option<&str> {
    if let Some(inner) = text.strip_prefix('[') {
        let (head, after) = inner.split_once(']')?;
        let dated =
            head.len() >= 8 && head.len() < 60 && head.starts_with(|c: char| c.is_ascii_digit());
        let tagged = ["TRT-LLM", "TensorRT-LLM", "I", "W", "E", "_torch"].contains(&head);
        return (dated || tagged).then(|| after.strip_prefix(' ').unwrap_or(after));
    }
    let bytes = text.as_bytes();
    let dated = bytes.len() > 19
        && bytes.get(4) == Some(&b'-')
        && bytes.get(10) == Some(&b' ')
        && bytes.get(13) == Some(&b':');
    if dated && let Some((_, after)) = text.split_once(" - ERROR - ") {
        return Some(after);
    }
    // A time alone counts only before a record: elsewhere it may be what is said.
    if dated && let Some(after) = text.get(19..) {
        let after = after
            .trim_start_matches(|c: char| c.is_ascii_digit() || ",.Z+:".contains(c))
            .trim_start();
        return after.starts_with('{').then_some(after);
    }
    None
}
