//! JSON strings: escapes undone and made.

use std::borrow::Cow;

/// The characters of the string whose text between the quotes is `raw`.
///
/// The result is WTF-8: an escape of a lone surrogate comes out as its three bytes, which valid
/// UTF-8 never holds. So two strings are equal, unit of UTF-16 by unit, when their results are.
pub(crate) fn decode(raw: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'\\', raw) else {
        return Cow::Borrowed(raw);
    };
    let (mut plain, mut rest) = (Vec::with_capacity(raw.len()), raw);
    let mut next = Some(first);
    let mut lead: Option<u32> = None;
    while let Some(at) = next {
        let (head, tail) = rest.split_at(at);
        if !head.is_empty() {
            lead = None;
        }
        plain.extend_from_slice(head);
        let (unit, length) = escape(tail);
        match (lead, unit) {
            (Some(high), 0xDC00..=0xDFFF) => {
                plain.truncate(plain.len() - 3);
                push(
                    &mut plain,
                    0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00),
                );
                lead = None;
            }
            _ => {
                push(&mut plain, unit);
                lead = (0xD800..0xDC00).contains(&unit).then_some(unit);
            }
        }
        rest = tail.get(length..).unwrap_or_default();
        next = memchr::memchr(b'\\', rest);
    }
    plain.extend_from_slice(rest);
    Cow::Owned(plain)
}

/// As [`decode`], with U+FFFD in place of each lone surrogate.
pub(crate) fn decode_lossy(raw: &str) -> Cow<'_, str> {
    match decode(raw.as_bytes()) {
        Cow::Borrowed(_) => Cow::Borrowed(raw),
        Cow::Owned(wtf8) => Cow::Owned(match String::from_utf8(wtf8) {
            Ok(plain) => plain,
            Err(error) => replace_surrogates(error.as_bytes()),
        }),
    }
}

fn replace_surrogates(wtf8: &[u8]) -> String {
    let mut plain = String::with_capacity(wtf8.len());
    let mut rest = wtf8;
    while !rest.is_empty() {
        let valid = match std::str::from_utf8(rest) {
            Ok(valid) => valid,
            Err(error) => rest
                .get(..error.valid_up_to())
                .and_then(|valid| std::str::from_utf8(valid).ok())
                .unwrap_or_default(),
        };
        plain.push_str(valid);
        rest = rest.get(valid.len()..).unwrap_or_default();
        if !rest.is_empty() {
            plain.push('\u{FFFD}');
            rest = rest.get(3..).unwrap_or_default();
        }
    }
    plain
}

/// The UTF-16 unit of the escape that `text` starts with, and the escape's length in bytes.
fn escape(text: &[u8]) -> (u32, usize) {
    let unit = match text.get(1).copied().unwrap_or(b'\\') {
        b'b' => 8,
        b'f' => 12,
        b'n' => 10,
        b'r' => 13,
        b't' => 9,
        b'u' => {
            let digits = text.get(2..6).unwrap_or_default();
            let unit = digits.iter().fold(0, |unit, digit| {
                unit << 4 | char::from(*digit).to_digit(16).unwrap_or_default()
            });
            return (unit, 6);
        }
        plain => u32::from(plain),
    };
    (unit, 2)
}

/// Appends a code point, a surrogate too, in the bit pattern of UTF-8.
fn push(wtf8: &mut Vec<u8>, code: u32) {
    if let Some(c) = char::from_u32(code) {
        wtf8.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    } else {
        let low = |shift: u32| 0x80 | (code >> shift & 0x3F) as u8;
        wtf8.extend_from_slice(&[0xE0 | (code >> 12 & 0xF) as u8, low(6), low(0)]);
    }
}

/// `plain` as a JSON string with its quotes; only what must be escaped is.
pub(crate) fn encode(plain: &str) -> String {
    let mut text = String::with_capacity(plain.len() + 2);
    text.push('"');
    for c in plain.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            '\0'..='\u{1f}' => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => text.push(c),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone() {
        assert!(matches!(decode(b"plain"), Cow::Borrowed(b"plain")));
        let cases: [(&str, &str); 6] = [
            (r"\u0120a", "\u{120}a"),
            (r#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t"),
            (r"\ud83d\ude00!", "\u{1f600}!"),
            (r"a\u0000", "a\0"),
            (r"\ud83d\ude00\ude00", "\u{1f600}\u{fffd}"),
            (r"x\ud800y\udc00", "x\u{fffd}y\u{fffd}"),
        ];
        for (raw, plain) in cases {
            assert_eq!(decode_lossy(raw), plain, "{raw}");
        }
    }

    #[test]
    fn a_pair_of_escapes_is_the_character_and_a_lone_surrogate_is_nothing_else() {
        assert_eq!(*decode(br"\ud83d\ude00"), *"\u{1f600}".as_bytes());
        assert_eq!(*decode(br"\ud800"), [0xED, 0xA0, 0x80]);
        assert_ne!(decode(br"\ud800"), decode(br"\ud801"));
        assert_ne!(decode(br"\ud83d-\ude00"), decode(br"\ud83d\ude00"));
    }

    #[test]
    fn control_characters_quotes_and_backslashes_are_escaped() {
        assert_eq!(
            encode("a\"\\\n\u{1}\u{2028}é"),
            "\"a\\\"\\\\\\n\\u0001\u{2028}é\""
        );
    }
}
