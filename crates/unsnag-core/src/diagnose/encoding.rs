//! Logs in UTF-16, as Windows PowerShell's `>` writes them, read as UTF-8.

use std::io::{self, Read};

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use encoding_rs_io::DecodeReaderBytesBuilder;

/// So many bytes tell how a log without a byte order mark is written.
const TELLING: u64 = 64;

/// The log as UTF-8, in constant memory. UTF-16 is known by its byte order mark or its first characters; all else goes through as it is.
///
/// # Errors
/// The reader fails.
pub fn decoded<'r>(mut input: impl Read + Send + 'r) -> io::Result<impl Read + Send + 'r> {
    let mut start = Vec::new();
    input.by_ref().take(TELLING).read_to_end(&mut start)?;
    let encoding = unmarked(&start);
    Ok(DecodeReaderBytesBuilder::new()
        .encoding(encoding)
        .bom_sniffing(true)
        .strip_bom(true)
        .utf8_passthru(true)
        .build(io::Cursor::new(start).chain(input)))
}

/// UTF-16 without a mark: every other byte is none, and the others are what logs begin with.
fn unmarked(start: &[u8]) -> Option<&'static Encoding> {
    let plain = |byte: u8| byte == 0x1b || byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let pairs = || start.chunks_exact(2);
    if start.len() < 8 {
        None
    } else if pairs().all(|pair| matches!(pair, [byte, 0] if plain(*byte))) {
        Some(UTF_16LE)
    } else if pairs().all(|pair| matches!(pair, [0, byte] if plain(*byte))) {
        Some(UTF_16BE)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives a few bytes at a time, as pipes do.
    struct Slow<'b>(&'b [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = buffer.len().min(self.1);
            let buffer = buffer.get_mut(..most).unwrap_or_default();
            self.0.read(buffer)
        }
    }

    fn through(bytes: &[u8], step: usize) -> Vec<u8> {
        let mut out = Vec::new();
        decoded(Slow(bytes, step))
            .and_then(|mut read| read.read_to_end(&mut out))
            .unwrap_or_default();
        out
    }

    #[test]
    fn utf_16_in_both_orders_with_a_mark_and_without() {
        let text = "ERROR x\r\nValueError: ünï 🎉\r\n".repeat(2000);
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let plain = text.as_bytes();
        for (mark, bytes) in [
            (&b"\xff\xfe"[..], little.as_slice()),
            (b"\xfe\xff", &big),
            (b"\xef\xbb\xbf", plain),
            (b"", plain),
        ] {
            let whole = [mark, bytes].concat();
            for step in [1, 3, 4096] {
                assert_eq!(through(&whole, step), plain);
            }
        }
        let ascii = "ERROR 03-02 10:14:31 [core.py:1050] ValueError: x\n".repeat(9);
        let little: Vec<u8> = ascii.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = ascii.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(through(&little, 7), ascii.as_bytes());
        assert_eq!(through(&big, 7), ascii.as_bytes());
    }

    #[test]
    fn what_is_not_utf_16_goes_through() {
        for bytes in [
            &b""[..],
            b"a",
            b"a\0b\0",
            &[0; 100],
            b"\x80\x81 bad\xff\xfe\n",
        ] {
            assert_eq!(through(bytes, 4096), bytes);
        }
        // Cut inside a character, the rest is a sign that something was there.
        assert_eq!(through(b"\xff\xfea\0b", 4096), "a\u{fffd}".as_bytes());
    }
}
