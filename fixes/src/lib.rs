//! The catalogue of `unsnag`: known incompatibilities as data in `FAMILY/FIX-ID/`, rules in Rust for what is not data, and what releases bring.

pub mod rules;

use std::borrow::Cow;

use unsnag_core::fix::{Catalogue, CatalogueError, Entry};

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));

/// A fix as it is built in.
#[derive(Debug)]
pub struct Source {
    /// The folder above.
    pub family: &'static str,
    /// The fix's folder.
    pub id: &'static str,
    /// `fix.toml` as JSON.
    pub json: &'static str,
    /// `explanation.md`.
    pub explanation: &'static str,
}

/// The built-in catalogue.
///
/// # Errors
/// A fix or release file that does not hold; the tests of this repository rule that out.
pub fn catalogue() -> Result<Catalogue, CatalogueError> {
    let mut catalogue = Catalogue::default();
    for (name, json) in RELEASES {
        let error = |problem: String| CatalogueError {
            family: "releases".to_owned(),
            id: (*name).to_owned(),
            problem,
        };
        let file = serde_json::from_str(json).map_err(|wrong| error(wrong.to_string()))?;
        catalogue.add_releases(&file).map_err(error)?;
    }
    for source in FIXES {
        let file = serde_json::from_str(source.json).map_err(|error| CatalogueError {
            family: source.family.to_owned(),
            id: source.id.to_owned(),
            problem: error.to_string(),
        })?;
        let entry = Entry {
            family: Cow::Borrowed(source.family),
            id: Cow::Borrowed(source.id),
            file,
            explanation: Cow::Borrowed(source.explanation),
        };
        catalogue.add(entry, rules::RULES)?;
    }
    Ok(catalogue)
}
