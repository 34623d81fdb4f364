//! One value of a document.

use super::members::{Elements, Members};
use crate::kind::Kind;
use crate::pointer::{Pointer, array_index};
use crate::text::{decode, decode_lossy, value_end};
use std::borrow::Cow;
use std::ops::Range;

/// A value of a [`Document`](crate::Document): its kind, its text as it stands, and its span.
#[derive(Debug, Clone, Copy)]
pub struct Node<'d> {
    text: &'d str,
    start: usize,
    end: usize,
    kind: Kind,
}

impl<'d> Node<'d> {
    /// The value that starts at `start` of a valid text.
    pub(crate) fn at(text: &'d str, start: usize) -> Node<'d> {
        Node::spanning(text, start..value_end(text.as_bytes(), start))
    }

    /// The value that stands at `span` of a valid text.
    pub(crate) fn spanning(text: &'d str, span: Range<usize>) -> Node<'d> {
        let first = text.as_bytes().get(span.start);
        let kind = first.and_then(|byte| Kind::of_first_byte(*byte));
        Node {
            text,
            start: span.start,
            end: span.end,
            kind: kind.unwrap_or(Kind::Null),
        }
    }

    /// What sort of value this is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The value's text, exactly as it stands in the document.
    pub fn literal(&self) -> &'d str {
        self.text.get(self.span()).unwrap_or_default()
    }

    /// Where the value stands, in bytes from the start of the file (a byte order mark counted).
    pub fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The whole text that this value is part of.
    pub(crate) fn text(&self) -> &'d str {
        self.text
    }

    /// The member `key` of an object, the last one if there are several.
    pub fn get(&self, key: &str) -> Option<Node<'d>> {
        self.members()
            .filter(|member| spells(member.raw_name(), key))
            .last()
            .map(|member| member.value())
    }

    /// The element `index` (from 0) of an array.
    pub fn element(&self, index: usize) -> Option<Node<'d>> {
        self.elements().nth(index)
    }

    /// The value at `pointer`, seen from this one.
    pub fn find(&self, pointer: &Pointer) -> Option<Node<'d>> {
        pointer
            .tokens()
            .iter()
            .try_fold(*self, |node, token| match node.kind {
                Kind::Object => node.get(token),
                Kind::Array => node.element(array_index(token)?),
                _ => None,
            })
    }

    /// The members of an object in their order, each of a key that stands twice; nothing for
    /// another kind.
    pub fn members(&self) -> Members<'d> {
        Members::new(self)
    }

    /// The elements of an array; nothing for another kind.
    pub fn elements(&self) -> Elements<'d> {
        Elements::new(self)
    }

    /// How many members or elements stand here (a key that stands twice counts twice).
    pub fn len(&self) -> usize {
        match self.kind {
            Kind::Object => self.members().count(),
            _ => self.elements().count(),
        }
    }

    /// Whether no member or element stands here.
    pub fn is_empty(&self) -> bool {
        self.members().next().is_none() && self.elements().next().is_none()
    }

    /// A string with its escapes undone; a lone surrogate becomes U+FFFD. `None` for another kind.
    pub fn as_str(&self) -> Option<Cow<'d, str>> {
        self.raw_string().map(decode_lossy)
    }

    /// `true` or `false`; `None` for another kind.
    pub fn as_bool(&self) -> Option<bool> {
        match (self.kind, self.literal()) {
            (Kind::Bool, literal) => Some(literal == "true"),
            _ => None,
        }
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        self.kind == Kind::Null
    }

    /// Whether both are the same JSON value (RFC 6902 section 4.6): numbers equal as decimals of
    /// any length, strings equal once unescaped (by UTF-16 units, so that lone surrogates count),
    /// arrays element by element, objects in any order. Of a key that stands twice the last counts.
    pub fn same_value(&self, other: Node<'_>) -> bool {
        super::same_value(*self, other)
    }

    /// The text between a string's quotes.
    pub(crate) fn raw_string(&self) -> Option<&'d str> {
        match self.kind {
            Kind::String => self.text.get(self.start + 1..self.end.saturating_sub(1)),
            _ => None,
        }
    }
}

/// Whether the text between a name's quotes spells `key`.
fn spells(raw: &str, key: &str) -> bool {
    // An escape is longer than what it stands for.
    raw.len() >= key.len() && *decode(raw.as_bytes()) == *key.as_bytes()
}
