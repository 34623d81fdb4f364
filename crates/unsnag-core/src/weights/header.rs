//! The header of a safetensors file: an 8-byte little-endian length, then JSON.
//!
//! Source: the safetensors format description; its library caps a header at 100 MB.

use std::collections::BTreeMap;

use json_splice::{Document, Kind, Node};

use crate::store::fsys::{FsError, Root};
use crate::view::is_lfs_pointer;

/// The longest header that is read, in bytes.
const LIMIT: u64 = 100_000_000;

/// What a shard's header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The tensors by name.
    pub tensors: BTreeMap<String, Tensor>,
    /// Length of the file in bytes.
    pub file_len: u64,
    /// Length that the header asks for: 8 bytes, the header, and the end of the last tensor.
    pub expected_len: u64,
}

/// One tensor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// Its dtype as safetensors names it: `BF16`, `F8_E4M3`, `U8`, ...
    pub dtype: String,
    /// Its shape.
    pub shape: Vec<u64>,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The file is no safetensors file, or its header is hostile.
#[derive(Debug, thiserror::Error)]
pub enum HeaderError {
    /// It could not be read.
    #[error("{0}")]
    Read(#[from] FsError),
    /// It is shorter than its own header.
    #[error("is cut off: {found} bytes, of which the header alone needs {needed}")]
    Truncated {
        /// Length of the file.
        found: u64,
        /// Length it needs.
        needed: u64,
    },
    /// It says that its header is longer than any header.
    #[error(
        "is no safetensors file: its first 8 bytes give a header of {0} bytes, the format allows 100000000"
    )]
    TooLong(u64),
    /// A Git LFS pointer.
    #[error("is a Git LFS pointer, not the weights; `git lfs pull` fetches them")]
    LfsPointer,
    /// The header is no JSON.
    #[error("its header is not JSON: {0}")]
    Json(String),
    /// The header is JSON of another form.
    #[error("its header does not describe tensors: {0}")]
    Form(String),
}

/// How long a shard and its header are: 8 bytes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lengths {
    /// Length of the file in bytes.
    pub file: u64,
    /// Length of the header's JSON in bytes.
    pub header: u64,
}

impl Lengths {
    /// Reads them of `file`.
    ///
    /// # Errors
    /// The file cannot be read, is shorter than its header, or is no safetensors file.
    pub fn read(root: &Root, file: &str) -> Result<Self, HeaderError> {
        let len = root.len(file)?;
        let start = root.read_range(file, 0, len.min(64))?;
        if is_lfs_pointer(&start) {
            return Err(HeaderError::LfsPointer);
        }
        let Some(bytes) = start.first_chunk::<8>() else {
            return Err(HeaderError::Truncated {
                found: len,
                needed: 8,
            });
        };
        let header = u64::from_le_bytes(*bytes);
        if header > LIMIT {
            return Err(HeaderError::TooLong(header));
        }
        if len < 8 + header {
            return Err(HeaderError::Truncated {
                found: len,
                needed: 8 + header,
            });
        }
        Ok(Self { file: len, header })
    }

    /// Length of what is after the header, in bytes.
    #[must_use]
    pub fn data(self) -> u64 {
        self.file.saturating_sub(8 + self.header)
    }
}

impl Header {
    /// Reads the header of `file`.
    ///
    /// # Errors
    /// The file cannot be read, is cut off, or its header is not what the format says.
    pub fn read(root: &Root, file: &str) -> Result<Self, HeaderError> {
        let lengths = Lengths::read(root, file)?;
        let text = root.read_range(file, 8, lengths.header)?;
        let mut header = Self::parse(&text)?;
        header.file_len = lengths.file;
        header.expected_len += 8 + lengths.header;
        Ok(header)
    }

    /// Whether the file has exactly the length that its header asks for.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.file_len == self.expected_len
    }

    /// Reads a header's JSON; `expected_len` is then the end of the last tensor.
    ///
    /// # Errors
    /// It is not JSON, or does not describe tensors.
    pub fn parse(text: &[u8]) -> Result<Self, HeaderError> {
        let document =
            Document::parse(text).map_err(|error| HeaderError::Json(error.to_string()))?;
        let root = document.root();
        if root.kind() != Kind::Object {
            return Err(HeaderError::Form("it is not an object".to_owned()));
        }
        let mut tensors = BTreeMap::new();
        let mut end = 0;
        for member in root.members() {
            let name = member.name();
            if name == "__metadata__" {
                continue;
            }
            let (tensor, to) = tensor(member.value()).ok_or_else(|| {
                HeaderError::Form(format!(
                    "`{name}` needs dtype, shape and data_offsets of two whole numbers in order"
                ))
            })?;
            end = end.max(to);
            tensors.insert(name.into_owned(), tensor);
        }
        Ok(Self {
            tensors,
            file_len: 0,
            expected_len: end,
        })
    }
}

fn tensor(node: Node<'_>) -> Option<(Tensor, u64)> {
    let dtype = node.get("dtype")?.as_str()?.into_owned();
    let whole = |node: Node<'_>| {
        node.literal()
            .parse::<u64>()
            .ok()
            .filter(|number| *number < 1 << 56)
    };
    let shape = node
        .get("shape")
        .filter(|shape| shape.kind() == Kind::Array)?
        .elements()
        .map(whole)
        .collect::<Option<_>>()?;
    let offsets: Vec<u64> = node
        .get("data_offsets")?
        .elements()
        .map(whole)
        .collect::<Option<_>>()?;
    match offsets.as_slice() {
        [from, to] if from <= to => Some((
            Tensor {
                dtype,
                shape,
                bytes: to - from,
            },
            *to,
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_tensors() {
        let text = br#"{"__metadata__":{"format":"pt"},"a.weight":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]}}"#;
        let header = Header::parse(text).unwrap();
        assert_eq!(header.expected_len, 12);
        assert_eq!(
            header.tensors["a.weight"],
            Tensor {
                dtype: "BF16".into(),
                shape: vec![2, 3],
                bytes: 12
            }
        );
    }

    #[test]
    fn refuses_hostile_headers() {
        for text in [
            &b"[]"[..],
            b"{",
            br#"{"a":{"dtype":"F32","shape":[1]}}"#,
            br#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[8,4]}}"#,
            br#"{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}"#,
            br#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,99999999999999999999999]}}"#,
        ] {
            assert!(
                Header::parse(text).is_err(),
                "{}",
                String::from_utf8_lossy(text)
            );
        }
    }
}
