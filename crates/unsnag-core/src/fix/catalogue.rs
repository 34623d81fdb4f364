//! The catalogue: every fix and advice, the built-in ones and those of a person's own folders.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Fix, FixFile, KindFile};
use crate::rule::RuleBuilder;
use crate::target::{Releases, ReleasesFile, nearest};

/// An entry before it is checked.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The folder above the fix.
    pub family: Cow<'static, str>,
    /// The fix's folder.
    pub id: Cow<'static, str>,
    /// What stands in `fix.toml`.
    pub file: FixFile,
    /// What stands in `explanation.md`.
    pub explanation: Cow<'static, str>,
}

/// A fix file that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{family}/{id}/fix.toml: {problem}")]
pub struct CatalogueError {
    /// The folder above.
    pub family: String,
    /// The fix.
    pub id: String,
    /// What is wrong, in words.
    pub problem: String,
}

/// Fixes by id, and what is known of the engines' releases.
#[derive(Debug, Default)]
pub struct Catalogue {
    fixes: BTreeMap<String, Fix>,
    aliases: BTreeMap<String, String>,
    releases: Releases,
}

impl Catalogue {
    /// Checks and takes entries.
    ///
    /// # Errors
    /// The first entry that cannot be taken.
    pub fn new(
        entries: impl IntoIterator<Item = Entry>,
        rules: &[(&str, RuleBuilder)],
    ) -> Result<Self, CatalogueError> {
        let mut catalogue = Self::default();
        for entry in entries {
            catalogue.add(entry, rules)?;
        }
        Ok(catalogue)
    }

    /// Checks and takes one more entry.
    ///
    /// # Errors
    /// It cannot be taken, or its id is taken already.
    pub fn add(
        &mut self,
        entry: Entry,
        rules: &[(&str, RuleBuilder)],
    ) -> Result<(), CatalogueError> {
        let Entry {
            family,
            id,
            file,
            explanation,
        } = entry;
        let error = |problem: String| CatalogueError {
            family: family.to_string(),
            id: id.to_string(),
            problem,
        };
        let fix = Fix::new(&family, &id, file, explanation, rules).map_err(error)?;
        if self.get(&fix.id).is_some() {
            return Err(error(format!("the id `{}` is taken already", fix.id)));
        }
        for alias in &fix.aliases {
            if let Some(taken) = self.get(alias) {
                return Err(error(format!(
                    "the alias `{alias}` belongs to `{}` already",
                    taken.id
                )));
            }
            self.aliases.insert(alias.clone(), fix.id.clone());
        }
        self.fixes.insert(fix.id.clone(), fix);
        Ok(())
    }

    /// Takes what is known of one engine's releases.
    ///
    /// # Errors
    /// What is wrong with the file, in words.
    pub fn add_releases(&mut self, file: &ReleasesFile) -> Result<(), String> {
        self.releases.add(file)
    }

    /// The engines' releases.
    #[must_use]
    pub fn releases(&self) -> &Releases {
        &self.releases
    }

    /// The entries that are in force, by id.
    pub fn fixes(&self) -> impl Iterator<Item = &Fix> {
        self.fixes.values().filter(|fix| fix.withdrawn.is_none())
    }

    /// An entry by its id or an older one, withdrawn ones too.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Fix> {
        self.fixes
            .get(id)
            .or_else(|| self.fixes.get(self.aliases.get(id)?))
    }

    /// The known id nearest to a misspelt one.
    #[must_use]
    pub fn nearest(&self, id: &str) -> Option<&str> {
        nearest(id, self.fixes.keys().map(String::as_str))
    }

    /// How many fixes and how many advice entries are in force.
    #[must_use]
    pub fn count(&self) -> (usize, usize) {
        let fixes = self.fixes().filter(|fix| fix.kind == KindFile::Fix).count();
        (fixes, self.fixes().count() - fixes)
    }
}
