//! The inner loops: past white space, and through the text of a string. They go eight bytes at a
//! time where so many are left.

const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
const SPACES: u64 = u64::from_ne_bytes([b' '; 8]);
const QUOTES: u64 = u64::from_ne_bytes([b'"'; 8]);
const BACKSLASHES: u64 = u64::from_ne_bytes([b'\\'; 8]);

/// The first byte at or after `i` that is no JSON white space.
#[inline(always)]
pub(crate) fn skip_space(text: &[u8], mut i: usize) -> usize {
    loop {
        match text.get(i) {
            Some(b'\n') => i = skip_blanks(text, i + 1),
            Some(b' ' | b'\r' | b'\t') => i += 1,
            _ => return i,
        }
    }
}

/// Past the spaces that a line starts with.
#[inline(always)]
pub(crate) fn skip_blanks(text: &[u8], mut i: usize) -> usize {
    while let Some(eight) = eight(text, i) {
        let other = eight ^ SPACES;
        if other != 0 {
            return i + first_byte(other);
        }
        i += 8;
    }
    i
}

/// The first byte at or after `i` that a string cannot simply hold: `"`, `\` or a control character.
#[inline(always)]
pub(crate) fn find_text_stop(text: &[u8], mut i: usize) -> usize {
    while let Some(eight) = eight(text, i) {
        let stops = zeros(eight ^ QUOTES) | zeros(eight ^ BACKSLASHES) | controls(eight);
        if stops != 0 {
            return i + first_byte(stops);
        }
        i += 8;
    }
    while let Some(byte) = text.get(i) {
        if *byte == b'"' || *byte == b'\\' || *byte < 0x20 {
            break;
        }
        i += 1;
    }
    i
}

/// The end of the string whose text starts at `i`, its quote counted, and whether it holds an
/// escape; or where a closer look is needed: at a wrong escape, a control character, or what the
/// text's end cuts off.
#[inline(always)]
pub(crate) fn text_end(text: &[u8], mut i: usize) -> Result<(usize, bool), usize> {
    let mut escaped = false;
    loop {
        i = find_text_stop(text, i);
        match text.get(i) {
            Some(b'"') => return Ok((i + 1, escaped)),
            Some(b'\\') => {
                i = escape_end(text, i).ok_or(i)?;
                escaped = true;
            }
            _ => return Err(i),
        }
    }
}

/// The end of the escape that starts at `i`, if it is a right one.
#[inline(always)]
fn escape_end(text: &[u8], i: usize) -> Option<usize> {
    match text.get(i + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(i + 2),
        b'u' => {
            let digits = text.get(i + 2..i + 6)?;
            digits.iter().all(u8::is_ascii_hexdigit).then_some(i + 6)
        }
        _ => None,
    }
}

/// The eight bytes at `i`, the first one lowest.
#[inline(always)]
fn eight(text: &[u8], i: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*text.get(i..)?.first_chunk()?))
}

/// Marks bytes that are zero; above the first of them a mark may be wrong.
#[inline(always)]
fn zeros(eight: u64) -> u64 {
    eight.wrapping_sub(LOW) & !eight & HIGH
}

/// Marks bytes below 0x20; above the first of them a mark may be wrong.
#[inline(always)]
fn controls(eight: u64) -> u64 {
    eight.wrapping_sub(SPACES) & !eight & HIGH
}

/// Which byte is the first to have a bit set.
#[inline(always)]
fn first_byte(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_are_found_at_every_distance() {
        for stop in [b'"', b'\\', 0, 9, 0x1f] {
            for length in 0..40 {
                let mut text = vec![b'x'; length];
                text.extend([stop, b'"', b'\\', 0, 0xC4, 0xA0]);
                assert_eq!(find_text_stop(&text, 0), length);
            }
        }
        let plain: Vec<u8> = (0x20..=0xFF)
            .filter(|b| *b != b'"' && *b != b'\\')
            .collect();
        assert_eq!(find_text_stop(&plain, 0), plain.len());
        assert_eq!(find_text_stop(&plain, plain.len() + 1), plain.len() + 1);
    }

    #[test]
    fn space_is_skipped_in_any_mixture() {
        for length in 0..40 {
            for filler in [" ", "\n", "\t", "\r\n", "\n  ", "  \n\t "] {
                let text = format!("{}x \n", filler.repeat(length));
                assert_eq!(skip_space(text.as_bytes(), 0), filler.len() * length);
            }
        }
        assert_eq!(skip_space(b"\n   ", 0), 4);
        assert_eq!(skip_space(b"\x0bx", 0), 0);
    }
}
