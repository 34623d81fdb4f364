//! What the crate costs, each figure a ratio to a peer or to another size in the same run:
//! `cargo bench -p json-splice [-- FILE.json POINTER]`. Times of a shared machine wander; the median
//! of ratios taken in turn wanders less.

#![allow(clippy::print_stdout)]

use json_splice::{Document, Operation, Patch, Pointer};
use serde_json::Value;
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let named: Vec<&String> = arguments
        .iter()
        .filter(|word| !word.starts_with("--"))
        .collect();
    println!("| document | measure | bound | median ratio |\n|---|---|---|---|");
    let tokenizer = tokenizer(262_144, 514_906);
    file(
        "tokenizer, synthetic",
        &tokenizer,
        &pointer("/model/ignore_merges"),
    );
    many("tokenizer, synthetic", &tokenizer, &pointer("/model/vocab"));
    let index = index(282_470);
    let middle = "/weight_map/model.layers.40.mlp.experts.100.down_proj.weight";
    file("index, synthetic", &index, &pointer(middle));
    many("index, synthetic", &index, &pointer("/weight_map"));
    if let [path, place, ..] = named.as_slice() {
        match std::fs::read(path) {
            Ok(text) => file(path, &text, &pointer(place)),
            Err(error) => println!("{path}: {error}"),
        }
    }
    growth();
    small();
}

/// One-key edits of a whole document, against peers that read all of it.
fn file(name: &str, text: &[u8], place: &Pointer) {
    let remove = Patch::new(vec![Operation::Remove {
        path: place.clone(),
    }]);
    let parse = || let_go(black_box(Document::parse(text).is_ok()));
    let edits = || let_go(black_box(remove.edits(text).is_ok()));
    row(
        name,
        "validate / memcpy",
        "",
        ratio(9, parse, || let_go(black_box(text.to_vec()))),
    );
    let ignored = || {
        let_go(black_box(
            serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok(),
        ))
    };
    row(
        name,
        "validate / serde_json IgnoredAny",
        "",
        ratio(9, parse, ignored),
    );
    row(
        name,
        "edits of one removal / validate",
        "",
        ratio(9, edits, parse),
    );
    let tree = || {
        let mut value: Value = serde_json::from_slice(text).unwrap_or_default();
        if let Some(parent) = place.parent()
            && let Some(Value::Object(members)) = value.pointer_mut(&parent.to_string())
        {
            members.shift_remove(place.last().unwrap_or_default());
        }
        let_go(black_box(serde_json::to_vec_pretty(&value)));
    };
    let edit = || let_go(black_box(remove.edits(text).map(|edits| edits.apply(text))));
    row(
        name,
        "serde_json Value round trip / edit",
        "",
        ratio(3, tree, edit),
    );
}

/// A thousand operations against one.
fn many(name: &str, text: &[u8], place: &Pointer) {
    let Ok(document) = Document::parse(text) else {
        return;
    };
    let names: Vec<String> = document
        .find(place)
        .into_iter()
        .flat_map(|node| node.members())
        .map(|member| member.name().into_owned())
        .collect();
    let removals = |names: Vec<&String>| {
        let remove = |name: &String| Operation::Remove {
            path: place.join(name),
        };
        Patch::new(names.into_iter().map(remove).collect())
    };
    let step = names.len() / 1000;
    let thousand = removals(names.iter().step_by(step).take(1000).collect());
    let one = removals(names.iter().skip(names.len() / 2).take(1).collect());
    let thousand = || let_go(black_box(thousand.edits(text).is_ok()));
    let one = || let_go(black_box(one.edits(text).is_ok()));
    row(
        name,
        "1,000 operations / 1 operation",
        "1.5",
        ratio(9, thousand, one),
    );
}

/// Time a byte at 500 MB against time a byte at 50 MB.
fn growth() {
    let small = index(528_000);
    let large = index(5_280_000);
    let patch = Patch::new(vec![Operation::Remove {
        path: pointer("/metadata"),
    }]);
    let bytes = large.len() as f64 / small.len() as f64;
    let on_large = || let_go(black_box(patch.edits(&large).is_ok()));
    let on_small = || let_go(black_box(patch.edits(&small).is_ok()));
    let name = format!(
        "{} MB / {} MB",
        large.len() / 1_000_000,
        small.len() / 1_000_000
    );
    row(
        &name,
        "time a byte",
        "linear: 1",
        ratio(3, on_large, on_small) / bytes,
    );
}

