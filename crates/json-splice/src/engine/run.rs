//! One operation after the other, on the overlay.

use super::Stop;
use super::failure::{Failure, excerpt};
use super::flatten;
use super::layout::{self, Place};
use super::look::{At, Look};
use super::overlay::Overlay;
use super::source::Source;
use super::tree::{NodeId, TextId};
use crate::document::Document;
use crate::kind::Kind;
use crate::patch::{Operation, OperationErrorKind, RawValue};
use crate::pointer::{Pointer, array_index};
use std::ops::Range;

/// A text to put in: one that the patch gives, or one taken from the document.
enum Text<'v> {
    Given(&'v RawValue),
    Taken(Vec<u8>),
}

/// The nodes from the root down to a value.
struct Path(Vec<NodeId>);

impl Path {
    /// The value's own node.
    fn end(&self) -> NodeId {
        // A path starts with the root, so it has an end.
        self.0.last().copied().unwrap_or_default()
    }
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
            let source = runner.walk(from, from.tokens())?;
            let taken = flatten::text(runner.overlay, source.end())?;
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
    /// Goes down from the root by `tokens`, the first ones of `pointer`.
    fn walk(&mut self, pointer: &Pointer, tokens: &[String]) -> Result<Path, Stop<S::Error>> {
        let mut path = Path(vec![self.overlay.root()]);
        for (level, token) in tokens.iter().enumerate() {
            let id = path.end();
            let ahead = pointer.tokens().get(level..).unwrap_or_default();
            self.overlay.locate(id, ahead)?;
            let at = match self.overlay.look(id, token)? {
                Look::There(at) => at,
                look => return self.missing(pointer, &path, token, look),
            };
            path.0.push(self.overlay.child(id, at)?);
        }
        Ok(path)
    }

    fn missing<T>(
        &mut self,
        pointer: &Pointer,
        path: &Path,
        token: &str,
        look: Look,
    ) -> Result<T, Stop<S::Error>> {
        let kind = match look {
            Look::NoElement { index, len } => OperationErrorKind::NoSuchElement { index, len },
            Look::NoIndex => OperationErrorKind::NotAnIndex(token.to_owned()),
            Look::NotAContainer => OperationErrorKind::NotAContainer,
            Look::Twice(span) => OperationErrorKind::DuplicateKey {
                name: token.to_owned(),
                again: match self.overlay.node(path.end()).text {
                    0 => Some(self.overlay.source().position(span.start)?),
                    _ => None,
                },
            },
            Look::NoMember | Look::There(_) => OperationErrorKind::NoSuchMember(token.to_owned()),
        };
        self.failure.stop(self.overlay, pointer, &path.0, kind)
    }

    fn add(&mut self, pointer: &Pointer, text: Text<'_>) -> Result<(), Stop<S::Error>> {
        let Some((token, parent)) = pointer.tokens().split_last() else {
            return self.put_root(text);
        };
        let path = self.walk(pointer, parent)?;
        let id = path.end();
        let look = self.overlay.look(id, token)?;
        let array = self.overlay.node(id).kind == Kind::Array;
        let position = match (look, array) {
            (Look::There(at), false) => return self.put(&path, at, text),
            (Look::NoMember, false) => None,
            (Look::There(_), true) => array_index(token),
            (Look::NoIndex, true) if token == "-" => self
                .overlay
                .inside_mut(id)
                .map(|inside| inside.pieces().len()),
            (Look::NoElement { index, len }, true) if index == len => Some(len),
            (look, _) => return self.missing(pointer, &path, token, look),
        };
        let place = layout::place(self.overlay, &path.0)?;
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

    fn remove(&mut self, pointer: &Pointer) -> Result<(), Stop<S::Error>> {
        let Some((token, parent)) = pointer.tokens().split_last() else {
            let root = [self.overlay.root()];
            let kind = OperationErrorKind::RemoveRoot;
            return self.failure.stop(self.overlay, pointer, &root, kind);
        };
        let path = self.walk(pointer, parent)?;
        match self.overlay.look(path.end(), token)? {
            Look::There(at) => Ok(self.overlay.remove(path.end(), at, token)?),
            look => self.missing(pointer, &path, token, look),
        }
    }

    fn replace(&mut self, pointer: &Pointer, value: &RawValue) -> Result<(), Stop<S::Error>> {
        let Some((token, parent)) = pointer.tokens().split_last() else {
            return self.put_root(Text::Given(value));
        };
        let path = self.walk(pointer, parent)?;
        match self.overlay.look(path.end(), token)? {
            Look::There(at) => self.put(&path, at, Text::Given(value)),
            look => self.missing(pointer, &path, token, look),
        }
    }

    fn relocate(&mut self, from: &Pointer, to: &Pointer) -> Result<(), Stop<S::Error>> {
        let source = self.walk(from, from.tokens())?;
        if from == to {
            return Ok(());
        }
        if from.is_prefix_of(to) {
            let kind = OperationErrorKind::MoveIntoItself;
            return self.failure.stop(self.overlay, to, &source.0, kind);
        }
        let taken = flatten::text(self.overlay, source.end())?;
        self.remove(from)?;
        self.add(to, Text::Taken(taken))
    }

    fn test(&mut self, pointer: &Pointer, value: &RawValue) -> Result<(), Stop<S::Error>> {
        let path = self.walk(pointer, pointer.tokens())?;
        let actual = flatten::text(self.overlay, path.end())?;
        let actual = String::from_utf8_lossy(&actual);
        if Document::trusted(&actual).root().same_value(value.node()) {
            return Ok(());
        }
        let kind = OperationErrorKind::TestFailed {
            expected: excerpt(value.as_str()),
            actual: excerpt(&actual),
        };
        self.failure.stop(self.overlay, pointer, &path.0, kind)
    }

    /// Gives an existing child of the path's end a new value.
    fn put(&mut self, path: &Path, at: At, text: Text<'_>) -> Result<(), Stop<S::Error>> {
        let old = self.overlay.child(path.end(), at)?;
        let in_line = self.starts_in_line(old)?;
        let place = layout::place(self.overlay, &path.0)?;
        let node = self.lay_out(text, &place, in_line);
        Ok(self.overlay.replace(path.end(), at, node)?)
    }

    fn put_root(&mut self, text: Text<'_>) -> Result<(), Stop<S::Error>> {
        let first = self.overlay.first_root();
        let in_line = self.starts_in_line(first)?;
        // Any token will do: what is asked for is how the children are laid out.
        self.overlay.locate(first, &[String::new()])?;
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
        self.is_in_line(node.text, &node.span)
    }

    /// The same of the child next to a new one.
    fn neighbour_in_line(&self, id: NodeId, position: Option<usize>) -> Result<bool, S::Error> {
        let node = self.overlay.node(id);
        let Some(inside) = &node.inside else {
            return Ok(false);
        };
        let neighbour = match position {
            Some(position) if position < inside.len => inside.child(position.saturating_sub(1)),
            _ => inside.known.last(),
        };
        match neighbour {
            Some(child) => self.is_in_line(node.text, &child.value),
            None => Ok(false),
        }
    }

    fn is_in_line(&self, text: TextId, span: &Range<usize>) -> Result<bool, S::Error> {
        // The bracket and what comes after it tell.
        let head = span.start..span.end.min(span.start + 64);
        Ok(layout::stays_in_line(&self.overlay.read(text, head)?))
    }
}
