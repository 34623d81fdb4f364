//! Every JSON file of published model directories survives edits at several depths, to the byte.
//! Without the directories there is nothing to check.

#![allow(clippy::unwrap_used)]

use json_splice::{Document, Kind, Node, Operation, Patch, Pointer, RawValue};
use std::path::{Path, PathBuf};

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files(&entry, all);
        } else if entry
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            all.push(entry);
        }
    }
}

/// For each depth, the last place of that depth among the first members and elements.
fn places(root: Node<'_>) -> Vec<Pointer> {
    let mut places = Vec::new();
    let mut open = vec![(Pointer::root(), root)];
    while let Some((pointer, node)) = open.pop() {
        let mut inside: Vec<(Pointer, Node<'_>)> = node
            .members()
            .take(40)
            .map(|member| (pointer.join(member.name()), member.value()))
            .collect();
        let elements = node.elements().take(5).enumerate();
        inside.extend(elements.map(|(i, element)| (pointer.join(i.to_string()), element)));
        let container = inside
            .iter()
            .rposition(|(_, node)| node.kind().is_container());
        let container = container.map(|at| inside.get(at).cloned().unwrap());
        places.extend(inside.last().map(|(pointer, _)| pointer.clone()));
        open.extend(container);
    }
    places
}

/// The patch changes only what `changed` says, and undo gives every byte back.
#[track_caller]
fn check(bytes: &[u8], operation: Operation, changed: impl Fn(Option<Node<'_>>) -> bool) {
    let path = operation.path().clone();
    let patch = Patch::new(vec![operation]);
    let edits = patch.edits(bytes).unwrap();
    assert!(edits.splices().len() <= 1);
    let edited = edits.apply(bytes);
    let after = Document::parse(&edited).unwrap();
    assert!(changed(after.find(&path)), "{path}");
    // The values beside it stand as they stood.
    if let (Some(parent), Some(last)) = (path.parent(), path.last()) {
        let before = Document::parse(bytes).unwrap();
        let text = |document: Document<'_>| -> Vec<String> {
            let parent = document.find(&parent).unwrap();
            let members = parent.members().filter(|member| member.name() != last);
            members
                .map(|member| member.value().literal().to_owned())
                .collect()
        };
        assert_eq!(text(before), text(after));
    }
    assert_eq!(edits.undo(bytes).restore(&edited).unwrap(), bytes);
}

#[test]
fn edits_at_several_depths_and_back() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let mut all = Vec::new();
    files(&corpus, &mut all);
    all.sort();
    for file in &all {
        let bytes = std::fs::read(file).unwrap();
        let Ok(document) = Document::parse(&bytes) else {
            // Pointers of git LFS in place of the file, and files that are broken as published.
            assert!(serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).is_err());
            continue;
        };
        let value: RawValue = "{\"new\": [1e-06, \"\\u0120\"]}".parse().unwrap();
        let mut places = places(document.root());
        if bytes.len() > 100_000 {
            // Only the deepest place, for time's sake.
            places.drain(..places.len().saturating_sub(1));
        }
        for path in places {
            let is_value =
                |node: Option<Node<'_>>| node.is_some_and(|node| node.same_value(value.node()));
            let replace = Operation::Replace {
                path: path.clone(),
                value: value.clone(),
            };
            check(&bytes, replace, is_value);
            let parent = path.parent().unwrap();
            let in_object = document.find(&parent).unwrap().kind() == Kind::Object;
            check(&bytes, Operation::Remove { path: path.clone() }, |node| {
                !in_object || node.is_none()
            });
            let new = if in_object {
                parent.join("not there yet")
            } else {
                path
            };
            let add = Operation::Add {
                path: new,
                value: value.clone(),
            };
            check(&bytes, add, is_value);
        }
    }
    assert!(all.is_empty() || all.len() > 400, "{} files", all.len());
}
