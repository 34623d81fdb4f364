//! The scan's outer half: checks that the pieces are UTF-8 and feeds whole characters on.

use super::{Fault, Machine, Sink};
use crate::syntax::Found;

/// So many bytes are checked at a time, to be scanned while they are in the nearest cache.
const WINDOW: usize = 32 * 1024;

/// A scan that takes any bytes in pieces of any size.
#[derive(Debug)]
pub(crate) struct Scanner<S> {
    machine: Machine<S>,
    /// The start of a character whose rest is still to come.
    partial: Vec<u8>,
}

impl<S: Sink> Scanner<S> {
    pub(crate) fn new(sink: S) -> Scanner<S> {
        Scanner {
            machine: Machine::new(sink),
            partial: Vec::new(),
        }
    }

    pub(crate) fn sink_mut(&mut self) -> &mut S {
        self.machine.sink_mut()
    }

    /// The sink of a text that is known to be valid, and whose end is its root's end.
    pub(crate) fn into_sink(self) -> S {
        self.machine.into_sink()
    }

    /// Reads on through `piece`.
    pub(crate) fn feed(&mut self, mut piece: &[u8]) -> Result<(), Fault> {
        while let (false, [byte, rest @ ..]) = (self.partial.is_empty(), piece) {
            self.partial.push(*byte);
            match std::str::from_utf8(&self.partial) {
                Ok(_) => {
                    let whole = std::mem::take(&mut self.partial);
                    self.machine.feed(&whole)?;
                    piece = rest;
                }
                Err(error) if error.error_len().is_none() => piece = rest,
                Err(_) => return Err(self.bad_byte(self.partial.first())),
            }
        }
        while !piece.is_empty() {
            let (window, rest) = piece.split_at(WINDOW.min(piece.len()));
            let whole = self.feed_window(window)?;
            if rest.is_empty() {
                self.partial
                    .extend_from_slice(window.get(whole..).unwrap_or_default());
                break;
            }
            piece = piece.get(whole..).unwrap_or_default();
        }
        Ok(())
    }

    /// The text ends here.
    pub(crate) fn finish(self) -> Result<S, Fault> {
        match self.partial.first() {
            None => self.machine.finish(),
            first => Err(self.bad_byte(first)),
        }
    }

    /// Feeds the whole characters of `window` and returns their length in bytes.
    fn feed_window(&mut self, window: &[u8]) -> Result<usize, Fault> {
        let (whole, _) = window.split_at(whole_characters(window));
        if simdutf8::basic::from_utf8(whole).is_ok() {
            self.machine.feed(whole)?;
            return Ok(whole.len());
        }
        let valid = match std::str::from_utf8(whole) {
            Ok(_) => whole.len(),
            Err(error) => error.valid_up_to(),
        };
        let (valid, rest) = window.split_at(valid);
        self.machine.feed(valid)?;
        Err(self.bad_byte(rest.first()))
    }

    #[cold]
    fn bad_byte(&self, byte: Option<&u8>) -> Fault {
        Fault {
            offset: self.machine.offset(),
            found: byte.map_or(Found::End, |byte| Found::Byte(*byte)),
            expected: "UTF-8",
        }
    }
}

/// The length of `text` without the character that its end cuts off, if it does.
fn whole_characters(text: &[u8]) -> usize {
    for (after, byte) in (1..=3).zip(text.iter().rev()) {
        let length = match byte {
            0x80..0xC0 => continue,
            0xC0..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0..0xF8 => 4,
            _ => 1,
        };
        return text.len() - if length > after { after } else { 0 };
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_character_is_left_for_later() {
        let text = "aé\u{4e2d}\u{1f600}";
        for cut in 0..=text.len() {
            let whole = (0..=cut).rev().find(|at| text.is_char_boundary(*at));
            assert_eq!(Some(whole_characters(&text.as_bytes()[..cut])), whole);
        }
        assert_eq!(whole_characters(b"a\x80\x80\x80\x80"), 5);
        assert_eq!(whole_characters(b"a\xFF"), 2);
    }
}
