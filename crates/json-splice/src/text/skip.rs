//! Past one value of a text that is known to be valid.

use super::space::{skip_blanks, text_end};

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
    while let Some(byte) = text.get(i) {
        i = match byte {
            b'"' => string_end(text, i),
            b'\n' => skip_blanks(text, i + 1),
            b'{' | b'[' => {
                depth += 1;
                i + 1
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return i + 1;
                }
                i + 1
            }
            _ => i + 1,
        };
    }
    text.len()
}
