//! A model directory held open, for reading: its listing, its files, and the one kind of link that leads out of it.

use std::path::{Path, PathBuf};

use super::FsError;
use super::folder::{Folder, Opened};
use super::layout::{self, Layout};
use super::meta::{Identity, Kind};

/// A model directory held open.
#[derive(Debug)]
pub struct Root {
    folder: Folder,
    layout: Layout,
    path: PathBuf,
}

/// An entry of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// The length of the file, of a link's target where that can be read; 0 otherwise.
    pub len: u64,
}

/// A file that was read.
#[derive(Debug, Clone)]
pub struct FileRead {
    /// Its content.
    pub bytes: Vec<u8>,
    /// The regular file behind the entry.
    pub identity: Identity,
    /// The text of the link, where the entry is one.
    pub link: Option<String>,
}

impl Root {
    /// Opens a model directory.
    ///
    /// # Errors
    /// It is no directory or cannot be opened.
    pub fn open(path: &Path) -> Result<Self, FsError> {
        let folder = Folder::open(path)?;
        let absolute = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let layout = Layout::of(&absolute, |name| {
            folder.stat(name).is_ok_and(|found| found.is_some())
        });
        Ok(Self {
            folder,
            layout,
            path: path.to_owned(),
        })
    }

    /// The path it was opened by.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it comes from.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(in crate::store) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The entries of a folder of it; the directory itself where `sub` is empty. By name.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn list(&self, sub: &str) -> Result<Vec<Listed>, FsError> {
        let below;
        let folder = if sub.is_empty() {
            &self.folder
        } else {
            below = self.parent(&format!("{sub}/x"))?.0;
            &below
        };
        let depth = usize::from(!sub.is_empty());
        let mut listed = Vec::new();
        for (name, kind) in folder.entries()? {
            let len = match kind {
                Kind::Directory => 0,
                Kind::Link => folder
                    .link_text(&name)
                    .and_then(|text| self.open_link(folder, &name, &text, depth))
                    .map_or(0, |opened| opened.identity.len),
                Kind::File | Kind::Other => {
                    folder.stat(&name)?.map_or(0, |(_, identity)| identity.len)
                }
            };
            let kind = if kind == Kind::Link && folder.child(&name).is_ok() {
                Kind::Directory
            } else {
                kind
            };
            listed.push(Listed { name, kind, len });
        }
        Ok(listed)
    }

    /// The folder and the last name of a path, which must stay inside.
    pub(in crate::store) fn parent<'p>(&self, rel: &'p str) -> Result<(Folder, &'p str), FsError> {
        let outside = || FsError::Outside(rel.to_owned());
        let parts: Vec<&str> = rel.split('/').collect();
        if parts
            .iter()
            .any(|part| part.is_empty() || *part == "." || *part == ".." || part.contains('\0'))
        {
            return Err(outside());
        }
        let (name, folders) = parts.split_last().ok_or_else(outside)?;
        let mut folder: Option<Folder> = None;
        for part in folders {
            folder = Some(folder.as_ref().unwrap_or(&self.folder).child(part)?);
        }
        match folder {
            Some(folder) => Ok((folder, name)),
            None => Ok((self.folder.again()?, name)),
        }
    }

    /// Reads a file; `None` where it is missing.
    ///
    /// # Errors
    /// It cannot be read, is no regular file, is a link to somewhere unknown, is larger than `limit`, or changes meanwhile.
    pub fn read(&self, rel: &str, limit: u64) -> Result<Option<FileRead>, FsError> {
        let Some((mut opened, link)) = self.open_file(rel)? else {
            return Ok(None);
        };
        let bytes = opened.read_all(limit)?;
        Ok(Some(FileRead {
            bytes,
            identity: opened.identity,
            link,
        }))
    }

    /// Reads what a link with this text would lead to, if it stood at `rel`.
    pub(in crate::store) fn read_link(
        &self,
        rel: &str,
        text: &str,
        limit: u64,
    ) -> Result<FileRead, FsError> {
        let (folder, name) = self.parent(rel)?;
        let mut opened = self.open_link(&folder, name, text, rel.matches('/').count())?;
        Ok(FileRead {
            bytes: opened.read_all(limit)?,
            identity: opened.identity,
            link: Some(text.to_owned()),
        })
    }

    /// Reads a stretch of a file; shorter where the file ends.
    ///
    /// # Errors
    /// As [`Root::read`], and where the file is missing.
    pub fn read_range(&self, rel: &str, offset: u64, len: u64) -> Result<Vec<u8>, FsError> {
        let (opened, _) = self.open_file(rel)?.ok_or_else(|| FsError::vanished(rel))?;
        opened.read_range(offset, len)
    }

    /// The length of a file in bytes.
    ///
    /// # Errors
    /// As [`Root::read_range`].
    pub fn len(&self, rel: &str) -> Result<u64, FsError> {
        let (opened, _) = self.open_file(rel)?.ok_or_else(|| FsError::vanished(rel))?;
        Ok(opened.identity.len)
    }

    fn open_file(&self, rel: &str) -> Result<Option<(Opened, Option<String>)>, FsError> {
        let own;
        let (folder, name) = if rel.contains('/') {
            match self.parent(rel) {
                Ok((folder, name)) => {
                    own = folder;
                    (&own, name)
                }
                Err(error) if error.errno() == Some(rustix::io::Errno::NOENT) => return Ok(None),
                Err(error) => return Err(error),
            }
        } else if rel.is_empty() || rel == "." || rel == ".." {
            return Err(FsError::Outside(rel.to_owned()));
        } else {
            (&self.folder, rel)
        };
        match folder.open_file(name) {
            Ok(opened) => Ok(Some((opened, None))),
            Err(error) if error.errno() == Some(rustix::io::Errno::NOENT) => Ok(None),
            Err(error) if error.errno() == Some(rustix::io::Errno::LOOP) => {
                let text = folder.link_text(name)?;
                let opened = self.open_link(folder, name, &text, rel.matches('/').count())?;
                Ok(Some((opened, Some(text))))
            }
            Err(error) => Err(error),
        }
    }

    /// Opens the blob that a snapshot's link leads to, or a file of the same folder.
    fn open_link(
        &self,
        folder: &Folder,
        name: &str,
        text: &str,
        depth: usize,
    ) -> Result<Opened, FsError> {
        let unknown = || FsError::UnknownLink {
            path: folder.full(name),
            target: text.to_owned(),
        };
        if !text.is_empty() && !text.contains('/') && text != "." && text != ".." {
            return folder.open_file(text).map_err(|error| {
                if error.errno() == Some(rustix::io::Errno::LOOP) {
                    unknown()
                } else {
                    error
                }
            });
        }
        let Layout::HubSnapshot { repository, .. } = &self.layout else {
            return Err(unknown());
        };
        let blob = layout::blob_name(text, depth).ok_or_else(unknown)?;
        let blobs = Folder::open(&repository.join("blobs"))?;
        match blobs.open_file(blob) {
            Ok(opened) => Ok(opened),
            Err(error) if error.errno() == Some(rustix::io::Errno::LOOP) => {
                let shared = blobs.link_text(blob)?;
                let (prefix, shared) = layout::shared_blob(&shared).ok_or_else(unknown)?;
                let cache = repository.parent().ok_or_else(unknown)?;
                let store = Folder::open(&cache.join("blobs"))?.child(prefix)?;
                store.open_file(shared)
            }
            Err(error) => Err(error),
        }
    }
}
