//! How what is put in is laid out: as its neighbours are.

use super::overlay::Overlay;
use super::source::Source;
use super::tree::{Container, NodeId};
use crate::kind::Kind;
use crate::text::{skip_space, value_end};
use std::ops::Range;

/// How the children of a container are laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// A child a line, or all in one line.
    pub(crate) lines: Option<Lines>,
    /// What one more level is indented by.
    pub(crate) unit: String,
    /// What stands between a name and its value.
    pub(crate) colon: String,
    /// What stands between two values in one line.
    pub(crate) comma: String,
}

/// The lines of a container that has a child a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lines {
    pub(crate) newline: &'static str,
    /// The children's indentation.
    pub(crate) indent: String,
}

/// So far up the containers around are asked about layout.
const LEVELS: usize = 16;

impl Place {
    /// What stands between two children where no neighbours show it.
    pub(crate) fn separator(&self) -> String {
        match &self.lines {
            Some(lines) => format!(",{}{}", lines.newline, lines.indent),
            None => self.comma.clone(),
        }
    }

    /// What stands before the first and after the last child of a container that was empty.
    pub(crate) fn edges(&self) -> (String, String) {
        match &self.lines {
            Some(Lines { newline, indent }) => {
                let outer = indent.strip_suffix(&self.unit).unwrap_or(indent);
                (format!("{newline}{indent}"), format!("{newline}{outer}"))
            }
            None => (String::new(), String::new()),
        }
    }

    /// The layout of a document that shows none.
    fn unknown() -> Place {
        Place {
            lines: None,
            unit: "  ".to_owned(),
            colon: ": ".to_owned(),
            comma: ", ".to_owned(),
        }
    }

    /// The same place, with everything on one line.
    pub(crate) fn in_one_line(&self) -> Place {
        Place {
            lines: None,
            ..self.clone()
        }
    }
}

/// The layout for children of the last of `path`, the containers from the root down.
pub(crate) fn place<S: Source>(overlay: &Overlay<S>, path: &[NodeId]) -> Result<Place, S::Error> {
    let around = path
        .get(path.len().saturating_sub(LEVELS)..)
        .unwrap_or(path);
    around
        .iter()
        .try_fold(Place::unknown(), |outer, id| match overlay.inside(*id) {
            Some(Container {
                place: Some(place), ..
            }) => Ok(place.clone()),
            _ => shown(overlay, *id, &outer),
        })
}

/// The layout for a value that takes the place of the document's own outermost one.
pub(crate) fn root_place<S: Source>(overlay: &Overlay<S>) -> Result<Place, S::Error> {
    let root = overlay.first_root();
    let mut place = shown(overlay, root, &Place::unknown())?;
    if let Some(lines) = &mut place.lines {
        lines.indent.clear();
    }
    Ok(place)
}

