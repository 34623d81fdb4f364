//! Past one value of a text that is known to be valid.

use super::space::find_text_stop;

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

fn string_end(text: &[u8], start: usize) -> usize {
    let mut i = start + 1;
    loop {
        i = find_text_stop(text, i);
        match text.get(i) {
            Some(b'\\') => i += 2,
            Some(_) => return i + 1,
            None => return text.len(),
        }
    }
}

fn container_end(text: &[u8], start: usize) -> usize {
    let mut depth = 0usize;
    let mut i = start;
    while let Some(byte) = text.get(i) {
        match byte {
            b'"' => {
                i = string_end(text, i);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return i + 1;
                }
            }
            _ => {}
        }
        i += 1;
    }
    text.len()
}
