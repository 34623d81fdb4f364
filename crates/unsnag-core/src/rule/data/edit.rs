//! From a fix's edit verbs to operations on the files as they stand.

use json_splice::{Document, Kind, Operation, Pointer, RawValue};

use super::Scope;
use crate::fix::{Edit, Verb};
use crate::rule::place::{Captures, Found, Place};
use crate::rule::site::FileEdit;
use crate::view::Content;

impl<'v> Scope<'_, '_, 'v> {
    /// The operations that an edit comes to; none where its place or file is missing.
    pub(super) fn compile(&self, edit: &Edit) -> Vec<FileEdit> {
        let file = edit.file.as_deref().unwrap_or(self.file);
        let whole = |edit| vec![edit];
        match &edit.verb {
            Verb::Park => match self.look.view().content(file) {
                Content::Missing => Vec::new(),
                _ => whole(FileEdit::Park {
                    file: file.to_owned(),
                }),
            },
            Verb::Create(text) => match self.look.view().content(file) {
                Content::Missing => whole(FileEdit::Create {
                    file: file.to_owned(),
                    text: format!("{text}\n"),
                }),
                _ => Vec::new(),
            },
            verb => {
                let operations = edit
                    .at
                    .iter()
                    .flat_map(|place| self.operations(file, place, verb));
                operations
                    .map(|operation| FileEdit::operation(file, operation))
                    .collect()
            }
        }
    }

    fn operations(&self, file: &str, place: &Place, verb: &Verb) -> Vec<Operation> {
        let Ok(Some(document)) = self.look.json(file) else {
            return Vec::new();
        };
        match verb {
            Verb::Put(value) => self.create(document, place, value, true),
            Verb::Add(value) => self.create(document, place, value, false),
            Verb::CopyFrom(from) => {
                let source = self
                    .look
                    .find(
                        from.file.as_deref().unwrap_or(file),
                        &from.at,
                        self.captures,
                    )
                    .unwrap_or_default();
                let value = source
                    .first()
                    .and_then(|found| found.node.literal().parse::<RawValue>().ok());
                value.map_or_else(Vec::new, |value| self.create(document, place, &value, true))
            }
            _ => {
                let mut found = self
                    .look
                    .find(file, place, self.captures)
                    .unwrap_or_default();
                found.reverse(); // from the back, so that removals do not move what is still to come
                found
                    .iter()
                    .flat_map(|found| self.existing(file, found, verb))
                    .collect()
            }
        }
    }

    fn create(
        &self,
        document: &Document<'v>,
        place: &Place,
        value: &RawValue,
        replace: bool,
    ) -> Vec<Operation> {
        let targets: Vec<Pointer> = match place.pointer(self.captures) {
            Some(pointer) => vec![pointer],
            None => place
                .find(document.root(), self.captures)
                .into_iter()
                .map(|found| found.pointer)
                .collect(),
        };
        let wanted = targets.into_iter().filter(|path| {
            let parent = path.parent().and_then(|parent| document.find(&parent));
            let there = document.find(path);
            let same = there.is_some_and(|node| node.literal() == value.as_str());
            parent.is_some_and(|parent| matches!(parent.kind(), Kind::Object | Kind::Array))
                && if replace { !same } else { there.is_none() }
        });
        wanted
            .map(|path| Operation::Add {
                path,
                value: value.clone(),
            })
            .collect()
    }

    fn existing(&self, file: &str, found: &Found<'v>, verb: &Verb) -> Vec<Operation> {
        let path = found.pointer.clone();
        match verb {
            Verb::Remove => vec![Operation::Remove { path }],
            Verb::Set(value) if found.node.literal() == value.as_str() => Vec::new(),
            Verb::Set(value) => vec![Operation::Replace {
                path,
                value: value.clone(),
            }],
            Verb::Rename(key) => {
                let Some(parent) = path.parent() else {
                    return Vec::new();
                };
                vec![Operation::Move {
                    path: parent.join(key),
                    from: path,
                }]
            }
            Verb::MoveTo(place) => match place.pointer(&found.captures) {
                Some(to) => vec![Operation::Move {
                    from: path,
                    path: to,
                }],
                None => Vec::new(),
            },
            Verb::TruncateTo(place) => {
                let length = self
                    .number(file, place, &found.captures)
                    .filter(|_| found.node.kind() == Kind::Array);
                let Some(length) = length else {
                    return Vec::new();
                };
                (length..found.node.len())
                    .rev()
                    .map(|index| Operation::Remove {
                        path: path.join(index.to_string()),
                    })
                    .collect()
            }
            Verb::Append(values) if found.node.kind() == Kind::Array => {
                let held = |value: &RawValue| {
                    found
                        .node
                        .elements()
                        .any(|element| super::condition::same(element, value))
                };
                let missing = values.iter().filter(|value| !held(value));
                missing
                    .map(|value| Operation::Add {
                        path: path.join("-"),
                        value: value.clone(),
                    })
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    fn number(&self, file: &str, place: &Place, captures: &Captures) -> Option<usize> {
        self.look
            .find(file, place, captures)
            .ok()?
            .first()?
            .node
            .literal()
            .parse()
            .ok()
    }
}
