//! What a rule looks through: the files of a view, the weights and the target.

use json_splice::{Document, Node, Pointer};

use super::place::{Captures, Found, Place};
use super::site::Evidence;
use super::truth::Gap;
use crate::target::Target;
use crate::view::{Content, View};
use crate::weights::Weights;

/// A view under a target. Reading a file or the weights happens at the first question about it.
#[derive(Debug, Clone, Copy)]
pub struct Look<'r, 'v> {
    view: &'r View<'v>,
    target: &'r Target,
}

impl<'r, 'v> Look<'r, 'v> {
    /// Looks at `view` under `target`.
    #[must_use]
    pub fn new(view: &'r View<'v>, target: &'r Target) -> Self {
        Self { view, target }
    }

    /// The files.
    #[must_use]
    pub fn view(&self) -> &'r View<'v> {
        self.view
    }

    /// Where the checkpoint is to run.
    #[must_use]
    pub fn target(&self) -> &'r Target {
        self.target
    }

    /// The weights' facts.
    #[must_use]
    pub fn weights(&self) -> Weights<'r, 'v> {
        self.view.weights()
    }

    /// A file as JSON; `None` where it is missing.
    ///
    /// # Errors
    /// A gap where the file is there and is no JSON.
    pub fn json(&self, file: &str) -> Result<Option<&'r Document<'v>>, Gap> {
        match self.view.content(file) {
            Content::Missing => Ok(None),
            Content::Json(document) => Ok(Some(document)),
            Content::LfsPointer => Err(Gap::directory(
                file,
                "is a Git LFS pointer, not the file; `git lfs pull` fetches it",
            )),
            Content::Broken(error) => Err(Gap::directory(file, format!("is not JSON: {error}"))),
            Content::Text(_) => Err(Gap::directory(file, "is not JSON")),
            Content::Unreadable(error) => Err(Gap::directory(file, error.to_string())),
        }
    }

    /// The value at a pointer; `None` where the file or the value is missing.
    ///
    /// # Errors
    /// A gap where the file is there and is no JSON.
    pub fn value(&self, file: &str, pointer: &Pointer) -> Result<Option<Node<'v>>, Gap> {
        self.json(file)?;
        Ok(self.view.find(file, pointer))
    }

    /// The value at a pointer written as text; `None` where the file or the value is missing, or the text is no pointer.
    ///
    /// # Errors
    /// A gap where the file is there and is no JSON.
    pub fn at(&self, file: &str, pointer: &str) -> Result<Option<Node<'v>>, Gap> {
        Ok(pointer
            .parse()
            .ok()
            .map(|pointer| self.value(file, &pointer))
            .transpose()?
            .flatten())
    }

    /// The places of `file` that fit.
    ///
    /// # Errors
    /// A gap where the file is there and is no JSON.
    pub fn find(
        &self,
        file: &str,
        place: &Place,
        captures: &Captures,
    ) -> Result<Vec<Found<'v>>, Gap> {
        let Some(document) = self.json(file)? else {
            return Ok(Vec::new());
        };
        Ok(match place.pointer(captures) {
            Some(pointer) => self
                .view
                .find(file, &pointer)
                .map(|node| Found {
                    pointer,
                    captures: captures.clone(),
                    node,
                })
                .into_iter()
                .collect(),
            None => place.find(document.root(), captures),
        })
    }

    /// Evidence of the member at `pointer`: its key and value, or the value alone.
    #[must_use]
    pub fn evidence(&self, file: &str, pointer: &Pointer, label: impl Into<String>) -> Evidence {
        let span = self.json(file).ok().flatten().and_then(|document| {
            let value = document.find(pointer)?;
            let key = member_name_span(document, pointer).unwrap_or_else(|| value.span());
            Some(key)
        });
        Evidence {
            file: file.to_owned(),
            pointer: Some(pointer.clone()),
            span,
            label: label.into(),
        }
    }
}

/// The span of the member's key.
fn member_name_span(document: &Document<'_>, pointer: &Pointer) -> Option<std::ops::Range<usize>> {
    let (parent, last) = (pointer.parent()?, pointer.tokens().last()?);
    let parent = document.find(&parent)?;
    if parent.kind() != json_splice::Kind::Object {
        return None;
    }
    parent
        .members()
        .filter(|member| member.name() == *last)
        .last()
        .map(|member| member.name_span())
}
