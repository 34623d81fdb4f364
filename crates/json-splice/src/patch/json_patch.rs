//! From the patches of the `json-patch` crate.

use super::operation::{Operation, Patch};
use super::raw::RawValue;
use crate::pointer::Pointer;
use json_patch::PatchOperation;
use json_patch::jsonptr::PointerBuf;

impl From<&json_patch::Patch> for Patch {
    /// The same operations. Numbers are spelled as `serde_json` writes them, since its values do
    /// not keep what was read.
    fn from(patch: &json_patch::Patch) -> Patch {
        Patch::new(patch.0.iter().map(Operation::from).collect())
    }
}

impl From<&PatchOperation> for Operation {
    fn from(operation: &PatchOperation) -> Operation {
        match operation {
            PatchOperation::Add(add) => Operation::Add {
                path: pointer(&add.path),
                value: raw(&add.value),
            },
            PatchOperation::Remove(remove) => Operation::Remove {
                path: pointer(&remove.path),
            },
            PatchOperation::Replace(replace) => Operation::Replace {
                path: pointer(&replace.path),
                value: raw(&replace.value),
            },
            PatchOperation::Move(moved) => Operation::Move {
                from: pointer(&moved.from),
                path: pointer(&moved.path),
            },
            PatchOperation::Copy(copy) => Operation::Copy {
                from: pointer(&copy.from),
                path: pointer(&copy.path),
            },
            PatchOperation::Test(test) => Operation::Test {
                path: pointer(&test.path),
                value: raw(&test.value),
            },
        }
    }
}

fn pointer(pointer: &PointerBuf) -> Pointer {
    Pointer::from_tokens(pointer.tokens().map(|token| token.decoded().into_owned()))
}

fn raw(value: &serde_json::Value) -> RawValue {
    RawValue::trusted(value.to_string())
}
