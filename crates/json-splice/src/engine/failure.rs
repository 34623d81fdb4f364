//! What an operation's error says about the place where it stopped.

use super::Stop;
use super::overlay::Overlay;
use super::source::Source;
use super::survey::{Near, Survey};
use super::tree::{NodeId, Slot};
use crate::kind::Kind;
use crate::patch::{Operation, OperationError, OperationErrorKind, RawValue};
use crate::pointer::Pointer;

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
        let asked = match &kind {
            OperationErrorKind::NoSuchMember(name) => Some(name.as_str()),
            _ => None,
        };
        let (found, near) = describe(overlay, id, asked)?;
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
            found,
            position,
            near,
        })))
    }
}

/// A value in a few words, and names in it that look like the one asked for.
fn describe<S: Source>(
    overlay: &Overlay<S>,
    id: NodeId,
    asked: Option<&str>,
) -> Result<(String, Vec<String>), S::Error> {
    let node = overlay.node(id);
    let kind = node.kind;
    if !kind.is_container() {
        let end = node.span.end.min(node.span.start + 4 * EXCERPT);
        let text = overlay.read(node.text, node.span.start..end)?;
        let text = match kind {
            Kind::Null => "null".to_owned(),
            _ => format!("{kind} {}", excerpt(&String::from_utf8_lossy(&text))),
        };
        return Ok((text, Vec::new()));
    }
    let inside = overlay.inside(id);
    let removed = |name: &str| {
        let slot = inside.and_then(|inside| inside.names.get(name.as_bytes()));
        matches!(slot, Some(Slot::Absent))
    };
    let near = Near::new(asked.unwrap_or_default(), &removed);
    let (in_text, mut near) = overlay.scan(id, Survey::new(near))?.result();
    let mut count = in_text;
    if let Some(inside) = inside {
        count = inside.count(kind);
        inside.added.iter().flatten().for_each(|added| {
            if let Ok(name) = added.name.parse::<RawValue>() {
                near.consider(&name.node().as_str().unwrap_or_default());
            }
        });
    }
    let noun = if kind == Kind::Array {
        "element"
    } else {
        "member"
    };
    let found = match count {
        0 => format!("{kind} without {noun}s"),
        1 => format!("{kind} with 1 {noun}"),
        _ => format!("{kind} with {count} {noun}s"),
    };
    let near = if asked.is_some() {
        near.names()
    } else {
        Vec::new()
    };
    Ok((found, near))
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
