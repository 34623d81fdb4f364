//! Byte repair of files that are almost JSON: a byte order mark, trailing commas, another encoding. Nothing beyond that is guessed.

use json_splice::{Document, Edits, Splice};
use serde_json::{Map, Value};
use unsnag_core::rule::{Evidence, FileEdit, Gap, Look, Rule, Site};
use unsnag_core::view::{Content, is_lfs_pointer};

use super::support::cured;

const BOM: &[u8] = b"\xef\xbb\xbf";
/// Files that engines read as JSON.
const FILES: [&str; 12] = [
    "config.json",
    "generation_config.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "tokenizer.json",
    "preprocessor_config.json",
    "processor_config.json",
    "adapter_config.json",
    "modules.json",
    "hf_quant_config.json",
    "quantize_config.json",
    "model.safetensors.index.json",
];

#[derive(Debug)]
struct JsonRepair;

/// Takes no arguments.
pub(super) fn build(_: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    Ok(Box::new(JsonRepair))
}

impl Rule for JsonRepair {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let mut sites = Vec::new();
        for file in FILES
            .into_iter()
            .filter(|file| look.view().has(file) && !look.view().is_big(file))
        {
            let Ok(Some(bytes)) = look.view().bytes(file) else {
                continue;
            };
            let sound =
                matches!(look.view().content(file), Content::Json(_)) && !bytes.starts_with(BOM);
            if sound || is_lfs_pointer(bytes) {
                continue;
            }
            if let Some((edits, what)) = repair(bytes) {
                let evidence = vec![Evidence::file(file, what)];
                let edit = FileEdit::Repair {
                    file: file.to_owned(),
                    edits,
                };
                sites.push(cured(
                    file,
                    evidence,
                    "none: the same document, in bytes that every reader takes",
                    vec![edit],
                ));
            }
        }
        Ok(sites)
    }
}

/// Splices after which the bytes are JSON, and what was wrong.
fn repair(bytes: &[u8]) -> Option<(Edits, String)> {
    let mut wrong = Vec::new();
    let (text, mut splices) = decoded(bytes, &mut wrong)?;
    if let Some(rest) = text.strip_prefix('\u{feff}') {
        wrong.push("a byte order mark");
        if splices.is_empty() {
            splices.push(Splice {
                range: 0..BOM.len(),
                replacement: Vec::new(),
            });
            splices.extend(commas(rest, BOM.len(), &mut wrong));
        } else {
            splices = vec![Splice {
                range: 0..bytes.len(),
                replacement: without_commas(rest, &mut wrong).into_bytes(),
            }];
        }
    } else if splices.is_empty() {
        splices = commas(&text, 0, &mut wrong);
    } else {
        splices = vec![Splice {
            range: 0..bytes.len(),
            replacement: without_commas(&text, &mut wrong).into_bytes(),
        }];
    }
    let edits = Edits::new(splices).ok()?;
    let repaired = edits.apply(bytes);
    (!edits.is_empty() && Document::parse(&repaired).is_ok()).then(|| (edits, wrong.join(", ")))
}

/// The text, and a splice over everything where it was not UTF-8.
fn decoded(bytes: &[u8], wrong: &mut Vec<&'static str>) -> Option<(String, Vec<Splice>)> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some((text.to_owned(), Vec::new()));
    }
    let units = |order: fn([u8; 2]) -> u16| -> Option<String> {
        let pairs: Vec<u16> = bytes
            .get(2..)?
            .chunks_exact(2)
            .filter_map(|pair| Some(order([*pair.first()?, *pair.get(1)?])))
            .collect();
        (bytes.len() % 2 == 0).then(|| String::from_utf16(&pairs).ok())?
    };
    let (text, what) = if bytes.starts_with(b"\xff\xfe") {
        (units(u16::from_le_bytes)?, "UTF-16")
    } else if bytes.starts_with(b"\xfe\xff") {
        (units(u16::from_be_bytes)?, "UTF-16")
    } else {
        (
            bytes.iter().map(|byte| char::from(*byte)).collect(),
            "Latin-1",
        )
    };
    wrong.push(what);
    Some((
        text,
        vec![Splice {
            range: 0..bytes.len(),
            replacement: Vec::new(),
        }],
    ))
}

/// Where commas stand with nothing but space between them and a closing bracket, outside of strings.
fn trailing_commas(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut comma = None;
    let (mut in_string, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => {
                in_string = true;
                comma = None;
            }
            b',' => comma = Some(at),
            b'}' | b']' => found.extend(comma.take()),
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => comma = None,
        }
    }
    found
}

fn commas(text: &str, offset: usize, wrong: &mut Vec<&'static str>) -> Vec<Splice> {
    let found = trailing_commas(text);
    if !found.is_empty() {
        wrong.push("a trailing comma");
    }
    found
        .into_iter()
        .map(|at| Splice {
            range: offset + at..offset + at + 1,
            replacement: Vec::new(),
        })
        .collect()
}

fn without_commas(text: &str, wrong: &mut Vec<&'static str>) -> String {
    let found = trailing_commas(text);
    if !found.is_empty() {
        wrong.push("a trailing comma");
    }
    text.char_indices()
        .filter(|(at, _)| !found.contains(at))
        .map(|(_, c)| c)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(bytes: &[u8]) -> Option<Vec<u8>> {
        repair(bytes).map(|(edits, _)| edits.apply(bytes))
    }

    #[test]
    fn only_what_is_sure() {
        assert_eq!(
            repaired(b"{\"a\": [1, 2 , ],}").unwrap(),
            b"{\"a\": [1, 2  ]}"
        );
        assert_eq!(
            repaired(b"\xef\xbb\xbf{\"a\": \",]\",}").unwrap(),
            b"{\"a\": \",]\"}"
        );
        assert_eq!(
            repaired(b"{\"a\": \"\xe9\"}").unwrap(),
            "{\"a\": \"é\"}".as_bytes()
        );
        for broken in [
            &b"{\"a\": }"[..],
            b"{\"a\" 1}",
            b"{'a': 1}",
            b"",
            b"{\"a\": true.}",
            b"[1,,]",
        ] {
            assert_eq!(
                repaired(broken),
                None,
                "{}",
                String::from_utf8_lossy(broken)
            );
        }
    }
}
