//! The scan's sink that picks out what one container holds.

use crate::kind::Kind;
use crate::pointer::{Pointer, array_index};
use crate::scan::Sink;
use crate::text::decode;
use std::collections::VecDeque;
use std::ops::Range;

/// A member or an element that has ended: its name's text as it stands between the quotes, and its
/// value's span.
pub(super) type Picked = (Option<String>, Range<usize>);

/// Reports the children of the container at a pointer.
#[derive(Debug)]
pub(super) struct Picker {
    tokens: Vec<String>,
    /// The containers on the way that are open: for each, its kind and how many children began.
    open: Vec<(Kind, usize)>,
    name: Option<String>,
    /// Where the child began that has not ended and is not one of `open`.
    child: Option<usize>,
    picked: VecDeque<Picked>,
    outcome: Outcome,
}

/// Whether the container was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Nothing stood there, so far.
    Missing,
    /// It was there.
    Found,
    /// Another value was there.
    Other(Kind),
    /// A key on the way stands twice.
    Twice,
}

impl Picker {
    pub(super) fn new(pointer: &Pointer) -> Picker {
        Picker {
            tokens: pointer.tokens().to_vec(),
            open: Vec::new(),
            name: None,
            child: None,
            picked: VecDeque::new(),
            outcome: Outcome::Missing,
        }
    }

    pub(super) fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The next child of the container asked for.
    pub(super) fn next(&mut self) -> Option<Picked> {
        self.picked.pop_front()
    }

    /// Where the oldest byte stands that is still needed, if any is.
    pub(super) fn needed_from(&self) -> Option<usize> {
        self.child.filter(|_| self.arrived())
    }

    /// Whether the innermost open container is the one asked for.
    fn arrived(&self) -> bool {
        self.open.len() == self.tokens.len() + 1
    }

    /// Whether the value that begins is the next one on the way to the container asked for.
    fn on_the_way(&mut self) -> bool {
        let depth = self.open.len();
        let name = self.name.take();
        let Some((kind, children)) = self.open.last_mut() else {
            return true;
        };
        let index = *children;
        *children += 1;
        let Some(token) = self.tokens.get(depth - 1) else {
            return false;
        };
        match (kind, name) {
            (Kind::Object, Some(name)) => *decode(name.as_bytes()) == *token.as_bytes(),
            _ => array_index(token) == Some(index),
        }
    }
}

impl Sink for Picker {
    fn begin(&mut self, at: usize, kind: Kind) -> bool {
        let opens = !self.arrived() && self.on_the_way() && {
            let last = self.open.len() == self.tokens.len();
            self.outcome = match self.outcome {
                Outcome::Missing if kind.is_container() && last => Outcome::Found,
                Outcome::Missing if kind.is_container() => Outcome::Missing,
                Outcome::Missing => Outcome::Other(kind),
                _ => Outcome::Twice,
            };
            kind.is_container() && matches!(self.outcome, Outcome::Missing | Outcome::Found)
        };
        if opens {
            self.open.push((kind, 0));
        } else {
            self.child = Some(at);
        }
        opens
    }

    fn end(&mut self, at: usize) {
        match self.child.take() {
            None => {
                self.open.pop();
            }
            Some(start) if self.arrived() => {
                self.picked.push_back((self.name.take(), start..at));
            }
            Some(_) => {}
        }
    }

    fn name(&mut self, raw: &[u8], _escaped: bool, _span: Range<usize>) {
        self.name = Some(String::from_utf8_lossy(raw).into_owned());
    }
}
