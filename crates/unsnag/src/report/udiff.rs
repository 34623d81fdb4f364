//! A unified diff of a file, found around its splices, so that a 30 MB file costs no more than its touched lines.

use std::fmt::Write as _;

use similar::{ChangeTag, TextDiff};

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// The unified diff from `before` to `after`; either is missing where the file is created or leaves.
pub fn unified(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    let name = |side: Option<&[u8]>, prefix: &str| {
        side.map_or_else(|| "/dev/null".to_owned(), |_| format!("{prefix}/{path}"))
    };
    let mut out = format!("--- {}\n+++ {}\n", name(before, "a"), name(after, "b"));
    if after.is_none() {
        let _ = writeln!(
            out,
            "(the file is taken out of the directory and kept in .unsnag)"
        );
        return out;
    }
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    let (start, old, new) = changed_lines(before, after);
    let first = before
        .get(..start)
        .unwrap_or_default()
        .iter()
        .filter(|byte| **byte == b'\n')
        .count();
    let diff = TextDiff::from_lines(old, new);
    for group in diff.grouped_ops(CONTEXT) {
        let (Some(head), Some(tail)) = (group.first(), group.last()) else {
            continue;
        };
        let old = head.old_range().start..tail.old_range().end;
        let new = head.new_range().start..tail.new_range().end;
        let _ = writeln!(out, "@@ -{} +{} @@", span(first, &old), span(first, &new));
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            let text = String::from_utf8_lossy(change.value());
            let _ = write!(out, "{sign}{}", text.strip_suffix('\n').unwrap_or(&text));
            out.push('\n');
            if !text.ends_with('\n') {
                out.push_str("\\ No newline at end of file\n");
            }
        }
    }
    out
}

fn span(first: usize, range: &std::ops::Range<usize>) -> String {
    let start = first + range.start + usize::from(!range.is_empty());
    if range.len() == 1 {
        start.to_string()
    } else {
        format!("{start},{}", range.len())
    }
}

/// Both sides without the lines that they share at either end, less the context; and where that begins.
fn changed_lines<'b>(before: &'b [u8], after: &'b [u8]) -> (usize, &'b [u8], &'b [u8]) {
    let shared = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let limit = before.len().min(after.len()) - shared;
    let tail = before
        .iter()
        .rev()
        .zip(after.iter().rev())
        .take(limit)
        .take_while(|(a, b)| a == b)
        .count();
    let start = lines_back(before, shared, CONTEXT + 1);
    let end = lines_on(before, before.len() - tail, CONTEXT + 1);
    let new_end = after.len() - (before.len() - end);
    (
        start,
        before.get(start..end).unwrap_or_default(),
        after.get(start..new_end).unwrap_or_default(),
    )
}

fn lines_back(bytes: &[u8], from: usize, lines: usize) -> usize {
    let newlines = bytes
        .get(..from)
        .unwrap_or_default()
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, byte)| **byte == b'\n');
    newlines.map(|(at, _)| at + 1).nth(lines).unwrap_or(0)
}

fn lines_on(bytes: &[u8], from: usize, lines: usize) -> usize {
    let newlines = bytes
        .get(from..)
        .unwrap_or_default()
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n');
    newlines
        .map(|(at, _)| from + at + 1)
        .nth(lines)
        .unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_numbers_and_context() {
        let before: String = (1..=20).map(|n| format!("line {n}\n")).collect();
        let after = before
            .replace("line 10\n", "")
            .replace("line 12\n", "line twelve\n");
        let expected = "--- a/f\n+++ b/f\n@@ -7,9 +7,8 @@\n line 7\n line 8\n line 9\n-line 10\n line 11\n-line 12\n+line twelve\n line 13\n line 14\n line 15\n";
        assert_eq!(
            unified("f", Some(before.as_bytes()), Some(after.as_bytes())),
            expected
        );
    }

    #[test]
    fn a_missing_final_newline_is_said() {
        let text = unified("f", Some(b"{}"), Some(b"[]"));
        assert_eq!(
            text,
            "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-{}\n\\ No newline at end of file\n+[]\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn created_and_parked() {
        assert_eq!(
            unified("f", None, Some(b"{}\n")),
            "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+{}\n"
        );
        assert!(unified("f", Some(b"{}\n"), None).contains("+++ /dev/null"));
    }
}
