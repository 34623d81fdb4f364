//! A view of a model directory: its files with an overlay of planned edits, which rules look at and nothing writes through.

mod content;
mod directory;
mod overlay;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

pub use content::{Content, is_json_name, is_lfs_pointer};
pub use directory::{Directory, LIMIT};
pub use overlay::{Overlay, Planned};

use json_splice::{Kind, Node, Pointer};

use crate::store::FsError;
use crate::weights::{Cache, Weights};

/// An object's members by name; of a name that stands twice the last, as every reader takes it.
type Members<'v> = BTreeMap<Cow<'v, str>, Node<'v>>;

/// An object of more members is asked each time.
const REMEMBERED: usize = 500;

/// A directory's files as they stand, or as they would stand after the edits of an overlay.
#[derive(Debug)]
pub struct View<'v> {
    directory: &'v Directory,
    overlay: &'v Overlay,
    contents: BTreeMap<&'v str, OnceCell<Content<'v>>>,
    weights: Cache<'v>,
    /// The members of objects that were looked into, by file and place, since many fixes ask the same objects.
    members: RefCell<BTreeMap<(&'v str, usize), Option<Members<'v>>>>,
}

impl<'v> View<'v> {
    /// Looks at `directory` through `overlay`.
    #[must_use]
    pub fn new(directory: &'v Directory, overlay: &'v Overlay) -> Self {
        let names = directory
            .files()
            .filter(|file| !overlay.parks(file))
            .chain(overlay.written());
        Self {
            directory,
            overlay,
            contents: names.map(|file| (file, OnceCell::new())).collect(),
            weights: Cache::default(),
            members: RefCell::default(),
        }
    }

    /// The directory on disk.
    #[must_use]
    pub fn directory(&self) -> &'v Directory {
        self.directory
    }

    /// The files, by path.
    pub fn files(&self) -> impl Iterator<Item = &'v str> {
        self.contents.keys().copied()
    }

    /// Whether there is such a file.
    #[must_use]
    pub fn has(&self, file: &str) -> bool {
        self.contents.contains_key(file)
    }

    /// Whether the file is large enough to be asked about last.
    #[must_use]
    pub fn is_big(&self, file: &str) -> bool {
        self.directory.is_big(file)
    }

    /// The length of a file in bytes; 0 where it is missing.
    #[must_use]
    pub fn len(&self, file: &str) -> u64 {
        self.overlay
            .bytes(file)
            .map_or_else(|| self.directory.len(file), |bytes| bytes.len() as u64)
    }

    /// What a file is, read and parsed at the first question.
    #[must_use]
    pub fn content(&self, file: &str) -> &Content<'v> {
        let Some((name, cell)) = self.contents.get_key_value(file) else {
            return &Content::Missing;
        };
        cell.get_or_init(|| match self.raw(name) {
            Ok(Some(bytes)) => Content::of(name, bytes),
            Ok(None) => Content::Missing,
            Err(error) => Content::Unreadable(error),
        })
    }

    /// The value at a place of a JSON file; `None` where there is none, or the file is no JSON.
    #[must_use]
    pub fn find(&self, file: &str, pointer: &Pointer) -> Option<Node<'v>> {
        let (name, _) = self.contents.get_key_value(file)?;
        let Content::Json(document) = self.content(name) else {
            return None;
        };
        let mut node = document.root();
        for token in pointer.tokens() {
            let remembered = (node.kind() == Kind::Object)
                .then(|| self.member(name, node, token))
                .flatten();
            node = match remembered {
                Some(member) => member?,
                None => node.find(&Pointer::from_tokens([token.clone()]))?,
            };
        }
        Some(node)
    }

    /// The member of an object, where its members are few enough to be remembered.
    fn member(&self, file: &'v str, object: Node<'v>, key: &str) -> Option<Option<Node<'v>>> {
        let mut all = self.members.borrow_mut();
        let members = all.entry((file, object.span().start)).or_insert_with(|| {
            let some: Vec<_> = object.members().take(REMEMBERED + 1).collect();
            let few = some.len() <= REMEMBERED;
            few.then(|| {
                some.iter()
                    .map(|member| (member.name(), member.value()))
                    .collect()
            })
        });
        members.as_ref().map(|members| members.get(key).copied())
    }

    /// The files that were looked at so far, by path.
    pub fn opened(&self) -> impl Iterator<Item = (&'v str, &Content<'v>)> {
        self.contents
            .iter()
            .filter_map(|(file, cell)| cell.get().map(|content| (*file, content)))
    }

    /// A file's bytes; `None` where it is missing.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn bytes(&self, file: &str) -> Result<Option<&'v [u8]>, String> {
        match self.contents.get_key_value(file) {
            Some((name, _)) => self.raw(name).map_err(|error| error.to_string()),
            None => Ok(None),
        }
    }

    /// A file's text; `None` where it is missing.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn text(&self, file: &str) -> Result<Option<&'v str>, String> {
        let Some(bytes) = self.bytes(file)? else {
            return Ok(None);
        };
        if is_lfs_pointer(bytes) {
            return Err("is a Git LFS pointer, not the file".to_owned());
        }
        std::str::from_utf8(bytes)
            .map(Some)
            .map_err(|error| format!("is not UTF-8 after byte {}", error.valid_up_to()))
    }

    fn raw(&self, file: &'v str) -> Result<Option<&'v [u8]>, FsError> {
        if let Some(bytes) = self.overlay.bytes(file) {
            return Ok(Some(bytes));
        }
        match self.directory.read(file) {
            None => Ok(None),
            Some(Ok(read)) => Ok(Some(&read.bytes)),
            Some(Err(error)) => Err(error.clone()),
        }
    }

    /// The weights' facts.
    #[must_use]
    pub fn weights(&self) -> Weights<'_, 'v> {
        Weights::new(self, &self.weights)
    }
}
