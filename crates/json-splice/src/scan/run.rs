//! The fast half of the machine: from token to token, as long as they lie whole in the piece.

use super::machine::Machine;
use super::nest::Nest;
use super::state::State;
use super::step::ends_number;
use super::{Fault, Sink};
use crate::kind::Kind;
use crate::text::{skip_space, text_end};

impl<S: Sink> Machine<S> {
    /// Goes on at `i` between two tokens and returns where it stopped: at the end of the piece, at
    /// a token that [`Machine::step`] has to take, or where `WATCHED`, which says whether the
    /// container around is watched, changes.
    pub(super) fn run<const WATCHED: bool>(
        &mut self,
        piece: &[u8],
        mut i: usize,
        base: usize,
    ) -> Result<usize, Fault> {
        // Kept out of `self` so that it can stay in registers.
        let mut nest = std::mem::take(&mut self.nest);
        let mut state = self.state;
        loop {
            i = skip_space(piece, i);
            let Some(&byte) = piece.get(i) else { break };
            match state {
                State::AfterValue if byte == b',' => {
                    i += 1;
                    state = if nest.in_object() {
                        State::Name
                    } else {
                        State::Value
                    };
                }
                State::Name | State::FirstName if byte == b'"' => match text_end(piece, i + 1) {
                    Ok((end, escaped)) => {
                        if WATCHED {
                            let raw = piece.get(i + 1..end - 1).unwrap_or_default();
                            self.sink.name(raw, escaped, base + i..base + end);
                        }
                        i = skip_space(piece, end);
                        state = State::Colon;
                        if piece.get(i) == Some(&b':') {
                            i += 1;
                            state = State::Value;
                        }
                    }
                    Err(rest) => {
                        self.in_name = true;
                        self.name_start = base + i;
                        self.name_head.clear();
                        i = rest;
                        state = State::Text;
                        break;
                    }
                },
                State::Value | State::FirstElement if byte == b'"' => {
                    if WATCHED {
                        self.sink.begin(base + i, Kind::String);
                    }
                    match text_end(piece, i + 1) {
                        Ok((end, _)) => i = end,
                        Err(rest) => {
                            i = rest;
                            state = State::Text;
                            break;
                        }
                    }
                    state = self.scalar_ended::<WATCHED>(&nest, base + i);
                    if state == State::Done {
                        break;
                    }
                }
                State::Value | State::FirstElement if byte == b'{' || byte == b'[' => {
                    let object = byte == b'{';
                    let (kind, first) = if object {
                        (Kind::Object, State::FirstName)
                    } else {
                        (Kind::Array, State::FirstElement)
                    };
                    nest.open(object);
                    state = first;
                    i += 1;
                    if WATCHED {
                        if !self.sink.begin(base + i - 1, kind) {
                            break;
                        }
                        self.watched += 1;
                    }
                }
                State::AfterValue | State::FirstName | State::FirstElement
                    if byte == if nest.in_object() { b'}' } else { b']' } =>
                {
                    i += 1;
                    nest.close();
                    if WATCHED {
                        self.watched -= 1;
                    }
                    let watched = WATCHED || nest.depth() == self.watched;
                    if watched {
                        self.sink.end(base + i);
                    }
                    state = State::after_value(&nest);
                    if state == State::Done || watched != WATCHED {
                        break;
                    }
                }
                State::Value | State::FirstElement => match scalar_end(piece, i) {
                    Some(end) => {
                        if WATCHED {
                            let kind = Kind::of_first_byte(byte).unwrap_or(Kind::Null);
                            self.sink.begin(base + i, kind);
                        }
                        i = end;
                        state = self.scalar_ended::<WATCHED>(&nest, base + i);
                        if state == State::Done {
                            break;
                        }
                    }
                    None => {
                        self.nest = nest;
                        self.state = state;
                        return self.step(piece, i, base);
                    }
                },
                State::Colon if byte == b':' => {
                    i += 1;
                    state = State::Value;
                }
                _ => {
                    self.nest = nest;
                    self.state = state;
                    return Err(self.fault(piece, i, base));
                }
            }
        }
        self.nest = nest;
        self.state = state;
        Ok(i)
    }

    #[inline(always)]
    fn scalar_ended<const WATCHED: bool>(&mut self, nest: &Nest, after: usize) -> State {
        if WATCHED {
            self.sink.end(after);
            State::after_value(nest)
        } else {
            // An unwatched value lies in a container.
            State::AfterValue
        }
    }
}

/// The end of the integer or word at `i`, if its end is in sight; other numbers are rarer.
#[inline(always)]
fn scalar_end(piece: &[u8], i: usize) -> Option<usize> {
    let byte = piece.get(i)?;
    let end = match byte {
        b'1'..=b'9' => {
            let mut end = i + 1;
            while piece.get(end).is_some_and(u8::is_ascii_digit) {
                end += 1;
            }
            end
        }
        b'0' => i + 1,
        _ => {
            let word: &[u8] = match byte {
                b't' => b"true",
                b'f' => b"false",
                b'n' => b"null",
                _ => return None,
            };
            piece
                .get(i..)?
                .starts_with(word)
                .then_some(i + word.len())?
        }
    };
    ends_number(*piece.get(end)?).then_some(end)
}
