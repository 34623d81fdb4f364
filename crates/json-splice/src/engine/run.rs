//! One operation after the other, on the overlay.

use super::Stop;
use super::failure::Failure;
use super::flatten;
use super::layout::{self, Place};
use super::overlay::{At, Look, Overlay};
use super::source::Source;
use super::tree::NodeId;
use crate::document::Document;
use crate::kind::Kind;
use crate::patch::{Operation, OperationErrorKind, RawValue};
use crate::pointer::Pointer;

/// A text to put in, and whether it comes from the document.
enum Text<'v> {
    Given(&'v RawValue),
    Taken(Vec<u8>),
}

/// Carries out one operation, or says why not; the overlay is then of no more use.
pub(super) fn run<S: Source>(
    overlay: &mut Overlay<S>,
    index: usize,
    operation: &Operation,
) -> Result<(), Stop<S::Error>> {
    let mut runner = Runner {
        overlay,
        failure: Failure { index, operation },
    };
    match operation {
        Operation::Add { path, value } => runner.add(path, Text::Given(value)),
        Operation::Remove { path } => runner.remove(path),
        Operation::Replace { path, value } => runner.replace(path, value),
        Operation::Move { from, path } => runner.relocate(from, path),
        Operation::Copy { from, path } => {
            let taken = runner.text(from)?;
            runner.add(path, Text::Taken(taken))
        }
        Operation::Test { path, value } => runner.test(path, value),
    }
}

struct Runner<'o, S> {
    overlay: &'o mut Overlay<S>,
    failure: Failure<'o>,
}

