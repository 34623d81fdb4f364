//! Whether two values are the same, as RFC 6902 section 4.6 has it.

use super::node::Node;
use crate::kind::Kind;
use crate::text::{decode, same_number};
use std::borrow::Cow;
use std::collections::HashMap;

/// Compares with a stack of its own, so that depth is no limit.
pub(crate) fn same_value(a: Node<'_>, b: Node<'_>) -> bool {
    let mut pairs = vec![(a, b)];
    while let Some((a, b)) = pairs.pop() {
        if a.kind() != b.kind() {
            return false;
        }
        let same = match a.kind() {
            Kind::Null | Kind::Bool => a.literal() == b.literal(),
            Kind::Number => same_number(a.literal(), b.literal()),
            Kind::String => string(a) == string(b),
            // The same text is the same value, whatever it holds.
            _ if a.literal() == b.literal() => true,
            Kind::Array => {
                let (mut left, mut right) = (a.elements(), b.elements());
                loop {
                    match (left.next(), right.next()) {
                        (Some(a), Some(b)) => pairs.push((a, b)),
                        (None, None) => break true,
                        _ => break false,
                    }
                }
            }
            Kind::Object => {
                let (left, mut right) = (members(a), members(b));
                left.len() == right.len()
                    && left.into_iter().all(|(name, a)| match right.remove(&name) {
                        Some(b) => {
                            pairs.push((a, b));
                            true
                        }
                        None => false,
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

fn members<'d>(node: Node<'d>) -> HashMap<Cow<'d, [u8]>, Node<'d>> {
    node.members()
        .map(|member| (decode(member.raw_name().as_bytes()), member.value()))
        .collect()
}
