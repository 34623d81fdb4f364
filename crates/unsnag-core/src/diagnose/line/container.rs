//! What containers and services put before a line, a layer at a time.

/// Takes the outermost layer off: the service that it names, where it names one, and the rest.
pub(super) fn layer(text: &str) -> Option<(Option<&str>, &str)> {
    if let Some((name, after)) = compose(text).or_else(|| pod(text)) {
        return Some((Some(name), after));
    }
    let after = journald(text).or_else(|| timed(text))?;
    Some((None, after))
}

/// `vllm-1  | `, and `stack_vllm.1.x7ab@node  | ` of a swarm.
fn compose(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.split_once('|')?;
    // Indented, it is a line of code with an `or` in it.
    let named = name.len() < 64
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.ends_with(' ')
        && name
            .trim_end()
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_./@".contains(c));
    // An empty line of the service may have lost its last space.
    let after = after
        .strip_prefix(' ')
        .or_else(|| after.is_empty().then_some(""))?;
    named.then(|| (name.trim_end(), after))
}

/// `[pod/vllm-0/server] `
fn pod(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.strip_prefix("[pod/")?.split_once(']')?;
    (name.len() < 330 && !name.contains(' '))
        .then(|| (name, after.strip_prefix(' ').unwrap_or(after)))
}

/// `2026-01-01T00:00:00.123456789Z `, and `stderr F ` where a container runtime wrote it.
fn timed(text: &str) -> Option<&str> {
    let (stamp, after) = text.split_once(' ').unwrap_or((text, ""));
    if !is_rfc3339(stamp) {
        return None;
    }
    let stream = ["stdout F", "stderr F", "stdout P", "stderr P"]
        .iter()
        .find_map(|stream| after.strip_prefix(stream));
    Some(match stream {
        Some("") => "",
        Some(rest) => rest.strip_prefix(' ').unwrap_or(after),
        // `journalctl -o short-iso`, and what writes to syslog in its newer form.
        None => tagged(after).unwrap_or(after),
    })
}

fn is_rfc3339(word: &str) -> bool {
    let bytes = word.as_bytes();
    (19..=40).contains(&bytes.len())
        && bytes.get(4) == Some(&b'-')
        && bytes.get(10) == Some(&b'T')
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_digit() || b"-:.,TZ+".contains(byte))
}

/// `Jan 01 00:00:00 host vllm[12]: message`, with or without the number.
fn journald(text: &str) -> Option<&str> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let rest = MONTHS.iter().find_map(|month| text.strip_prefix(month))?;
    let (day, rest) = rest.trim_start_matches(' ').split_once(' ')?;
    let (time, rest) = rest.split_once(' ')?;
    let digits = |word: &str, others: &str| {
        !word.is_empty()
            && word.len() <= 20
            && word
                .chars()
                .all(|c| c.is_ascii_digit() || others.contains(c))
    };
    (digits(day, "") && digits(time, ":.") && time.contains(':'))
        .then(|| tagged(rest))
        .flatten()
}

/// `host vllm[12]: message`
fn tagged(text: &str) -> Option<&str> {
    let (host, rest) = text.split_once(' ')?;
    let (tag, message) = rest.split_once(':')?;
    let (name, number) = match tag.split_once('[') {
        Some((name, number)) => (name, number.strip_suffix(']')?),
        None => (tag, ""),
    };
    let plain = |word: &str, others: &str| {
        word.len() < 120
            && word
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || others.contains(c))
    };
    // `host` is all but anything; `ERROR 01-01 00:` is not it.
    (plain(host, "-_.")
        && !host.is_empty()
        && !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && plain(name, "-_./@()")
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && (message.is_empty() || message.starts_with(' ')))
    .then(|| message.strip_prefix(' ').unwrap_or(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers() {
        for (line, service, rest) in [
            ("vllm-1  | x", Some("vllm-1"), "x"),
            ("vllm-1  |   File \"a\"", Some("vllm-1"), "  File \"a\""),
            ("vllm-1  |", Some("vllm-1"), ""),
            ("s_vllm.1.k2j@gpu-3    | x", Some("s_vllm.1.k2j@gpu-3"), "x"),
            ("[pod/vllm-0/server] {}", Some("vllm-0/server"), "{}"),
            ("2026-01-01T00:00:00.123456789Z x", None, "x"),
            ("2026-01-01T00:00:00.1+01:00 stderr F   x", None, "  x"),
            ("2026-01-01T00:00:00Z stdout F", None, ""),
            ("2026-01-01T00:00:00+0100 gpu3 vllm[12]:   x", None, "  x"),
            ("Jan  1 00:00:00 gpu3 vllm[12]: x: y", None, "x: y"),
            ("Jan 01 00:00:00.123456 gpu3 docker: x", None, "x"),
        ] {
            assert_eq!(layer(line), Some((service, rest)), "{line}");
        }
        for line in [
            "    flags | MASK",
            "| GPU  Name |",
            "a|b",
            "ERROR 01-01 00:00:00 [a.py:1] x",
            "Jan was here: x",
            "ValueError: a | b",
            "",
        ] {
            assert_eq!(layer(line), None, "{line}");
        }
        // A message after a time is not taken for a host and its program.
        assert_eq!(
            layer("2026-01-01T00:00:00Z ValueError: x"),
            Some((None, "ValueError: x"))
        );
    }
}
