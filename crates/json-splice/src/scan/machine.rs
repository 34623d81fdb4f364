//! The grammar as a resumable machine over text that is known to be UTF-8.

use super::nest::Nest;
use super::state::State;
use super::{Fault, Sink};
use crate::syntax::Found;

/// A validating scan in progress.
#[derive(Debug)]
pub(crate) struct Machine<S> {
    pub(super) sink: S,
    pub(super) state: State,
    pub(super) nest: Nest,
    /// So many of the open containers, from the root down, are watched.
    pub(super) watched: usize,
    /// Offset of the next byte.
    pub(super) offset: usize,
    /// Whether the string being read is a member's name, and where it started.
    pub(super) in_name: bool,
    pub(super) name_start: usize,
    /// The part of a watched name that came with earlier pieces.
    pub(super) name_head: Vec<u8>,
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

    pub(crate) fn into_sink(self) -> S {
        self.sink
    }

    /// Reads on through `piece`, which holds whole characters of valid UTF-8.
    pub(crate) fn feed(&mut self, piece: &[u8]) -> Result<(), Fault> {
        let base = self.offset;
        let mut i = 0;
        while i < piece.len() {
            i = match (self.state.is_between_tokens(), self.watching()) {
                (false, _) => self.step(piece, i, base)?,
                (true, true) => self.run::<true>(piece, i, base)?,
                (true, false) => self.run::<false>(piece, i, base)?,
            };
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
                expected: self.state.expected(&self.nest),
            })
        }
    }

    #[inline]
    pub(super) fn watching(&self) -> bool {
        self.nest.depth() == self.watched
    }

    #[cold]
    pub(super) fn fault(&self, piece: &[u8], i: usize, base: usize) -> Fault {
        Fault {
            offset: base + i,
            found: found(piece.get(i..).unwrap_or_default()),
            expected: self.state.expected(&self.nest),
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
