//! The fuzz target's seeds, replayed: the same outcome in pieces and from a reader, and every byte
//! back after undo.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use json_splice::{Document, Patch, Scanner, StreamError, Undo};
use support::Slow;

#[test]
fn seeds_hold() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/patch");
    let mut edited = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let seed = std::fs::read(entry.unwrap().path()).unwrap();
        let (step, seed) = seed.split_first().unwrap();
        let step = usize::from(*step) % 31 + 1;
        let mut parts = seed.splitn(2, |byte| *byte == 0xFF);
        let document = parts.next().unwrap();
        let patch = Patch::parse(parts.next().unwrap_or(b"[]"));

        let mut scanner = Scanner::new([]);
        let fed = document
            .chunks(step)
            .try_for_each(|piece| scanner.feed(piece));
        let scanned = fed.and_then(|()| scanner.finish().map(drop));
        assert_eq!(scanned, Document::parse(document).map(drop));

        let Ok(patch) = patch else { continue };
        let mut reader = Slow::new(document, step);
        match (patch.edits(document), patch.edits_in(&mut reader)) {
            (Ok(edits), Ok(read)) => {
                assert_eq!(edits, read);
                let after = edits.apply(document);
                Document::parse(&after).unwrap();
                let undo = Undo::from_json(edits.undo(document).to_json().as_bytes()).unwrap();
                assert_eq!(undo.restore(&after).unwrap(), document);
                edited += usize::from(!edits.is_empty());
            }
            (Err(error), Err(StreamError::Patch(read))) => assert_eq!(error, read),
            (Err(error), Err(read)) => assert_eq!(error.to_string(), read.to_string()),
            (edits, read) => panic!("{edits:?} is not {read:?}"),
        }
    }
    assert!(edited >= 5, "only {edited} seeds change anything");
}
