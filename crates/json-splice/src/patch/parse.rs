//! Reads RFC 6902 text.

use super::operation::{Operation, Patch};
use super::raw::RawValue;
use crate::document::{Document, Member, Node};
use crate::kind::Kind;
use crate::pointer::Pointer;
use crate::position::{Position, position};
use crate::syntax::SyntaxError;
use std::error::Error;
use std::fmt;

/// Why a text is not an RFC 6902 patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatchParseError {
    /// It is not JSON.
    Syntax(SyntaxError),
    /// It is JSON, but not an array of operations.
    Shape {
        /// The operation that is wrong, counted from 0; `None` for the patch as a whole.
        operation: Option<usize>,
        /// Where in the patch.
        position: Position,
        /// What is wrong and what would be right.
        problem: String,
    },
}

/// What is wrong, and with which node.
struct Problem<'d>(Node<'d>, String);

impl Patch {
    /// Reads a patch. The values keep their spelling. Members that RFC 6902 does not know are
    /// ignored, as it asks; a known one that stands twice is refused.
    ///
    /// # Errors
    /// When `text` is not JSON or not an array of operations.
    pub fn parse(text: &[u8]) -> Result<Patch, PatchParseError> {
        let root = Document::parse(text)
            .map_err(PatchParseError::Syntax)?
            .root();
        let shape = |operation: Option<usize>, Problem(node, problem)| PatchParseError::Shape {
            operation,
            position: position(text, node.span().start),
            problem,
        };
        if root.kind() != Kind::Array {
            let problem = format!("a patch is an array of operations, this is {}", root.kind());
            return Err(shape(None, Problem(root, problem)));
        }
        let operations = root
            .elements()
            .enumerate()
            .map(|(index, node)| operation(node).map_err(|problem| shape(Some(index), problem)))
            .collect::<Result<_, _>>()?;
        Ok(Patch::new(operations))
    }
}

fn operation(node: Node<'_>) -> Result<Operation, Problem<'_>> {
    if node.kind() != Kind::Object {
        let problem = format!("an operation is an object, this is {}", node.kind());
        return Err(Problem(node, problem));
    }
    let op = string(node, "op")?;
    let path = || pointer(node, "path");
    let value = || member(node, "value").map(RawValue::from);
    Ok(match &*op {
        "add" => Operation::Add {
            path: path()?,
            value: value()?,
        },
        "remove" => Operation::Remove { path: path()? },
        "replace" => Operation::Replace {
            path: path()?,
            value: value()?,
        },
        "move" => Operation::Move {
            from: pointer(node, "from")?,
            path: path()?,
        },
        "copy" => Operation::Copy {
            from: pointer(node, "from")?,
            path: path()?,
        },
        "test" => Operation::Test {
            path: path()?,
            value: value()?,
        },
        other => {
            let problem =
                format!("\"op\" is {other:?}; it must be add, remove, replace, move, copy or test");
            return Err(Problem(member(node, "op")?, problem));
        }
    })
}

fn member<'d>(node: Node<'d>, name: &str) -> Result<Node<'d>, Problem<'d>> {
    let named: Vec<Member<'d>> = node
        .members()
        .filter(|member| member.name() == name)
        .collect();
    match named.as_slice() {
        [only] => Ok(only.value()),
        [] => Err(Problem(node, format!("the operation has no \"{name}\""))),
        [_, second, ..] => {
            let problem = format!("the operation has \"{name}\" twice");
            Err(Problem(second.value(), problem))
        }
    }
}

fn string<'d>(node: Node<'d>, name: &str) -> Result<String, Problem<'d>> {
    let value = member(node, name)?;
    match std::str::from_utf8(&crate::text::decode(
        value.raw_string().unwrap_or_default().as_bytes(),
    )) {
        Ok(plain) if value.kind() == Kind::String => Ok(plain.to_owned()),
        Ok(_) => {
            let problem = format!("\"{name}\" must be a string, this is {}", value.kind());
            Err(Problem(value, problem))
        }
        Err(_) => {
            let problem =
                format!("\"{name}\" holds a lone surrogate, which no key can be asked for");
            Err(Problem(value, problem))
        }
    }
}

fn pointer<'d>(node: Node<'d>, name: &str) -> Result<Pointer, Problem<'d>> {
    let text = string(node, name)?;
    match text.parse() {
        Ok(pointer) => Ok(pointer),
        Err(error) => Err(Problem(
            member(node, name)?,
            format!("\"{name}\" is {text:?}: {error}"),
        )),
    }
}

impl fmt::Display for PatchParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatchParseError::Syntax(error) => error.fmt(f),
            PatchParseError::Shape {
                operation: Some(index),
                position,
                problem,
            } => write!(f, "{position}: operation {index}: {problem}"),
            PatchParseError::Shape {
                position, problem, ..
            } => write!(f, "{position}: {problem}"),
        }
    }
}

impl Error for PatchParseError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            PatchParseError::Syntax(error) => Some(error),
            PatchParseError::Shape { .. } => None,
        }
    }
}
