//! A row of a fix's `target`: which libraries, versions and GPUs it is about.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use super::gpu::GpuSet;
use super::library::Library;
use super::range::Range;

/// One row; all that it names must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Libraries with the range in which the incompatibility is certain.
    pub on: Vec<(Library, Range)>,
    /// Stretches that nobody has read: the row is unknown there.
    pub maybe: Vec<(Library, Range)>,
    /// Sets of GPUs, one of which must hold; empty for every GPU.
    pub gpu: Vec<GpuSet>,
}

/// A row as it stands in the TOML.
#[derive(Debug, Clone, Default, Deserialize, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RowFile {
    /// Engine or library to version range.
    #[serde(default)]
    pub on: BTreeMap<String, String>,
    /// The stretch between the last bad and the first good release that was read.
    #[serde(default)]
    pub maybe: BTreeMap<String, String>,
    /// Sets of GPUs, one of which must hold.
    #[serde(default)]
    pub gpu: Vec<String>,
}

impl TryFrom<&RowFile> for Row {
    type Error = String;

    fn try_from(file: &RowFile) -> Result<Self, String> {
        if file.on.is_empty() && file.gpu.is_empty() && file.maybe.is_empty() {
            return Err("a target row names nothing; expected `on`, `gpu` or both".to_owned());
        }
        Ok(Self {
            on: libraries(&file.on)?,
            maybe: libraries(&file.maybe)?,
            gpu: file
                .gpu
                .iter()
                .map(|set| set.parse())
                .collect::<Result<_, _>>()?,
        })
    }
}

fn libraries(rows: &BTreeMap<String, String>) -> Result<Vec<(Library, Range)>, String> {
    let mut found = Vec::new();
    for (name, range) in rows {
        let library = Library::named(name).map_err(|near| match near {
            Some(near) => {
                format!("`{name}` is not an engine or library that is known; `{near}` is")
            }
            None => format!("`{name}` is not an engine or library that is known"),
        })?;
        found.push((
            library,
            range
                .parse()
                .map_err(|error: super::RangeError| error.to_string())?,
        ));
    }
    Ok(found)
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let libraries = self.on.iter().map(|(library, range)| {
            if range.is_any() {
                format!("{library}, every version")
            } else {
                format!("{library} {range}")
            }
        });
        let gpus: Vec<String> = self.gpu.iter().map(ToString::to_string).collect();
        let mut parts: Vec<String> = libraries.collect();
        if !gpus.is_empty() {
            parts.push(format!("on {}", gpus.join(", ")));
        }
        f.write_str(&parts.join(", "))
    }
}
