//! The two inner loops: past white space, and to the end of a run of plain characters.

/// The first byte at or after `i` that is no JSON white space.
#[inline]
pub(crate) fn skip_space(text: &[u8], mut i: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = text.get(i) {
        i += 1;
    }
    i
}

/// The first byte at or after `i` that a string cannot simply hold: `"`, `\` or a control character.
#[inline]
pub(crate) fn find_text_stop(text: &[u8], mut i: usize) -> usize {
    while let Some(byte) = text.get(i) {
        if *byte == b'"' || *byte == b'\\' || *byte < 0x20 {
            break;
        }
        i += 1;
    }
    i
}
