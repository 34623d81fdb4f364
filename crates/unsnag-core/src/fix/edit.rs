//! An edit as a fix writes it: a verb on a place of a file.

use json_splice::RawValue;

use super::condition::Elsewhere;
use super::file::EditFile;
use crate::rule::Place;

/// A verb on places of a file.
#[derive(Debug, Clone)]
pub struct Edit {
    /// The file, where it is not the site's.
    pub file: Option<String>,
    /// The places; empty for whole-file verbs.
    pub at: Vec<Place>,
    /// What is done there.
    pub verb: Verb,
}

/// What is done at a place. A verb whose place or file is missing does nothing, where its own description says no more.
#[derive(Debug, Clone)]
pub enum Verb {
    /// Removes it.
    Remove,
    /// Replaces it.
    Set(RawValue),
    /// Sets or creates it.
    Put(RawValue),
    /// Creates it where it is missing.
    Add(RawValue),
    /// Gives a member another key.
    Rename(String),
    /// Sets or creates it from another place, with its spelling.
    CopyFrom(Elsewhere),
    /// Moves it within the file.
    MoveTo(Place),
    /// Cuts an array to the number that stands at a place.
    TruncateTo(Place),
    /// Adds to an array what it does not hold yet.
    Append(Vec<RawValue>),
    /// Takes the file out of the directory.
    Park,
    /// Creates the file.
    Create(String),
}

impl TryFrom<&EditFile> for Edit {
    type Error = String;

    fn try_from(file: &EditFile) -> Result<Self, String> {
        let raw = |text: &String| super::condition::raw(text);
        let place = |text: &String| Place::parse(text);
        let mut verbs = Vec::new();
        if file.remove {
            verbs.push(Verb::Remove);
        }
        verbs.extend(file.set.as_ref().map(raw).transpose()?.map(Verb::Set));
        verbs.extend(file.put.as_ref().map(raw).transpose()?.map(Verb::Put));
        verbs.extend(file.add.as_ref().map(raw).transpose()?.map(Verb::Add));
        verbs.extend(file.rename.clone().map(Verb::Rename));
        if let Some(from) = &file.copy_from {
            verbs.push(Verb::CopyFrom(Elsewhere {
                file: from.file.clone(),
                at: Place::parse(&from.at)?,
            }));
        }
        verbs.extend(
            file.move_to
                .as_ref()
                .map(place)
                .transpose()?
                .map(Verb::MoveTo),
        );
        verbs.extend(
            file.truncate_to
                .as_ref()
                .map(place)
                .transpose()?
                .map(Verb::TruncateTo),
        );
        if let Some(values) = &file.append {
            verbs.push(Verb::Append(
                values.iter().map(raw).collect::<Result<_, _>>()?,
            ));
        }
        if file.park {
            verbs.push(Verb::Park);
        }
        if let Some(text) = &file.create {
            raw(text)?;
            verbs.push(Verb::Create(text.clone()));
        }
        let (Some(verb), true) = (verbs.pop(), verbs.is_empty()) else {
            return Err("an edit needs exactly one verb: remove, set, put, add, rename, copy-from, move-to, truncate-to, append, park or create".to_owned());
        };
        let at: Vec<Place> = match &file.at {
            Some(places) => places
                .as_slice()
                .iter()
                .map(place)
                .collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        let whole_file = matches!(verb, Verb::Park | Verb::Create(_));
        if whole_file != at.is_empty() || (whole_file && file.file.is_none()) {
            return Err(if whole_file {
                "`park` and `create` need `file` and no `at`".to_owned()
            } else {
                "an edit needs `at`, the place it is about".to_owned()
            });
        }
        Ok(Self {
            file: file.file.clone(),
            at,
            verb,
        })
    }
}
