//! From the overlay back to text: what changed, as splices.

use super::layout::Place;
use super::overlay::Overlay;
use super::pieces::{Piece, Pieces};
use super::source::Source;
use super::tree::{Child, Container, NodeId};
use crate::edit::{Edits, Splice};
use crate::kind::Kind;
use std::ops::Range;

/// A change of one text: `range` gives way to `parts`.
#[derive(Debug)]
struct Cut {
    range: Range<usize>,
    parts: Vec<Part>,
}

/// What stands in a changed place.
#[derive(Debug)]
enum Part {
    Text(Vec<u8>),
    Value(NodeId),
}

/// What is left of a container: blocks of its own children, and what was put between them.
enum Block {
    Kept(Range<usize>),
    Added(Vec<Part>),
}

/// The splices that turn the source into what the overlay says.
pub(super) fn edits<S: Source>(overlay: &Overlay<S>) -> Result<Edits, S::Error> {
    let first = overlay.first_root();
    let cuts = if overlay.root() == first {
        cuts(overlay, first)?
    } else {
        vec![Cut {
            range: overlay.node(first).span.clone(),
            parts: vec![Part::Value(overlay.root())],
        }]
    };
    let mut splices = Vec::with_capacity(cuts.len());
    for Cut { range, parts } in cuts {
        let replacement = render(overlay, parts)?;
        let changed = range.len() != replacement.len()
            || *overlay.source().read(range.clone())? != *replacement;
        if changed {
            splices.push(Splice { range, replacement });
        }
    }
    // The cuts of one text are disjoint by construction.
    Ok(Edits::new(splices).unwrap_or_default())
}

/// The text of a value as it is now.
pub(super) fn text<S: Source>(overlay: &Overlay<S>, id: NodeId) -> Result<Vec<u8>, S::Error> {
    render(overlay, vec![Part::Value(id)])
}

fn render<S: Source>(overlay: &Overlay<S>, parts: Vec<Part>) -> Result<Vec<u8>, S::Error> {
    enum Task {
        Part(Part),
        Copy(usize, Range<usize>),
    }
    let mut text = Vec::new();
    let mut tasks: Vec<Task> = parts.into_iter().rev().map(Task::Part).collect();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Copy(from, range) => text.extend_from_slice(&overlay.read(from, range)?),
            Task::Part(Part::Text(bytes)) => text.extend_from_slice(&bytes),
            Task::Part(Part::Value(id)) => {
                let node = overlay.node(id);
                let mut end = node.span.end;
                for cut in cuts(overlay, id)?.into_iter().rev() {
                    tasks.push(Task::Copy(node.text, cut.range.end..end));
                    tasks.extend(cut.parts.into_iter().rev().map(Task::Part));
                    end = cut.range.start;
                }
                tasks.push(Task::Copy(node.text, node.span.start..end));
            }
        }
    }
    Ok(text)
}

/// The changes of a value's own text, in order.
fn cuts<S: Source>(overlay: &Overlay<S>, id: NodeId) -> Result<Vec<Cut>, S::Error> {
    let mut cuts = Vec::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        let node = overlay.node(id);
        let Some(inside) = &node.inside else {
            continue;
        };
        for child in inside.known.iter().filter(|child| !child.removed) {
            match child.node {
                Some(value) if overlay.node(value).text == node.text => open.push(value),
                Some(value) => cuts.push(Cut {
                    range: child.value.clone(),
                    parts: vec![Part::Value(value)],
                }),
                None => {}
            }
        }
        let children = Children {
            overlay,
            text: node.text,
            inside,
            open: node.span.start + 1,
            close: node.span.end.saturating_sub(1),
        };
        children.cuts(blocks(inside, node.kind), &mut cuts)?;
    }
    cuts.sort_by_key(|cut| (cut.range.start, cut.range.end));
    Ok(cuts)
}

/// What is left of a container, in order.
fn blocks(inside: &Container, kind: Kind) -> Vec<Block> {
    let mut blocks = Vec::new();
    if kind == Kind::Array {
        for piece in inside.pieces.iter().flat_map(Pieces::iter) {
            blocks.push(match piece {
                Piece::Kept(range) => Block::Kept(range.clone()),
                Piece::Added(node) => Block::Added(vec![Part::Value(*node)]),
            });
        }
        if inside.pieces.is_none() {
            blocks.push(Block::Kept(0..inside.len));
        }
        return blocks;
    }
    let mut start = 0;
    for child in inside.known.iter().filter(|child| child.removed) {
        blocks.push(Block::Kept(start..child.index));
        start = child.index + 1;
    }
    blocks.push(Block::Kept(start..inside.len));
    for added in inside.added.iter().flatten() {
        let colon = inside.place.as_ref().map_or(": ", |place| &place.colon);
        let name = format!("{}{colon}", added.name);
        blocks.push(Block::Added(vec![
            Part::Text(name.into_bytes()),
            Part::Value(added.node),
        ]));
    }
    blocks
}

