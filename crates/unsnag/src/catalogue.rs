//! The catalogue of this run: the built-in one and the folders that a person names.

use std::path::PathBuf;

use unsnag_core::fix::{Catalogue, fix_folders, read_fix};

use crate::exit::Failure;
use crate::output::command;

/// Loads it, for as long as the process lives: to free it piece by piece at the end would be a twentieth of a check.
///
/// # Errors
/// A folder that cannot be read, or a fix that cannot be taken.
pub fn load(folders: &[PathBuf]) -> Result<&'static Catalogue, Failure> {
    let mut catalogue =
        unsnag_fixes::catalogue().map_err(|error| Failure::new(error.to_string()))?;
    for folder in folders
        .iter()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        for fix in fix_folders(folder).map_err(|error| Failure::new(format!("--fixes: {error}")))? {
            let entry =
                read_fix(&fix).map_err(|error| Failure::new(format!("--fixes: {error}")))?;
            catalogue
                .add(entry, unsnag_fixes::rules::RULES)
                .map_err(|error| {
                    Failure::new(format!("--fixes: {}: {}", fix.display(), error.problem))
                        .hint(command("lint", &fix, &[]))
                })?;
        }
    }
    Ok(Box::leak(Box::new(catalogue)))
}
