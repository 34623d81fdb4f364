//! A model directory on disk: which files it has, each read at most once.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::Path;

use crate::store::fsys::{FileRead, FsError, Kind, Layout, Root};

/// The largest configuration file that is read: 1 GiB.
pub const LIMIT: u64 = 1 << 30;
/// Larger than this, a file is asked about last.
const BIG: u64 = 1 << 20;
/// Files that make a directory a model directory.
const MARKERS: [&str; 6] = [
    "config.json",
    "adapter_config.json",
    "tokenizer_config.json",
    "modules.json",
    "params.json",
    "model_index.json",
];

/// A model directory, held open.
#[derive(Debug)]
pub struct Directory {
    root: Root,
    files: BTreeMap<String, Slot>,
}

#[derive(Debug)]
struct Slot {
    len: u64,
    read: OnceCell<Result<FileRead, FsError>>,
}

impl Directory {
    /// Opens a directory and lists it, and one level of folders below it.
    ///
    /// # Errors
    /// It is no directory, or cannot be listed.
    pub fn open(path: &Path) -> Result<Self, FsError> {
        let root = Root::open(path)?;
        let mut files = BTreeMap::new();
        let mut folders = Vec::new();
        for entry in root.list("")? {
            if entry.kind == Kind::Directory {
                folders.push(entry.name);
            } else {
                files.insert(
                    entry.name,
                    Slot {
                        len: entry.len,
                        read: OnceCell::new(),
                    },
                );
            }
        }
        for folder in folders.iter().filter(|folder| !folder.starts_with('.')) {
            for entry in root.list(folder).unwrap_or_default() {
                if entry.kind != Kind::Directory {
                    files.insert(
                        format!("{folder}/{}", entry.name),
                        Slot {
                            len: entry.len,
                            read: OnceCell::new(),
                        },
                    );
                }
            }
        }
        Ok(Self { root, files })
    }

    /// The path it was opened by.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// The directory as the store sees it.
    #[must_use]
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// Where it comes from.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        self.root.layout()
    }

    /// Whether it has any file that a fix reads.
    #[must_use]
    pub fn is_model_directory(&self) -> bool {
        self.files.keys().any(|name| {
            MARKERS.contains(&name.as_str())
                || name.ends_with(".safetensors.index.json")
                || name == "tokenizer.json"
        })
    }

    /// The files, by path.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The length of a file in bytes; 0 where it is missing.
    #[must_use]
    pub fn len(&self, file: &str) -> u64 {
        self.files.get(file).map_or(0, |slot| slot.len)
    }

    /// Whether the file is large enough to be asked about last.
    #[must_use]
    pub fn is_big(&self, file: &str) -> bool {
        self.files.get(file).is_some_and(|slot| slot.len > BIG)
    }

    /// The file, read at the first question; `None` where it is missing.
    #[must_use]
    pub fn read(&self, file: &str) -> Option<&Result<FileRead, FsError>> {
        let slot = self.files.get(file)?;
        Some(slot.read.get_or_init(|| match self.root.read(file, LIMIT) {
            Ok(Some(read)) => Ok(read),
            Ok(None) => Err(FsError::vanished(file)),
            Err(error) => Err(error),
        }))
    }

    /// The files that were read, in the order of their paths.
    pub fn consulted(&self) -> impl Iterator<Item = (&str, &FileRead)> {
        self.files.iter().filter_map(|(name, slot)| {
            slot.read
                .get()?
                .as_ref()
                .ok()
                .map(|read| (name.as_str(), read))
        })
    }
}
