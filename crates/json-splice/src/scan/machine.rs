//! The grammar as a resumable machine over text that is known to be UTF-8.

use super::nest::Nest;
use super::{BOM, Fault, Sink};
use crate::kind::Kind;
use crate::syntax::Found;
use crate::text::{find_text_stop, skip_space};

/// Where in the grammar the next byte stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The very start: a byte order mark may come.
    Start,
    /// A value must come.
    Value,
    /// After `[`: a value or `]`.
    FirstElement,
    /// After `{`: a name or `}`.
    FirstName,
    /// After `,` in an object: a name.
    Name,
    /// After a name.
    Colon,
    /// After a value in a container: `,` or the closing bracket.
    AfterValue,
    /// After the root value.
    Done,
    /// Inside a string.
    Text,
    /// After `\` in a string.
    Escape,
    /// In `\uXXXX`, so many digits to come.
    Hex(u8),
    /// In a number.
    Minus,
    Zero,
    Digits,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
    /// In a word such as `true`, so many bytes of it seen.
    Word(&'static [u8], usize),
}

/// A validating scan in progress.
#[derive(Debug)]
pub(crate) struct Machine<S> {
    sink: S,
    state: State,
    nest: Nest,
    /// So many of the open containers, from the root down, are watched.
    watched: usize,
    /// Offset of the next byte.
    offset: usize,
    /// Whether the string being read is a member's name, and where it started.
    in_name: bool,
    name_start: usize,
    /// The part of a watched name that came with earlier pieces.
    name_head: Vec<u8>,
}

impl<S: Sink> Machine<S> {
    pub(crate) fn new(sink: S) -> Machine<S> {
        Machine {
            sink,
            state: State::Start,
            nest: Nest::default(),
            watched: 0,
            offset: 0,
            in_name: false,
            name_start: 0,
            name_head: Vec::new(),
        }
    }

    /// Offset of the next byte.
    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    /// The sink, for its owner to look into between pieces.
    pub(crate) fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Reads on through `piece`, which holds whole characters of valid UTF-8.
    pub(crate) fn feed(&mut self, piece: &[u8]) -> Result<(), Fault> {
        let base = self.offset;
        let mut i = 0;
        while i < piece.len() {
            i = self.step(piece, i, base)?;
        }
        if self.in_name && self.watching() {
            let from = (self.name_start + 1).saturating_sub(base);
            self.name_head
                .extend_from_slice(piece.get(from..).unwrap_or_default());
        }
        self.offset = base + piece.len();
        Ok(())
    }

    /// The text ends here.
    pub(crate) fn finish(mut self) -> Result<S, Fault> {
        if self.nest.depth() == 0
            && matches!(
                self.state,
                State::Zero | State::Digits | State::Fraction | State::ExponentDigits
            )
        {
            self.value_ended(self.offset);
        }
        if self.state == State::Done {
            Ok(self.sink)
        } else {
            Err(Fault {
                offset: self.offset,
                found: Found::End,
                expected: self.expected(),
            })
        }
    }

    #[inline]
    fn watching(&self) -> bool {
        self.nest.depth() == self.watched
    }

    /// Takes at least one byte of `piece` at `i`, and returns where to go on.
    #[inline]
    fn step(&mut self, piece: &[u8], i: usize, base: usize) -> Result<usize, Fault> {
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
                let after_number = self.state;
                self.value_ended(base + i);
                let fits = match byte {
                    b' ' | b'\t' | b'\n' | b'\r' => true,
                    b',' => self.nest.depth() > 0,
                    b']' => self.nest.depth() > 0 && !self.nest.in_object(),
                    b'}' => self.nest.in_object(),
                    _ => false,
                };
                if fits {
                    return Ok(i);
                }
                self.state = after_number;
                return Err(self.fault(piece, i, base));
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
            self.sink.name(tail, span);
        } else {
            self.name_head.extend_from_slice(tail);
            self.sink.name(&self.name_head, span);
        }
    }

    #[inline]
    fn value_begins(&mut self, at: usize, kind: Kind) {
        if self.watching() {
            self.sink.begin(at, kind);
        }
    }

    #[inline]
    fn value_ended(&mut self, at: usize) {
        if self.watching() {
            self.sink.end(at);
        }
        self.state = if self.nest.depth() == 0 {
            State::Done
        } else {
            State::AfterValue
        };
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

    #[cold]
    fn fault(&self, piece: &[u8], i: usize, base: usize) -> Fault {
        Fault {
            offset: base + i,
            found: found(piece.get(i..).unwrap_or_default()),
            expected: self.expected(),
        }
    }

    fn expected(&self) -> &'static str {
        match self.state {
            State::Start | State::Value => "a value",
            State::FirstElement => "a value or ']'",
            State::FirstName => "a member's name in double quotes or '}'",
            State::Name => "a member's name in double quotes",
            State::Colon => "':'",
            State::AfterValue if self.nest.in_object() => "',' or '}'",
            State::AfterValue => "',' or ']'",
            State::Done => "nothing but white space after the document",
            State::Text => "the rest of a string (control characters are written as escapes)",
            State::Escape => "one of \" \\ / b f n r t u after a backslash",
            State::Hex(_) => "four hexadecimal digits after \\u",
            State::Minus => "a digit or 'Infinity' after '-'",
            State::Point => "a digit after the decimal point",
            State::Exponent => "a digit or a sign after the exponent's 'e'",
            State::ExponentSign => "a digit in the exponent",
            State::Zero | State::Digits | State::Fraction | State::ExponentDigits => {
                match (self.nest.depth(), self.nest.in_object()) {
                    (0, _) => "the end of the number",
                    (_, true) => "the end of the number, ',' or '}'",
                    (_, false) => "the end of the number, ',' or ']'",
                }
            }
            State::Word(b"true", _) => "the word true",
            State::Word(b"false", _) => "the word false",
            State::Word(b"null", _) => "the word null",
            State::Word(b"NaN", _) => "the word NaN",
            State::Word(..) => "the word Infinity",
        }
    }
}

/// What stands at the start of `text`, which is valid UTF-8 unless it is empty.
fn found(text: &[u8]) -> Found {
    let head = text.get(..4.min(text.len())).unwrap_or_default();
    let valid = match std::str::from_utf8(head) {
        Ok(valid) => valid,
        Err(error) => head
            .get(..error.valid_up_to())
            .and_then(|valid| std::str::from_utf8(valid).ok())
            .unwrap_or_default(),
    };
    match (valid.chars().next(), head.first()) {
        (Some(c), _) => Found::Char(c),
        (None, Some(byte)) => Found::Byte(*byte),
        (None, None) => Found::End,
    }
}
