//! Iteration over what an object or an array holds.

use super::node::Node;
use crate::kind::Kind;
use crate::text::{decode_lossy, skip_space, value_end};
use std::borrow::Cow;
use std::ops::Range;

/// The members of an object, from [`Node::members`].
#[derive(Debug, Clone)]
pub struct Members<'d> {
    text: &'d str,
    at: usize,
    end: usize,
}

/// The elements of an array, from [`Node::elements`].
#[derive(Debug, Clone)]
pub struct Elements<'d> {
    text: &'d str,
    at: usize,
    end: usize,
}

/// A member of an object: its name and its value.
#[derive(Debug, Clone)]
pub struct Member<'d> {
    text: &'d str,
    name: Range<usize>,
    value: Node<'d>,
}

/// Where the inside of `node` starts and ends, if it is of `kind`; else an empty range.
fn inside(node: &Node<'_>, kind: Kind) -> (usize, usize) {
    if node.kind() == kind {
        (node.span().start + 1, node.span().end.saturating_sub(1))
    } else {
        (0, 0)
    }
}

/// Past white space and one comma.
fn next_item(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let at = skip_space(bytes, at);
    match bytes.get(at) {
        Some(b',') => skip_space(bytes, at + 1),
        _ => at,
    }
}

impl<'d> Members<'d> {
    pub(super) fn new(node: &Node<'d>) -> Members<'d> {
        let (at, end) = inside(node, Kind::Object);
        Members {
            text: node.text(),
            at,
            end,
        }
    }
}

impl<'d> Iterator for Members<'d> {
    type Item = Member<'d>;

    fn next(&mut self) -> Option<Member<'d>> {
        let start = next_item(self.text, self.at);
        if start >= self.end {
            return None;
        }
        let bytes = self.text.as_bytes();
        let name = start..value_end(bytes, start);
        let colon = skip_space(bytes, name.end);
        let value = Node::at(self.text, skip_space(bytes, colon + 1));
        self.at = value.span().end;
        Some(Member {
            text: self.text,
            name,
            value,
        })
    }
}

impl<'d> Elements<'d> {
    pub(super) fn new(node: &Node<'d>) -> Elements<'d> {
        let (at, end) = inside(node, Kind::Array);
        Elements {
            text: node.text(),
            at,
            end,
        }
    }
}

impl<'d> Iterator for Elements<'d> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        let start = next_item(self.text, self.at);
        if start >= self.end {
            return None;
        }
        let element = Node::at(self.text, start);
        self.at = element.span().end;
        Some(element)
    }
}

impl<'d> Member<'d> {
    /// The name with its escapes undone; a lone surrogate becomes U+FFFD.
    pub fn name(&self) -> Cow<'d, str> {
        decode_lossy(self.raw_name())
    }

    /// Where the name stands, its quotes counted.
    pub fn name_span(&self) -> Range<usize> {
        self.name.clone()
    }

    /// The value.
    pub fn value(&self) -> Node<'d> {
        self.value
    }

    /// The text between the name's quotes.
    pub(crate) fn raw_name(&self) -> &'d str {
        self.text
            .get(self.name.start + 1..self.name.end.saturating_sub(1))
            .unwrap_or_default()
    }
}