/// A small config: what a check of a model directory does most.
fn small() {
    let members: Vec<String> = (0..200)
        .map(|i| format!("  \"key_of_some_length_{i}\": {{\n    \"value\": [{i}, \"text\"]\n  }}"))
        .collect();
    let text = format!("{{\n{}\n}}\n", members.join(",\n"));
    let places =
        [1, 50, 100, 150, 199].map(|i| pointer(&format!("/key_of_some_length_{i}/value/1")));
    let look = || {
        let document = Document::parse(text.as_bytes());
        for place in &places {
            let_go(black_box(
                document.as_ref().map(|document| document.find(place)),
            ));
        }
    };
    let value = || {
        let value: Result<Value, _> = serde_json::from_slice(text.as_bytes());
        for place in &places {
            let_go(black_box(
                value
                    .as_ref()
                    .map(|value| value.pointer(&place.to_string()).is_some()),
            ));
        }
    };
    let name = format!("config, {} kB", text.len() / 1000);
    row(
        &name,
        "5 look-ups / the same by serde_json Value",
        "",
        ratio(999, look, value),
    );
    let start = Instant::now();
    (0..1000).for_each(|_| look());
    let each = start.elapsed().as_secs_f64() * 1000.0;
    println!("| {name} | 5 look-ups, microseconds (not a ratio) | | {each:.1} |");
}

fn row(name: &str, measure: &str, bound: &str, ratio: f64) {
    println!("| {name} | {measure} | {bound} | {ratio:.2} |");
}

/// The median of `rounds` ratios of the times that `a` and `b` take, one after the other.
fn ratio(rounds: usize, mut a: impl FnMut(), mut b: impl FnMut()) -> f64 {
    let time = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    let mut ratios: Vec<f64> = (0..rounds).map(|_| time(&mut a) / time(&mut b)).collect();
    ratios.sort_by(f64::total_cmp);
    ratios.get(rounds / 2).copied().unwrap_or(f64::NAN)
}

/// The work is done for its time.
fn let_go<T>(_: T) {}

fn pointer(text: &str) -> Pointer {
    text.parse().unwrap_or_default()
}

/// A tokenizer.json as `json.dumps(indent=2, ensure_ascii=False)` writes it.
fn tokenizer(tokens: usize, merges: usize) -> Vec<u8> {
    let word = |i: usize| -> String {
        let letters = ["e", "t", "an", "\u{2581}", "ing", "\u{e9}", "o", "\u{4e2d}"];
        let digits = (0..8).map(|digit| i >> (3 * digit) & 7).take(2 + i % 6);
        digits
            .map(|digit| letters.get(digit).copied().unwrap_or_default())
            .collect()
    };
    let vocab: Vec<String> = (0..tokens)
        .map(|i| format!("      \"{}{i}\": {i}", word(i)))
        .collect();
    let merges: Vec<String> = (0..merges)
        .map(|i| {
            format!(
                "      [\n        \"{}\",\n        \"{}\"\n      ]",
                word(i),
                word(i / 3)
            )
        })
        .collect();
    format!(
        "{{\n  \"version\": \"1.0\",\n  \"model\": {{\n    \"type\": \"BPE\",\n    \"vocab\": {{\n{}\n    }},\n    \"merges\": [\n{}\n    ],\n    \"ignore_merges\": false\n  }}\n}}",
        vocab.join(",\n"),
        merges.join(",\n")
    )
    .into_bytes()
}

/// A model.safetensors.index.json of a mixture of experts.
fn index(tensors: usize) -> Vec<u8> {
    let line = |i: usize| {
        let projection = ["down_proj", "gate_proj", "up_proj"];
        let (layer, expert) = (i / 1152, i / 3 % 384);
        let projection = projection.get(i % 3).copied().unwrap_or_default();
        format!(
            "    \"model.layers.{layer}.mlp.experts.{expert}.{projection}.weight\": \"model-{:05}-of-00061.safetensors\"",
            i / 4700 + 1
        )
    };
    let lines: Vec<String> = (0..tensors).map(line).collect();
    format!(
        "{{\n  \"metadata\": {{\n    \"total_size\": 1\n  }},\n  \"weight_map\": {{\n{}\n  }}\n}}\n",
        lines.join(",\n")
    )
    .into_bytes()
}
