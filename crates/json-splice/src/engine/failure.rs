//! What an operation's error says about the place where it stopped.

use super::Stop;
use super::overlay::Overlay;
use super::source::Source;
use super::tree::NodeId;
use crate::kind::Kind;
use crate::patch::{Operation, OperationError, OperationErrorKind};
use crate::pointer::Pointer;

/// So many names like the one asked for are listed.
const NEAR: usize = 3;

/// The operation that fails.
pub(super) struct Failure<'o> {
    pub(super) index: usize,
    pub(super) operation: &'o Operation,
}

impl Failure<'_> {
    /// The error: `path` are the nodes of `pointer` that exist.
    pub(super) fn stop<T, S: Source>(
        &self,
        overlay: &mut Overlay<S>,
        pointer: &Pointer,
        path: &[NodeId],
        kind: OperationErrorKind,
    ) -> Result<T, Stop<S::Error>> {
        let existing = path.len().saturating_sub(1);
        let id = *path.last().unwrap_or(&0);
        let near = match &kind {
            OperationErrorKind::NoSuchMember(name) => near(overlay, id, name)?,
            _ => Vec::new(),
        };
        let (text, start) = (overlay.node(id).text, overlay.node(id).span.start);
        let position = match text {
            0 => Some(overlay.source().position(start)?),
            _ => None,
        };
        Err(Stop::Operation(Box::new(OperationError {
            index: self.index,
            operation: self.operation.name(),
            pointer: pointer.clone(),
            kind,
            prefix: Pointer::from_tokens(pointer.tokens().iter().take(existing)),
            found: describe(overlay, id)?,
            position,
            near,
        })))
    }
}

/// A value in a few words.
fn describe<S: Source>(overlay: &mut Overlay<S>, id: NodeId) -> Result<String, S::Error> {
    let kind = overlay.node(id).kind;
    overlay.expand(id)?;
    let counted = |count: usize, noun: &str| match count {
        0 => format!("{kind} without {noun}s"),
        1 => format!("{kind} with 1 {noun}"),
        _ => format!("{kind} with {count} {noun}s"),
    };
    match overlay.inside_mut(id) {
        Some(inside) if kind == Kind::Array => Ok(counted(inside.elements(), "element")),
        Some(inside) => {
            let removed = inside.known.iter().filter(|child| child.removed).count();
            let added = inside.added.iter().flatten().count();
            Ok(counted(inside.len - removed + added, "member"))
        }
        None => {
            let node = overlay.node(id);
            let end = node.span.end.min(node.span.start + 4 * EXCERPT);
            let text = overlay.read(node.text, node.span.start..end)?;
            Ok(match kind {
                Kind::Null => "null".to_owned(),
                _ => format!("{kind} {}", excerpt(&String::from_utf8_lossy(&text))),
            })
        }
    }
}

/// Names in an object that look like `name`, the nearest first.
fn near<S: Source>(
    overlay: &mut Overlay<S>,
    id: NodeId,
    name: &str,
) -> Result<Vec<String>, S::Error> {
    overlay.expand(id)?;
    let Some(inside) = overlay.inside(id) else {
        return Ok(Vec::new());
    };
    let limit = (name.chars().count() / 3).max(1);
    let mut near: Vec<(usize, String)> = inside
        .names
        .iter()
        .filter(|(_, slot)| !matches!(slot, super::tree::Slot::Absent))
        .filter_map(|(key, _)| std::str::from_utf8(key).ok())
        .filter_map(|key| Some((distance(name, key, limit)?, key.to_owned())))
        .collect();
    near.sort();
    near.truncate(NEAR);
    Ok(near.into_iter().map(|(_, key)| key).collect())
}

/// The edit distance of two names, case aside, if it is at most `limit`.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (y, up) in b.iter().zip(row.iter().skip(1)) {
            let cost = (diagonal + usize::from(x != y)).min(left + 1).min(up + 1);
            diagonal = *up;
            left = cost;
            next.push(cost);
        }
        row = next;
    }
    row.last().copied().filter(|distance| *distance <= limit)
}

const EXCERPT: usize = 60;

/// The start of a text, on one line.
pub(super) fn excerpt(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    if line.chars().count() <= EXCERPT {
        return line;
    }
    let start: String = line.chars().take(EXCERPT).collect();
    format!("{start}...")
}
