//! Whether two values are the same, as RFC 6902 section 4.6 has it.

use super::node::Node;
use crate::kind::Kind;
use crate::text::{decode, same_number, skip_space, value_end};
use std::borrow::Cow;
use std::collections::HashMap;

/// Compares with a stack of its own and in one pass over each side's brackets, so that depth costs
/// nothing extra.
pub(crate) fn same_value(a: Node<'_>, b: Node<'_>) -> bool {
    if a.kind() != b.kind() {
        return false;
    }
    let (left, right) = (Ends::of(a), Ends::of(b));
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        if a.kind() != b.kind() {
            return false;
        }
        let same = match a.kind() {
            Kind::Null | Kind::Bool => a.literal() == b.literal(),
            Kind::Number => same_number(a.literal(), b.literal()),
            Kind::String => string(a) == string(b),
            Kind::Array => {
                let (a, b) = (left.children(a), right.children(b));
                let same = a.len() == b.len();
                pairs.extend(a.into_iter().zip(b).map(|((_, a), (_, b))| (a, b)));
                same
            }
            Kind::Object => {
                let (a, mut b) = (members(left.children(a)), members(right.children(b)));
                a.len() == b.len()
                    && a.into_iter().all(|(name, a)| {
                        let b = b.remove(&name);
                        pairs.extend(b.map(|b| (a, b)));
                        b.is_some()
                    })
            }
        };
        if !same {
            return false;
        }
    }
    true
}

fn string<'d>(node: Node<'d>) -> Cow<'d, [u8]> {
    decode(node.raw_string().unwrap_or_default().as_bytes())
}

/// A child: a member's name between its quotes, if it is one, and the value.
type Child<'d> = (&'d str, Node<'d>);

/// Members by their names unescaped; of a name that stands twice the last.
fn members<'d>(children: Vec<Child<'d>>) -> HashMap<Cow<'d, [u8]>, Node<'d>> {
    let member = |(name, value): Child<'d>| (decode(name.as_bytes()), value);
    children.into_iter().map(member).collect()
}

/// Where the containers of a value start and end, in the order of their starts.
struct Ends {
    spans: Vec<(usize, usize)>,
}

impl Ends {
    fn of(node: Node<'_>) -> Ends {
        let bytes = node.text().as_bytes();
        let (mut spans, mut open) = (Vec::new(), Vec::new());
        let mut i = node.span().start;
        while i < node.span().end {
            match bytes.get(i) {
                Some(b'"') => {
                    i = value_end(bytes, i);
                    continue;
                }
                Some(b'{' | b'[') => {
                    open.push(spans.len());
                    spans.push((i, i + 1));
                }
                Some(b'}' | b']') => {
                    if let Some((_, end)) = open.pop().and_then(|last| spans.get_mut(last)) {
                        *end = i + 1;
                    }
                }
                _ => {}
            }
            i += 1;
        }
        Ends { spans }
    }

    /// What a container holds.
    fn children<'d>(&self, node: Node<'d>) -> Vec<Child<'d>> {
        let text = node.text();
        let bytes = text.as_bytes();
        let mut children = Vec::new();
        let mut i = skip_space(bytes, node.span().start + 1);
        while i + 1 < node.span().end {
            let mut name = "";
            if node.kind() == Kind::Object {
                let end = value_end(bytes, i);
                name = text.get(i + 1..end - 1).unwrap_or_default();
                i = skip_space(bytes, skip_space(bytes, end) + 1);
            }
            let end = match self.spans.binary_search_by_key(&i, |(start, _)| *start) {
                Ok(at) => self.spans.get(at).map_or(i, |(_, end)| *end),
                Err(_) => value_end(bytes, i),
            };
            children.push((name, Node::spanning(text, i..end)));
            i = skip_space(bytes, skip_space(bytes, end) + 1);
        }
        children
    }
}