impl<S: Source> Runner<'_, S> {
    /// The nodes from the root down to the one at `tokens` of `pointer`.
    fn walk(&mut self, pointer: &Pointer, depth: usize) -> Result<Vec<NodeId>, Stop<S::Error>> {
        let mut path = vec![self.overlay.root()];
        let tokens = pointer.tokens();
        for (level, token) in tokens.iter().enumerate().take(depth) {
            let id = *path.last().unwrap_or(&0);
            self.overlay
                .locate(id, tokens.get(level..).unwrap_or_default())?;
            let at = match self.overlay.look(id, token)? {
                Look::There(at) => at,
                look => return self.missing(pointer, &path, token, look),
            };
            path.push(self.overlay.child(id, at)?);
        }
        Ok(path)
    }

    /// The containers down to the parent of the place, and its token. Not for the root.
    fn parent<'p>(
        &mut self,
        pointer: &'p Pointer,
        token: &'p str,
    ) -> Result<(Vec<NodeId>, &'p str), Stop<S::Error>> {
        let path = self.walk(pointer, pointer.tokens().len() - 1)?;
        Ok((path, token))
    }

    fn missing<T>(
        &mut self,
        pointer: &Pointer,
        path: &[NodeId],
        token: &str,
        look: Look,
    ) -> Result<T, Stop<S::Error>> {
        let kind = match look {
            Look::NoElement { index, len } => OperationErrorKind::NoSuchElement { index, len },
            Look::NoIndex => OperationErrorKind::NotAnIndex(token.to_owned()),
            Look::NotAContainer => OperationErrorKind::NotAContainer,
            Look::Twice(span) => {
                let text = self.overlay.node(*path.last().unwrap_or(&0)).text;
                let again = match text {
                    0 => Some(self.overlay.source().position(span.start)?),
                    _ => None,
                };
                OperationErrorKind::DuplicateKey {
                    name: token.to_owned(),
                    again,
                }
            }
            Look::NoMember | Look::There(_) => OperationErrorKind::NoSuchMember(token.to_owned()),
        };
        self.failure.stop(self.overlay, pointer, path, kind)
    }

    fn add(&mut self, path: &Pointer, text: Text<'_>) -> Result<(), Stop<S::Error>> {
        let Some(token) = path.last() else {
            return self.put_root(text);
        };
        let (nodes, token) = self.parent(path, token)?;
        let id = *nodes.last().unwrap_or(&0);
        let look = self.overlay.look(id, token)?;
        let array = self.overlay.node(id).kind == Kind::Array;
        let position = match (look, array) {
            (Look::There(at), false) => return self.put(&nodes, at, text),
            (Look::NoMember, false) => None,
            (Look::There(_), true) => crate::pointer::array_index(token),
            (Look::NoIndex, true) if token == "-" => {
                self.overlay.inside_mut(id).map(|inside| inside.elements())
            }
            (Look::NoElement { index, len }, true) if index == len => Some(len),
            (look, _) => return self.missing(path, &nodes, token, look),
        };
        let place = layout::place(self.overlay, &nodes)?;
        let in_line = self.neighbour_in_line(id, position)?;
        let node = self.lay_out(text, &place, in_line);
        if let Some(inside) = self.overlay.inside_mut(id) {
            inside.place = Some(place);
        }
        match position {
            None => self.overlay.add_member(id, token, node),
            Some(position) => self.overlay.add_element(id, position, node)?,
        }
        Ok(())
    }

    fn remove(&mut self, path: &Pointer) -> Result<(), Stop<S::Error>> {
        let Some(token) = path.last() else {
            let root = [self.overlay.root()];
            let kind = OperationErrorKind::RemoveRoot;
            return self.failure.stop(self.overlay, path, &root, kind);
        };
        let (nodes, token) = self.parent(path, token)?;
        let id = *nodes.last().unwrap_or(&0);
        match self.overlay.look(id, token)? {
            Look::There(at) => Ok(self.overlay.remove(id, at, token)?),
            look => self.missing(path, &nodes, token, look),
        }
    }

    fn replace(&mut self, path: &Pointer, value: &RawValue) -> Result<(), Stop<S::Error>> {
        let Some(token) = path.last() else {
            return self.put_root(Text::Given(value));
        };
        let (nodes, token) = self.parent(path, token)?;
        let id = *nodes.last().unwrap_or(&0);
        match self.overlay.look(id, token)? {
            Look::There(at) => self.put(&nodes, at, Text::Given(value)),
            look => self.missing(path, &nodes, token, look),
        }
    }

    fn relocate(&mut self, from: &Pointer, path: &Pointer) -> Result<(), Stop<S::Error>> {
        let nodes = self.walk(from, from.tokens().len())?;
        if from == path {
            return Ok(());
        }
        if from.is_prefix_of(path) {
            let kind = OperationErrorKind::MoveIntoItself;
            return self.failure.stop(self.overlay, path, &nodes, kind);
        }
        let taken = self.text(from)?;
        self.remove(from)?;
        self.add(path, Text::Taken(taken))
    }

    fn test(&mut self, path: &Pointer, value: &RawValue) -> Result<(), Stop<S::Error>> {
        let nodes = self.walk(path, path.tokens().len())?;
        let actual = self.text(path)?;
        let actual = String::from_utf8_lossy(&actual);
        if Document::trusted(&actual).root().same_value(value.node()) {
            return Ok(());
        }
        let kind = OperationErrorKind::TestFailed {
            expected: super::failure::excerpt(value.as_str()),
            actual: super::failure::excerpt(&actual),
        };
        self.failure.stop(self.overlay, path, &nodes, kind)
    }

    /// The text at `pointer` as it is now.
    fn text(&mut self, pointer: &Pointer) -> Result<Vec<u8>, Stop<S::Error>> {
        let nodes = self.walk(pointer, pointer.tokens().len())?;
        let id = *nodes.last().unwrap_or(&0);
        Ok(flatten::text(self.overlay, id)?)
    }

    /// Gives an existing child a new value.
    fn put(&mut self, nodes: &[NodeId], at: At, text: Text<'_>) -> Result<(), Stop<S::Error>> {
        let id = *nodes.last().unwrap_or(&0);
        let old = self.overlay.child(id, at)?;
        let in_line = self.starts_in_line(old)?;
        let place = layout::place(self.overlay, nodes)?;
        let node = self.lay_out(text, &place, in_line);
        Ok(self.overlay.replace(id, at, node)?)
    }

    fn put_root(&mut self, text: Text<'_>) -> Result<(), Stop<S::Error>> {
        let in_line = self.starts_in_line(self.overlay.first_root())?;
        let place = layout::root_place(self.overlay)?;
        let node = self.lay_out(text, &place, in_line);
        self.overlay.replace_root(node);
        Ok(())
    }

    fn lay_out(&mut self, text: Text<'_>, place: &Place, in_line: bool) -> NodeId {
        let value = match text {
            Text::Given(value) if in_line => layout::lay_out(value.as_str(), &place.in_one_line()),
            Text::Given(value) => layout::lay_out(value.as_str(), place),
            Text::Taken(text) => layout::shift(&String::from_utf8_lossy(&text), place),
        };
        self.overlay.put_text(value)
    }

    /// Whether a value is a container that keeps what it holds in its line.
    fn starts_in_line(&self, id: NodeId) -> Result<bool, S::Error> {
        let node = self.overlay.node(id);
        let end = node.span.end.min(node.span.start + 64);
        let head = self.overlay.read(node.text, node.span.start..end)?;
        Ok(layout::stays_in_line(&head))
    }

    /// The same of the child next to a new one.
    fn neighbour_in_line(&self, id: NodeId, position: Option<usize>) -> Result<bool, S::Error> {
        let node = self.overlay.node(id);
        let Some(inside) = &node.inside else {
            return Ok(false);
        };
        let before = match position {
            Some(position) if position < inside.len => inside.child(position.saturating_sub(1)),
            _ => inside.known.last(),
        };
        let Some(neighbour) = before.filter(|child| child.kind.is_container()) else {
            return Ok(false);
        };
        let end = neighbour.value.end.min(neighbour.value.start + 64);
        let head = self.overlay.read(node.text, neighbour.value.start..end)?;
        Ok(layout::stays_in_line(&head))
    }
}
