//! What a checkpoint is to run on: libraries with versions, GPUs, intents, engine arguments.

mod gpu;
mod gpu_names;
mod intent;
mod library;
mod range;
mod releases;
mod row;
mod suggest;
mod version;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub use gpu::{Gpu, GpuError, GpuSet};
pub use intent::Intent;
pub use library::Library;
pub use range::{Range, RangeError, Relation};
pub use releases::{ReleaseFile, Releases, ReleasesFile};
pub use row::{Row, RowFile};
pub use suggest::nearest;
pub use version::{Version, VersionError};

use crate::rule::{Gap, Truth};

/// What is known of where the checkpoint is to run.
#[derive(Debug, Clone, Default)]
pub struct Target {
    named: Vec<(Library, Option<Version>)>,
    with: Vec<(Library, Version)>,
    gpus: Vec<Gpu>,
    intents: BTreeSet<Intent>,
    arguments: Vec<String>,
    libraries: BTreeMap<Library, Known>,
    checked: BTreeMap<Library, Version>,
}

/// What is known of one library's version.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Known {
    Exactly(Version),
    Within(Range),
    Nothing,
}

impl Target {
    /// Builds a target from what was named, adding what the engines' releases bring.
    #[must_use]
    pub fn new(
        engines: Vec<(Library, Option<Version>)>,
        with: Vec<(Library, Version)>,
        gpus: Vec<Gpu>,
        intents: BTreeSet<Intent>,
        releases: &Releases,
    ) -> Self {
        let mut libraries = BTreeMap::new();
        let mut open: Vec<(Library, Option<Version>)> = engines.clone();
        while let Some((engine, version)) = open.pop() {
            for (library, range) in releases.brings(engine, version.as_ref()) {
                let known = match range {
                    Some(range) => range
                        .exact()
                        .cloned()
                        .map_or(Known::Within(range), Known::Exactly),
                    None => Known::Nothing,
                };
                if let Some(entry) = libraries.get(&library)
                    && *entry != Known::Nothing
                {
                    continue;
                }
                if let Known::Exactly(version) = &known {
                    open.push((library, Some(version.clone())));
                }
                libraries.insert(library, known);
            }
        }
        for (library, version) in &engines {
            libraries.insert(
                *library,
                version.clone().map_or(Known::Nothing, Known::Exactly),
            );
        }
        for (library, version) in &with {
            libraries.insert(*library, Known::Exactly(version.clone()));
            for (below, range) in releases.brings(*library, Some(version)) {
                if let Some(range) = range {
                    let known = range
                        .exact()
                        .cloned()
                        .map_or(Known::Within(range), Known::Exactly);
                    if !with.iter().any(|(named, _)| *named == below) {
                        libraries.insert(below, known);
                    }
                }
            }
        }
        let checked = engines
            .iter()
            .filter_map(|(library, _)| {
                releases
                    .checked(*library)
                    .map(|version| (*library, version.clone()))
            })
            .collect();
        Self {
            named: engines,
            with,
            gpus,
            intents,
            arguments: Vec::new(),
            libraries,
            checked,
        }
    }

    /// Adds the engine's own arguments, as in `vllm serve DIR --kv-cache-dtype bfloat16`.
    #[must_use]
    pub fn with_arguments(mut self, arguments: Vec<String>) -> Self {
        self.arguments = arguments;
        self
    }