/// What the children of one container show; `outer` is the layout around it.
fn shown<S: Source>(overlay: &Overlay<S>, id: NodeId, outer: &Place) -> Result<Place, S::Error> {
    let node = overlay.node(id);
    let Some(inside) = overlay.inside(id) else {
        return Ok(outer.clone());
    };
    let space = |range: Range<usize>| -> Result<String, S::Error> {
        let bytes = overlay.read(node.text, range)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let (open, close) = (node.span.start + 1, node.span.end.saturating_sub(1));
    let (Some(first), Some(last)) = (inside.known.first(), inside.known.last()) else {
        return Ok(empty(&space(open..close)?, outer));
    };
    let head = space(open..first.start())?;
    let tail = space(last.value.end..close)?;
    let gap = match inside.child(inside.len.wrapping_sub(2)) {
        Some(previous) => Some(space(previous.value.end..last.start())?),
        None => None,
    };
    let colon = match node.kind {
        Kind::Object => space(last.name.end..last.value.start)?,
        _ => outer.colon.clone(),
    };
    let lines = indentation(&head).or_else(|| indentation(gap.as_deref()?));
    let unit = match (&lines, indentation(&tail)) {
        (Some(inner), Some(closing)) => inner.indent.strip_prefix(&closing.indent),
        (Some(inner), None) => outer
            .lines
            .as_ref()
            .and_then(|lines| inner.indent.strip_prefix(&lines.indent)),
        _ => None,
    };
    let unit = match (unit, &lines) {
        (Some(unit), _) if !unit.is_empty() => unit.to_owned(),
        (_, Some(inner)) if inner.indent.starts_with('\t') => "\t".to_owned(),
        _ => outer.unit.clone(),
    };
    let comma = match gap {
        Some(gap) if !gap.contains('\n') => gap,
        _ if colon.ends_with(' ') => ", ".to_owned(),
        _ if node.kind == Kind::Object => ",".to_owned(),
        _ => outer.comma.clone(),
    };
    Ok(Place {
        lines,
        unit,
        colon,
        comma,
    })
}

/// The layout for the children of a container that is empty but for `space`.
fn empty(space: &str, outer: &Place) -> Place {
    let lines = match (indentation(space), &outer.lines) {
        (Some(closing), _) => Some(Lines {
            indent: closing.indent + &outer.unit,
            ..closing
        }),
        (None, Some(around)) => Some(Lines {
            newline: around.newline,
            indent: format!("{}{}", around.indent, outer.unit),
        }),
        (None, None) => None,
    };
    Place {
        lines,
        ..outer.clone()
    }
}

/// The line end and the indentation that `space` ends with, if it holds a line end.
fn indentation(space: &str) -> Option<Lines> {
    let (before, indent) = space.rsplit_once('\n')?;
    Some(Lines {
        newline: if before.ends_with('\r') { "\r\n" } else { "\n" },
        indent: indent.chars().filter(|c| *c != ',').collect(),
    })
}

/// Whether the container that starts with `text` holds something and keeps it on the line of its
/// bracket.
pub(crate) fn stays_in_line(text: &[u8]) -> bool {
    let mut bytes = text.iter();
    if !matches!(bytes.next(), Some(b'{' | b'[')) {
        return false;
    }
    for byte in bytes {
        match byte {
            b' ' | b'\t' => {}
            b'\r' | b'\n' | b'}' | b']' => return false,
            _ => return true,
        }
    }
    false
}

/// A value's text laid out for `place`: every token as it is, white space as the place has it.
pub(crate) fn lay_out(value: &str, place: &Place) -> Vec<u8> {
    let bytes = value.as_bytes();
    let mut text = Vec::with_capacity(bytes.len());
    let mut depth = 0usize;
    let line = |text: &mut Vec<u8>, depth: usize| {
        if let Some(lines) = &place.lines {
            text.extend_from_slice(lines.newline.as_bytes());
            text.extend_from_slice(lines.indent.as_bytes());
            (0..depth).for_each(|_| text.extend_from_slice(place.unit.as_bytes()));
        }
    };
    let mut i = skip_space(bytes, 0);
    while let Some(byte) = bytes.get(i) {
        let end = match byte {
            b'{' | b'[' | b'}' | b']' | b',' | b':' => i + 1,
            _ => value_end(bytes, i).max(i + 1),
        };
        let next = skip_space(bytes, end);
        let closes = matches!(bytes.get(next), Some(b'}' | b']'));
        match byte {
            b'{' | b'[' => {
                text.push(*byte);
                if !closes {
                    depth += 1;
                    line(&mut text, depth);
                }
            }
            b'}' | b']' => {
                if !matches!(text.last(), Some(b'{' | b'[')) {
                    depth = depth.saturating_sub(1);
                    line(&mut text, depth);
                }
                text.push(*byte);
            }
            b',' if place.lines.is_some() => {
                text.push(b',');
                line(&mut text, depth);
            }
            b',' => text.extend_from_slice(place.comma.as_bytes()),
            b':' => text.extend_from_slice(place.colon.as_bytes()),
            _ => text.extend_from_slice(bytes.get(i..end).unwrap_or_default()),
        }
        i = next;
    }
    text
}

/// A text of the document moved to `place`: tokens and lines as they are, the indentation shifted.
pub(crate) fn shift(value: &str, place: &Place) -> Vec<u8> {
    if !value.contains('\n') {
        return value.as_bytes().to_vec();
    }
    let Some(lines) = &place.lines else {
        return lay_out(value, place);
    };
    let last = value.rsplit('\n').next().unwrap_or_default();
    let base = last
        .get(..last.len() - last.trim_start().len())
        .unwrap_or_default();
    let mut shifted = String::with_capacity(value.len());
    for (number, line) in value.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if number == 0 {
            shifted.push_str(line);
            continue;
        }
        shifted.push_str(lines.newline);
        match line.strip_prefix(base) {
            Some(rest) => {
                shifted.push_str(&lines.indent);
                shifted.push_str(rest);
            }
            None => shifted.push_str(line),
        }
    }
    shifted.into_bytes()
}