/// A container's children in its text.
struct Children<'o, S> {
    overlay: &'o Overlay<S>,
    text: usize,
    inside: &'o Container,
    open: usize,
    close: usize,
}

impl<S: Source> Children<'_, S> {
    /// The changes that leave `blocks`.
    fn cuts(&self, blocks: Vec<Block>, cuts: &mut Vec<Cut>) -> Result<(), S::Error> {
        let mut kept_to = 0;
        let mut added = Vec::new();
        for block in blocks {
            match block {
                Block::Added(parts) => added.push(parts),
                Block::Kept(range) if range.is_empty() => {}
                Block::Kept(range) => {
                    let gap = kept_to..range.start;
                    cuts.extend(self.before_kept(gap, std::mem::take(&mut added))?);
                    kept_to = range.end;
                }
            }
        }
        cuts.extend(self.at_end(kept_to, added)?);
        Ok(())
    }

    /// The children `gone` are removed, `added` stand there now, and a kept child follows.
    fn before_kept(
        &self,
        gone: Range<usize>,
        added: Vec<Vec<Part>>,
    ) -> Result<Option<Cut>, S::Error> {
        let (Some(first), Some(next)) = (self.child(gone.start), self.child(gone.end)) else {
            return Ok(None);
        };
        if added.is_empty() {
            return Ok((!gone.is_empty()).then(|| Cut {
                range: first.start()..next.start(),
                parts: Vec::new(),
            }));
        }
        let separator = self.separator(gone.end)?;
        if !gone.is_empty() {
            return Ok(self.child(gone.end - 1).map(|last| Cut {
                range: first.start()..last.value.end,
                parts: join(added, &separator),
            }));
        }
        let mut parts = join(added, &separator);
        parts.push(Part::Text(separator));
        Ok(Some(Cut {
            range: next.start()..next.start(),
            parts,
        }))
    }

    /// The children from `kept_to` on are removed and `added` stand there now.
    fn at_end(&self, kept_to: usize, added: Vec<Vec<Part>>) -> Result<Option<Cut>, S::Error> {
        let len = self.inside.len;
        let Some(last) = self.child(len.wrapping_sub(1)) else {
            return Ok(self.in_empty(added));
        };
        let end = last.value.end;
        if added.is_empty() {
            let range = match kept_to {
                _ if kept_to == len => return Ok(None),
                0 => Some(self.open..self.close),
                _ => self.child(kept_to - 1).map(|kept| kept.value.end..end),
            };
            let parts = Vec::new();
            return Ok(range.map(|range| Cut { range, parts }));
        }
        let separator = self.separator(len)?;
        if kept_to < len {
            return Ok(self.child(kept_to).map(|first| Cut {
                range: first.start()..end,
                parts: join(added, &separator),
            }));
        }
        let mut parts = vec![Part::Text(separator.clone())];
        parts.extend(join(added, &separator));
        Ok(Some(Cut {
            range: end..end,
            parts,
        }))
    }

    /// The container was empty and `added` stand there now.
    fn in_empty(&self, added: Vec<Vec<Part>>) -> Option<Cut> {
        let place = self.inside.place.as_ref()?;
        if added.is_empty() {
            return None;
        }
        let (before, after) = place.edges();
        let mut parts = vec![Part::Text(before.into_bytes())];
        parts.extend(join(added, place.separator().as_bytes()));
        parts.push(Part::Text(after.into_bytes()));
        Some(Cut {
            range: self.open..self.close,
            parts,
        })
    }

    /// What stands between children around `index`: before it, else after it, else what the
    /// container's layout has.
    fn separator(&self, index: usize) -> Result<Vec<u8>, S::Error> {
        let index = index.clamp(1, self.inside.len.saturating_sub(1).max(1));
        match (self.child(index - 1), self.child(index)) {
            (Some(a), Some(b)) => {
                let gap = self.overlay.read(self.text, a.value.end..b.start())?;
                Ok(gap.into_owned())
            }
            _ => {
                let place = self.inside.place.as_ref().map(Place::separator);
                Ok(place.unwrap_or_else(|| ",".to_owned()).into_bytes())
            }
        }
    }

    fn child(&self, index: usize) -> Option<&Child> {
        self.inside.child(index)
    }
}

fn join(items: Vec<Vec<Part>>, separator: &[u8]) -> Vec<Part> {
    let mut parts = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            parts.push(Part::Text(separator.to_vec()));
        }
        parts.extend(item);
    }
    parts
}
