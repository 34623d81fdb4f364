//! The undo record as JSON text, to be stored.

use super::edits::{Edits, Splice};
use super::hex;
use super::undo::{Print, Undo, UndoError};
use crate::document::{Document, Node};
use crate::text::encode;

/// The format's version; a reader refuses others.
const VERSION: &str = "1";

impl Undo {
    /// The record as JSON: `{"version", "before", "after", "splices"}`; `before` and `after` have
    /// `length` in bytes and `sha256`; a splice has `at` (offset in the edited text), `remove` (bytes
    /// to take away there) and `insert` (text; `insert_hex` where the bytes are not UTF-8).
    pub fn to_json(&self) -> String {
        let splices: Vec<String> = self.edits.splices().iter().map(splice_json).collect();
        format!(
            "{{\"version\": {VERSION}, \"before\": {}, \"after\": {}, \"splices\": [{}]}}",
            print_json(&self.before),
            print_json(&self.after),
            splices.join(", ")
        )
    }

    /// Reads what [`Undo::to_json`] wrote.
    ///
    /// # Errors
    /// [`UndoError::Malformed`] when it is not such a record.
    pub fn from_json(json: &[u8]) -> Result<Undo, UndoError> {
        let document =
            Document::parse(json).map_err(|error| UndoError::Malformed(error.to_string()))?;
        let root = document.root();
        if field(root, "version")?.literal() != VERSION {
            return malformed("its version is not 1");
        }
        let splices = field(root, "splices")?
            .elements()
            .map(read_splice)
            .collect::<Result<_, _>>()?;
        let edits = Edits::new(splices).map_err(|error| UndoError::Malformed(error.to_string()))?;
        let after = read_print(field(root, "after")?)?;
        match edits.splices().last() {
            Some(last) if last.range.end > after.length => {
                malformed("a splice lies past the end of the text")
            }
            _ => Ok(Undo {
                edits,
                before: read_print(field(root, "before")?)?,
                after,
            }),
        }
    }
}

fn print_json(print: &Print) -> String {
    format!(
        "{{\"length\": {}, \"sha256\": \"{}\"}}",
        print.length,
        hex::encode(&print.sha256)
    )
}

fn splice_json(splice: &Splice) -> String {
    let (at, remove) = (splice.range.start, splice.range.len());
    let insert = match std::str::from_utf8(&splice.replacement) {
        Ok(text) => format!("\"insert\": {}", encode(text)),
        Err(_) => format!("\"insert_hex\": \"{}\"", hex::encode(&splice.replacement)),
    };
    format!("{{\"at\": {at}, \"remove\": {remove}, {insert}}}")
}

fn malformed<T>(why: impl Into<String>) -> Result<T, UndoError> {
    Err(UndoError::Malformed(why.into()))
}

fn field<'d>(node: Node<'d>, name: &str) -> Result<Node<'d>, UndoError> {
    match node.get(name) {
        Some(value) => Ok(value),
        None => malformed(format!("\"{name}\" is missing")),
    }
}

fn read_size(node: Node<'_>, name: &str) -> Result<usize, UndoError> {
    match field(node, name)?.literal().parse() {
        Ok(size) => Ok(size),
        Err(_) => malformed(format!("\"{name}\" is not a size in bytes")),
    }
}

fn read_print(node: Node<'_>) -> Result<Print, UndoError> {
    let digits = field(node, "sha256")?.as_str().unwrap_or_default();
    let bytes = hex::decode(&digits).unwrap_or_default();
    match <[u8; 32]>::try_from(bytes) {
        Ok(sha256) => Ok(Print {
            length: read_size(node, "length")?,
            sha256,
        }),
        Err(_) => malformed("\"sha256\" is not 64 hexadecimal digits"),
    }
}

fn read_splice(node: Node<'_>) -> Result<Splice, UndoError> {
    let at = read_size(node, "at")?;
    let Some(end) = at.checked_add(read_size(node, "remove")?) else {
        return malformed("\"remove\" is not a size in bytes");
    };
    let insert = match node.get("insert_hex") {
        Some(digits) => digits.as_str().as_deref().and_then(hex::decode),
        None => field(node, "insert")?
            .as_str()
            .map(|text| text.into_owned().into_bytes()),
    };
    match insert {
        Some(replacement) => Ok(Splice {
            range: at..end,
            replacement,
        }),
        None => malformed("\"insert\" is not a string"),
    }
}
