//! The state of a tree: everything that a person could miss afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::Result;

/// The file system's own folder where a disk begins.
pub(crate) const LOST_AND_FOUND: &str = "lost+found";

/// What an entry holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Body {
    /// A directory.
    Folder,
    /// A link with its text.
    Link(String),
    /// A file: length and SHA-256.
    File(u64, [u8; 32]),
    /// A pipe, socket or device.
    Other,
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) body: Body,
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// How many names the inode has; 0 for directories, whose count is the file system's affair.
    pub(crate) names: u64,
    /// The first path in the tree with the same inode.
    pub(crate) inode_of: String,
    /// Extended attributes, ACLs among them.
    pub(crate) attributes: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Modification time in nanoseconds since 1970; 0 for directories, whose time every rename changes.
    pub(crate) mtime: i128,
}

impl Entry {
    /// Whether all is equal but the time.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let timeless = |entry: &Self| Self {
            mtime: 0,
            ..entry.clone()
        };
        timeless(self) == timeless(other)
    }

    /// What differs, in a word.
    pub(crate) fn difference(&self, other: &Self) -> &'static str {
        match () {
            () if self.body != other.body => "content",
            () if self.mode != other.mode => "mode",
            () if (self.uid, self.gid) != (other.uid, other.gid) => "owner",
            () if self.attributes != other.attributes => "attributes or ACL",
            () if self.names != other.names => "number of names",
            () if self.inode_of != other.inode_of => "inode",
            () if self.mtime != other.mtime => "mtime",
            () => "nothing",
        }
    }
}

/// Every entry below a folder, by its path there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Tree(pub(crate) BTreeMap<String, Entry>);

impl Tree {
    /// Reads a tree. An entry that goes away meanwhile is passed over.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let mut tree = Self::default();
        let mut inodes = BTreeMap::new();
        tree.below(folder, "", &mut inodes)?;
        Ok(tree)
    }

    fn below(
        &mut self,
        folder: &Path,
        prefix: &str,
        inodes: &mut BTreeMap<(u64, u64), String>,
    ) -> Result<()> {
        let mut names = Vec::new();
        for entry in fs::read_dir(folder.join(prefix))? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        for name in names {
            let path = if prefix.is_empty() {
                name
            } else {
                format!("{prefix}/{name}")
            };
            if path == LOST_AND_FOUND {
                continue;
            }
            match entry(folder, &path, inodes) {
                Ok(entry) => {
                    let is_folder = entry.body == Body::Folder;
                    self.0.insert(path.clone(), entry);
                    if is_folder {
                        self.below(folder, &path, inodes)?;
                    }
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(format!("{path}: {error}").into()),
            }
        }
        Ok(())
    }

    /// The entry at a path.
    pub(crate) fn get(&self, path: &str) -> Option<&Entry> {
        self.0.get(path)
    }

    /// What a path holds.
    pub(crate) fn body(&self, path: &str) -> Option<&Body> {
        self.get(path).map(|entry| &entry.body)
    }

    /// The first difference to another tree, times included.
    pub(crate) fn first_difference(&self, other: &Self) -> Option<String> {
        let paths = self.0.keys().chain(other.0.keys());
        paths
            .filter(|path| self.get(path) != other.get(path))
            .map(|path| match (self.get(path), other.get(path)) {
                (Some(_), None) => format!("{path} is new"),
                (None, _) => format!("{path} is gone"),
                (Some(here), Some(there)) => format!("{path}: {}", here.difference(there)),
            })
            .min()
    }
}

fn entry(
    folder: &Path,
    path: &str,
    inodes: &mut BTreeMap<(u64, u64), String>,
) -> std::io::Result<Entry> {
    let full = folder.join(path);
    let meta = fs::symlink_metadata(&full)?;
    let kind = meta.file_type();
    let body = if kind.is_dir() {
        Body::Folder
    } else if kind.is_symlink() {
        Body::Link(fs::read_link(&full)?.to_string_lossy().into_owned())
    } else if kind.is_fifo() || kind.is_socket() || kind.is_block_device() || kind.is_char_device()
    {
        Body::Other
    } else {
        let bytes = fs::read(&full)?;
        Body::File(bytes.len() as u64, Sha256::digest(&bytes).into())
    };
    let is_folder = body == Body::Folder;
    let first = inodes
        .entry((meta.dev(), meta.ino()))
        .or_insert_with(|| path.to_owned());
    Ok(Entry {
        inode_of: first.clone(),
        attributes: attributes(&full)?,
        mode: meta.mode() & 0o7777,
        uid: meta.uid(),
        gid: meta.gid(),
        names: if is_folder { 0 } else { meta.nlink() },
        mtime: if is_folder {
            0
        } else {
            i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec())
        },
        body,
    })
}

fn attributes(path: &Path) -> std::io::Result<BTreeMap<Vec<u8>, Vec<u8>>> {
    let mut names = vec![0_u8; 4096];
    let len = match rustix::fs::llistxattr(path, names.as_mut_slice()) {
        Ok(len) => len,
        Err(rustix::io::Errno::NOTSUP) => return Ok(BTreeMap::new()),
        Err(errno) => return Err(errno.into()),
    };
    names.truncate(len);
    let mut found = BTreeMap::new();
    for name in names
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
    {
        let mut value = vec![0_u8; 4096];
        let len = rustix::fs::lgetxattr(path, name, value.as_mut_slice())?;
        value.truncate(len);
        found.insert(name.to_vec(), value);
    }
    Ok(found)
}
