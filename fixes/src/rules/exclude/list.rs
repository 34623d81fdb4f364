//! The lists of a directory, each with the matcher of its format.

use json_splice::{Kind, Node, Pointer};
use regex::Regex;
use unsnag_core::rule::{Gap, Glob, Look};

/// How a format matches its entries against module names.
///
/// Source: vLLM's `is_layer_excluded` (ModelOpt), `should_ignore_layer` (compressed-tensors), `is_layer_skipped` (fp8, AWQ) and Quark's `should_ignore_layer`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Exact, then a part of the name, then fnmatch.
    ModelOpt,
    /// Exact, or `re:` and a regex anchored at the start.
    CompressedTensors,
    /// Exact, or `re:` and a regex anchored at the start.
    Quark,
    /// A part of the name.
    Awq,
    /// Exact.
    Fp8,
}

impl Dialect {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::ModelOpt => "modelopt",
            Self::CompressedTensors => "compressed-tensors",
            Self::Quark => "quark",
            Self::Awq => "awq",
            Self::Fp8 => "fp8",
        }
    }

    /// An entry for every module below `prefix`.
    pub(super) fn below(self, prefix: &str) -> String {
        match self {
            Self::ModelOpt => format!("{prefix}*"),
            Self::CompressedTensors | Self::Quark => format!("re:{}.*", prefix.replace('.', "\\.")),
            Self::Awq | Self::Fp8 => prefix.to_owned(),
        }
    }
}

/// A list with its place and its compiled entries.
#[derive(Debug)]
pub(super) struct ExcludeList {
    pub(super) file: String,
    pub(super) pointer: Pointer,
    pub(super) dialect: Dialect,
    pub(super) entries: Vec<String>,
    regexes: Vec<Regex>,
}

impl ExcludeList {
    /// Whether the list leaves a module alone.
    pub(super) fn excludes(&self, module: &str) -> bool {
        match self.dialect {
            Dialect::ModelOpt => self
                .entries
                .iter()
                .any(|entry| modelopt_covers(entry, module)),
            Dialect::CompressedTensors | Dialect::Quark => {
                self.entries.iter().any(|entry| entry == module)
                    || self.regexes.iter().any(|regex| regex.is_match(module))
            }
            Dialect::Awq => self
                .entries
                .iter()
                .any(|entry| module.contains(entry.as_str())),
            Dialect::Fp8 => self.entries.iter().any(|entry| entry == module),
        }
    }

    pub(super) fn has(&self, entry: &str) -> bool {
        self.entries.iter().any(|known| known == entry)
    }
}

/// Whether ModelOpt's matcher leaves a module alone for this entry.
pub(super) fn modelopt_covers(entry: &str, module: &str) -> bool {
    entry == module
        || (!entry.contains(['*', '?', '[']) && module.contains(entry))
        || Glob::new(entry).matches(module)
}

/// Every exclude list of the directory.
///
/// # Errors
/// A file that is no JSON, or a regex of a list that cannot be decided.
pub(super) fn lists(look: &Look<'_, '_>) -> Result<Vec<ExcludeList>, Vec<Gap>> {
    let gap = |gap| vec![gap];
    let mut found = Vec::new();
    let block = look
        .at("config.json", "/quantization_config")
        .map_err(gap)?;
    let text =
        |node: Option<Node<'_>>| node.and_then(|node| node.as_str().map(|text| text.into_owned()));
    if let Some(block) = block {
        let method = text(block.get("quant_method")).unwrap_or_default();
        let (dialect, keys): (Dialect, &[&str]) = match method.as_str() {
            "compressed-tensors" => (Dialect::CompressedTensors, &["ignore"]),
            "quark" => (Dialect::Quark, &["exclude"]),
            "awq" | "awq_marlin" => (Dialect::Awq, &["modules_to_not_convert"]),
            "fp8" => (Dialect::Fp8, &["ignored_layers", "modules_to_not_convert"]),
            method if method.starts_with("modelopt") => {
                (Dialect::ModelOpt, &["ignore", "exclude_modules"])
            }
            _ => (Dialect::ModelOpt, &[]),
        };
        for key in keys {
            found.extend(
                list(
                    "config.json",
                    &format!("/quantization_config/{key}"),
                    block.get(key),
                    dialect,
                )
                .map_err(gap)?,
            );
        }
    }
    let sidecar = look
        .at("hf_quant_config.json", "/quantization/exclude_modules")
        .map_err(gap)?;
    found.extend(
        list(
            "hf_quant_config.json",
            "/quantization/exclude_modules",
            sidecar,
            Dialect::ModelOpt,
        )
        .map_err(gap)?,
    );
    Ok(found)
}

fn list(
    file: &str,
    pointer: &str,
    node: Option<Node<'_>>,
    dialect: Dialect,
) -> Result<Option<ExcludeList>, Gap> {
    let (Some(node), Ok(pointer)) = (
        node.filter(|node| node.kind() == Kind::Array),
        pointer.parse(),
    ) else {
        return Ok(None);
    };
    let entries: Vec<String> = node
        .elements()
        .filter_map(|entry| entry.as_str().map(|text| text.into_owned()))
        .collect();
    let mut regexes = Vec::new();
    if matches!(dialect, Dialect::CompressedTensors | Dialect::Quark) {
        for pattern in entries.iter().filter_map(|entry| entry.strip_prefix("re:")) {
            let regex = Regex::new(&format!("^(?:{pattern})"));
            regexes.push(regex.map_err(|_| {
                Gap::directory(
                    file,
                    format!("the pattern `re:{pattern}` cannot be decided here"),
                )
            })?);
        }
    }
    Ok(Some(ExcludeList {
        file: file.to_owned(),
        pointer,
        dialect,
        entries,
        regexes,
    }))
}
