//! Where a model directory comes from, and which link of it may be read through.

use std::path::{Component, Path, PathBuf};

/// The place a model directory has in somebody's cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Layout {
    /// Files of its own.
    Plain,
    /// A snapshot of a Hugging Face hub cache: links into the repository's blobs.
    HubSnapshot {
        /// The repository's folder, `models--ORG--NAME`.
        repository: PathBuf,
        /// The commit.
        revision: String,
    },
    /// A folder that `hf download --local-dir` filled.
    LocalDir,
    /// A ModelScope cache.
    ModelScope,
}

impl Layout {
    /// By the absolute path and what is in the directory.
    pub(super) fn of(path: &Path, has: impl Fn(&str) -> bool) -> Self {
        if let Some(snapshot) = snapshot(path) {
            return snapshot;
        }
        if has(".cache") && path.join(".cache/huggingface/download").is_dir() {
            return Self::LocalDir;
        }
        if has(".msc") || has(".mdl") {
            return Self::ModelScope;
        }
        Self::Plain
    }
}

fn snapshot(path: &Path) -> Option<Layout> {
    let revision = path.file_name()?.to_str()?;
    let folder = path.parent()?;
    let repository = folder.parent()?;
    let name = repository.file_name()?.to_str()?;
    let cached = ["models--", "datasets--", "spaces--"]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    (folder.file_name()? == "snapshots" && cached && is_hex(revision, &[40])).then(|| {
        Layout::HubSnapshot {
            repository: repository.to_owned(),
            revision: revision.to_owned(),
        }
    })
}

/// The blob's name, where `text` is a link from `depth` folders below the snapshot into the blobs of the same repository.
pub(super) fn blob_name(text: &str, depth: usize) -> Option<&str> {
    let mut rest = text;
    for _ in 0..depth + 2 {
        rest = rest.strip_prefix("../")?;
    }
    rest.strip_prefix("blobs/")
        .filter(|name| is_hex(name, &[40, 64]))
}

/// The two last names, where `text` is a blob's link into the cache's own store of shared blobs.
pub(super) fn shared_blob(text: &str) -> Option<(&str, &str)> {
    let names: Vec<&str> = Path::new(text)
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    match names.as_slice() {
        [.., "blobs", prefix, name]
            if is_hex(prefix, &[2]) && name.bytes().all(|b| b.is_ascii_hexdigit()) =>
        {
            Some((prefix, name))
        }
        _ => None,
    }
}

fn is_hex(text: &str, lengths: &[usize]) -> bool {
    lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn snapshots() {
        let path = PathBuf::from(format!(
            "/c/hub/models--nvidia--Kimi-K2.5-NVFP4/snapshots/{COMMIT}"
        ));
        assert!(matches!(
            Layout::of(&path, |_| false),
            Layout::HubSnapshot { .. }
        ));
        assert_eq!(
            Layout::of(Path::new("/models/kimi"), |_| false),
            Layout::Plain
        );
    }

    #[test]
    fn only_this_form_of_link_is_read_through() {
        assert_eq!(blob_name(&format!("../../blobs/{COMMIT}"), 0), Some(COMMIT));
        assert_eq!(
            blob_name(&format!("../../../blobs/{COMMIT}"), 1),
            Some(COMMIT)
        );
        for text in [
            format!("../../../blobs/{COMMIT}"),
            format!("/c/hub/blobs/{COMMIT}"),
            "../../blobs/../../etc/passwd".to_owned(),
            "../../blobs/short".to_owned(),
        ] {
            assert_eq!(blob_name(&text, 0), None, "{text}");
        }
        assert_eq!(
            shared_blob("../../../blobs/ab/abcdef"),
            Some(("ab", "abcdef"))
        );
        assert_eq!(shared_blob("../../etc/passwd"), None);
    }
}