    /// Whether neither an engine, a library nor a GPU is known.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.libraries.is_empty() && self.gpus.is_empty()
    }

    /// The engines that were named.
    #[must_use]
    pub fn engines(&self) -> &[(Library, Option<Version>)] {
        &self.named
    }

    /// The libraries that were named beside the engines.
    #[must_use]
    pub fn with(&self) -> &[(Library, Version)] {
        &self.with
    }

    /// The GPUs, several on a mixed host.
    #[must_use]
    pub fn gpus(&self) -> &[Gpu] {
        &self.gpus
    }

    /// What the person wants beyond serving.
    #[must_use]
    pub fn intents(&self) -> &BTreeSet<Intent> {
        &self.intents
    }

    /// The engine's own arguments.
    #[must_use]
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// Whether the person named this intent. One that is not named counts as not wanted.
    #[must_use]
    pub fn wants(&self, intent: Intent) -> bool {
        self.intents.contains(&intent)
    }

    /// Engines that are newer than the newest release that the catalogue has read, with that release.
    pub fn unread(&self) -> impl Iterator<Item = (Library, &Version, &Version)> {
        self.named.iter().filter_map(|(library, version)| {
            let (version, checked) = (version.as_ref()?, self.checked.get(library)?);
            (version > checked || version.is_nightly()).then_some((*library, version, checked))
        })
    }

    /// What the engines bring along, in words: `compressed-tensors 0.13.0`, `transformers >=4.56,<5`.
    pub fn brought(&self) -> impl Iterator<Item = String> {
        let named = |library: &Library| self.named.iter().any(|(engine, _)| engine == library);
        self.libraries
            .iter()
            .filter(move |(library, _)| !named(library))
            .filter_map(|(library, known)| match known {
                Known::Exactly(version) => Some(format!("{library} {version}")),
                Known::Within(range) => Some(format!("{library} {range}")),
                Known::Nothing => None,
            })
    }

    /// The version of a library, where it is exactly known.
    #[must_use]
    pub fn version(&self, library: Library) -> Option<&Version> {
        match self.libraries.get(&library) {
            Some(Known::Exactly(version)) => Some(version),
            _ => None,
        }
    }

    /// Whether `library` in `range` is what the checkpoint runs on.
    #[must_use]
    pub fn runs(&self, library: Library, range: &Range) -> Truth {
        match self.libraries.get(&library) {
            Some(Known::Exactly(version)) => range.contains(library.name(), version),
            Some(Known::Within(_) | Known::Nothing) if range.is_any() => Truth::Yes,
            Some(Known::Within(brought)) => match brought.relation(range) {
                Relation::Inside => Truth::Yes,
                Relation::Disjoint => Truth::No,
                Relation::Overlap => Truth::unknown(Gap::target(
                    format!("{library} version"),
                    format!("the engine brings {library} {brought}"),
                )),
            },
            Some(Known::Nothing) => Truth::unknown(Gap::target(format!("{library} version"), "")),
            None if self.named.is_empty() => Truth::unknown(Gap::target("engine", "")),
            None => Truth::No,
        }
    }

    /// Whether one of the sets has one of the GPUs.
    #[must_use]
    pub fn has_gpu(&self, sets: &[GpuSet]) -> Truth {
        if sets.is_empty() {
            return Truth::Yes;
        }
        if self.gpus.is_empty() {
            return Truth::unknown(Gap::target("gpu", ""));
        }
        Truth::from(
            self.gpus
                .iter()
                .any(|gpu| sets.iter().any(|set| set.contains(gpu))),
        )
    }

    /// Whether a row is about this target.
    #[must_use]
    pub fn fits(&self, row: &Row) -> Truth {
        let certain = || {
            row.on
                .iter()
                .map(|(library, range)| self.runs(*library, range))
        };
        let gpu = self.has_gpu(&row.gpu);
        let on = if row.on.is_empty() && !row.maybe.is_empty() {
            Truth::No
        } else {
            Truth::all(certain())
        };
        let unread = row
            .maybe
            .iter()
            .filter(|_| on.is_no())
            .map(|(library, range)| match self.runs(*library, range) {
                Truth::Yes => Truth::unknown(Gap::target(
                    format!("{library} version"),
                    format!("{library} {range} was not read"),
                )),
                other => other,
            });
        Truth::all([gpu, Truth::any(std::iter::once(on.clone()).chain(unread))])
    }

    /// Whether any row is about this target. No row: about every target.
    #[must_use]
    pub fn fits_any(&self, rows: &[Row]) -> Truth {
        if rows.is_empty() {
            Truth::Yes
        } else {
            Truth::any(rows.iter().map(|row| self.fits(row)))
        }
    }

    /// The flags that name this target on a command line, such as `--engine vllm@0.15.1 --gpu sm120`.
    #[must_use]
    pub fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        let mut push = |flag: &str, value: String| flags.extend([flag.to_owned(), value]);
        for (library, version) in &self.named {
            push(
                "--engine",
                version.as_ref().map_or(library.to_string(), |version| {
                    format!("{library}@{version}")
                }),
            );
        }
        for (library, version) in &self.with {
            push("--with", format!("{library}@{version}"));
        }
        for gpu in &self.gpus {
            push("--gpu", gpu.to_string());
        }
        for intent in &self.intents {
            push("--intent", intent.to_string());
        }
        flags
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engines = self.named.iter().map(|(library, version)| match version {
            Some(version) => format!("{library} {version}"),
            None => format!("{library}, version not known"),
        });
        let with = self
            .with
            .iter()
            .map(|(library, version)| format!("{library} {version}"));
        let parts: Vec<String> = engines
            .chain(with)
            .chain(self.gpus.iter().map(ToString::to_string))
            .collect();
        f.write_str(
            if parts.is_empty() {
                "not known".into()
            } else {
                parts.join(", ")
            }
            .as_str(),
        )
    }
}

#[cfg(test)]
mod tests;
