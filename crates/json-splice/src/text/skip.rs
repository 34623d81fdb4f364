//! Past one value of a text that is known to be valid.

use super::space::{find_bracket_or_quote, text_end};

/// The end of the value that starts at `start`.
pub(crate) fn value_end(text: &[u8], start: usize) -> usize {
    match text.get(start) {
        Some(b'"') => string_end(text, start),
        Some(b'{' | b'[') => container_end(text, start),
        _ => {
            let mut end = start;
            while let Some(b'+' | b'-' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z') =
                text.get(end)
            {
                end += 1;
            }
            end
        }
    }
}

#[inline(always)]
fn string_end(text: &[u8], start: usize) -> usize {
    text_end(text, start + 1).map_or(text.len(), |(end, _)| end)
}

fn container_end(text: &[u8], start: usize) -> usize {
    let mut depth = 0usize;
    let mut i = start;
    loop {
        i = find_bracket_or_quote(text, i);
        match text.get(i) {
            Some(b'"') => {
                i = string_end(text, i);
                continue;
            }
            Some(b'{' | b'[') => depth += 1,
            Some(b'}' | b']') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return i + 1;
                }
            }
            Some(_) => {}
            None => return text.len(),
        }
        i += 1;
    }
}
