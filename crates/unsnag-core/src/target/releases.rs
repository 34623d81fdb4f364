//! What a release of an engine brings along, and up to which release the catalogue has read.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::library::Library;
use super::range::Range;
use super::version::Version;

/// What is known of all engines' releases.
#[derive(Debug, Clone, Default)]
pub struct Releases {
    engines: BTreeMap<Library, Engine>,
}

#[derive(Debug, Clone)]
struct Engine {
    checked: Option<Version>,
    releases: Vec<(Range, BTreeMap<Library, Range>)>,
}

/// One engine's file, `releases/NAME.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReleasesFile {
    /// The engine or library.
    pub library: String,
    /// The newest release that the catalogue has read.
    pub checked: Option<String>,
    /// What releases bring.
    #[serde(default)]
    pub release: Vec<ReleaseFile>,
}

/// A stretch of releases.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseFile {
    /// Which releases.
    pub versions: String,
    /// The libraries they bring, each exact or a range.
    #[serde(default)]
    pub brings: BTreeMap<String, String>,
}

impl Releases {
    /// Adds one engine's file.
    ///
    /// # Errors
    /// A name, version or range that cannot be read, in words.
    pub fn add(&mut self, file: &ReleasesFile) -> Result<(), String> {
        let library = library(&file.library)?;
        let checked = file
            .checked
            .as_deref()
            .map(str::parse)
            .transpose()
            .map_err(|e: super::VersionError| e.to_string())?;
        let mut releases = Vec::new();
        for release in &file.release {
            let mut brings = BTreeMap::new();
            for (name, range) in &release.brings {
                brings.insert(
                    self::library(name)?,
                    range
                        .parse()
                        .map_err(|e: super::RangeError| e.to_string())?,
                );
            }
            releases.push((
                release
                    .versions
                    .parse()
                    .map_err(|e: super::RangeError| e.to_string())?,
                brings,
            ));
        }
        self.engines.insert(library, Engine { checked, releases });
        Ok(())
    }

    /// The newest release of `library` that the catalogue has read.
    #[must_use]
    pub fn checked(&self, library: Library) -> Option<&Version> {
        self.engines.get(&library)?.checked.as_ref()
    }

    /// What `version` of `engine` brings; without a version, or where no release fits, the libraries alone.
    #[must_use]
    pub fn brings(
        &self,
        engine: Library,
        version: Option<&Version>,
    ) -> BTreeMap<Library, Option<Range>> {
        let Some(engine_releases) = self.engines.get(&engine) else {
            return BTreeMap::new();
        };
        let mut found = BTreeMap::new();
        for (range, brings) in &engine_releases.releases {
            let inside =
                version.is_some_and(|version| range.contains(engine.name(), version).is_yes());
            for (library, bound) in brings {
                let entry = found.entry(*library).or_insert(None);
                if inside {
                    *entry = Some(bound.clone());
                }
            }
        }
        found
    }
}

fn library(name: &str) -> Result<Library, String> {
    Library::named(name).map_err(|_| format!("`{name}` is not an engine or library that is known"))
}
