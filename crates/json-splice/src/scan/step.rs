//! The careful half of the machine: byte by byte, from any state, wherever a piece may end.

use super::machine::Machine;
use super::state::State;
use super::{BOM, Fault, Sink};
use crate::kind::Kind;
use crate::text::{find_text_stop, skip_space};

impl<S: Sink> Machine<S> {
    /// Takes at least one byte of `piece` at `i`, or a run of plain ones in a string, and returns
    /// where to go on.
    pub(super) fn step(&mut self, piece: &[u8], i: usize, base: usize) -> Result<usize, Fault> {
        let mut i = i;
        match self.state {
            State::Text => {
                i = find_text_stop(piece, i);
                match piece.get(i) {
                    None => return Ok(i),
                    Some(b'"') => {
                        i += 1;
                        self.text_ended(piece, i, base);
                    }
                    Some(b'\\') => {
                        i += 1;
                        self.state = State::Escape;
                    }
                    Some(_) => return Err(self.fault(piece, i, base)),
                }
                return Ok(i);
            }
            State::Start => {
                if piece.starts_with(BOM) {
                    i = BOM.len();
                }
                self.state = State::Value;
                return Ok(i);
            }
            State::Value
            | State::FirstElement
            | State::FirstName
            | State::Name
            | State::Colon
            | State::AfterValue
            | State::Done => {
                i = skip_space(piece, i);
                if i == piece.len() {
                    return Ok(i);
                }
            }
            _ => {}
        }
        let Some(&byte) = piece.get(i) else {
            return Ok(i);
        };
        match (self.state, byte) {
            (State::AfterValue, b',') => {
                self.state = if self.nest.in_object() {
                    State::Name
                } else {
                    State::Value
                };
            }
            (State::Value | State::FirstElement, b'"') => {
                self.value_begins(base + i, Kind::String);
                self.state = State::Text;
            }
            (State::Name | State::FirstName, b'"') => {
                self.in_name = true;
                self.name_start = base + i;
                self.name_head.clear();
                self.state = State::Text;
            }
            (State::Colon, b':') => self.state = State::Value,
            (State::Value | State::FirstElement, b'{' | b'[') => {
                self.container_begins(base + i, byte == b'{');
            }
            (State::FirstElement, b']') | (State::FirstName, b'}') => {
                self.container_ended(base + i + 1);
            }
            (State::AfterValue, b']') if !self.nest.in_object() => {
                self.container_ended(base + i + 1);
            }
            (State::AfterValue, b'}') if self.nest.in_object() => {
                self.container_ended(base + i + 1);
            }
            (State::Value | State::FirstElement, _) => {
                let (kind, next) = match byte {
                    b'-' => (Kind::Number, State::Minus),
                    b'0' => (Kind::Number, State::Zero),
                    b'1'..=b'9' => (Kind::Number, State::Digits),
                    b't' => (Kind::Bool, State::Word(b"true", 1)),
                    b'f' => (Kind::Bool, State::Word(b"false", 1)),
                    b'n' => (Kind::Null, State::Word(b"null", 1)),
                    b'N' => (Kind::Number, State::Word(b"NaN", 1)),
                    b'I' => (Kind::Number, State::Word(b"Infinity", 1)),
                    _ => return Err(self.fault(piece, i, base)),
                };
                self.value_begins(base + i, kind);
                self.state = next;
            }
            (State::Word(word, seen), _) if word.get(seen) == Some(&byte) => {
                if seen + 1 == word.len() {
                    self.value_ended(base + i + 1);
                } else {
                    self.state = State::Word(word, seen + 1);
                }
            }
            (State::Escape, b'u') => self.state = State::Hex(4),
            (State::Escape, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.state = State::Text;
            }
            (State::Hex(left), _) if byte.is_ascii_hexdigit() => {
                self.state = if left == 1 {
                    State::Text
                } else {
                    State::Hex(left - 1)
                };
            }
            (State::Minus, b'0') => self.state = State::Zero,
            (State::Minus, b'1'..=b'9') => self.state = State::Digits,
            (State::Minus, b'I') => self.state = State::Word(b"Infinity", 1),
            (State::Digits | State::Fraction | State::ExponentDigits, b'0'..=b'9') => {}
            (State::Zero | State::Digits, b'.') => self.state = State::Point,
            (State::Point, b'0'..=b'9') => self.state = State::Fraction,
            (State::Zero | State::Digits | State::Fraction, b'e' | b'E') => {
                self.state = State::Exponent;
            }
            (State::Exponent, b'+' | b'-') => self.state = State::ExponentSign,
            (State::Exponent | State::ExponentSign, b'0'..=b'9') => {
                self.state = State::ExponentDigits;
            }
            (State::Zero | State::Digits | State::Fraction | State::ExponentDigits, _) => {
                if !ends_number(byte) {
                    return Err(self.fault(piece, i, base));
                }
                self.value_ended(base + i);
                return Ok(i);
            }
            _ => return Err(self.fault(piece, i, base)),
        }
        Ok(i + 1)
    }

    fn text_ended(&mut self, piece: &[u8], after: usize, base: usize) {
        if !self.in_name {
            return self.value_ended(base + after);
        }
        self.in_name = false;
        self.state = State::Colon;
        if !self.watching() {
            return;
        }
        let from = (self.name_start + 1).saturating_sub(base);
        let tail = piece.get(from..after - 1).unwrap_or_default();
        let span = self.name_start..base + after;
        if self.name_head.is_empty() {
            self.sink.name(tail, true, span);
        } else {
            self.name_head.extend_from_slice(tail);
            self.sink.name(&self.name_head, true, span);
        }
    }

    #[inline]
    fn value_begins(&mut self, at: usize, kind: Kind) {
        if self.watching() {
            self.sink.begin(at, kind);
        }
    }

    #[inline]
    pub(super) fn value_ended(&mut self, at: usize) {
        if self.watching() {
            self.sink.end(at);
        }
        self.state = State::after_value(&self.nest);
    }

    #[inline]
    fn container_begins(&mut self, at: usize, object: bool) {
        let kind = if object { Kind::Object } else { Kind::Array };
        if self.watching() && self.sink.begin(at, kind) {
            self.watched += 1;
        }
        self.nest.open(object);
        self.state = if object {
            State::FirstName
        } else {
            State::FirstElement
        };
    }

    #[inline]
    fn container_ended(&mut self, after: usize) {
        if self.watching() {
            self.watched -= 1;
        }
        self.nest.close();
        self.value_ended(after);
    }
}

/// Whether a number may stand before `byte`; whether `byte` may stand there is another question.
#[inline(always)]
pub(super) fn ends_number(byte: u8) -> bool {
    matches!(byte, b',' | b' ' | b'\n' | b'\r' | b'\t' | b']' | b'}')
}
