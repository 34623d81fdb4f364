//! Libraries of a Python environment, read from the names of its dist-info folders. No Python is started.

use std::env;
use std::path::{Path, PathBuf};

use unsnag_core::target::{Library, Version};

/// The environment that is meant: the given one, else the active one, else that of the first `python3` on the path.
///
/// # Errors
/// The given path is neither an environment nor an interpreter.
pub fn environment(given: Option<&Path>) -> Result<Option<PathBuf>, String> {
    if let Some(path) = given {
        let root = if path.is_dir() {
            Some(path.to_owned())
        } else {
            of_interpreter(path)
        };
        return match root.filter(|root| !site_packages(root).is_empty()) {
            Some(root) => Ok(Some(root)),
            None => Err(format!(
                "{}: no Python environment; expected its folder or its interpreter",
                path.display()
            )),
        };
    }
    let active = ["VIRTUAL_ENV", "CONDA_PREFIX"]
        .into_iter()
        .filter_map(env::var_os)
        .map(PathBuf::from)
        .find(|root| root.is_dir());
    Ok(active.or_else(|| {
        let path = env::var_os("PATH")?;
        let interpreter = env::split_paths(&path)
            .map(|folder| folder.join("python3"))
            .find(|file| file.is_file())?;
        of_interpreter(&interpreter)
    }))
}

/// `ENV/bin/python3` belongs to ENV; a link elsewhere (`/usr/bin/python3`) to where it leads, unless ENV says that it is one.
fn of_interpreter(interpreter: &Path) -> Option<PathBuf> {
    let root = interpreter.parent()?.parent()?;
    if root.join("pyvenv.cfg").is_file() || !site_packages(root).is_empty() {
        return Some(root.to_owned());
    }
    let real = interpreter.canonicalize().ok()?;
    real.parent()?.parent().map(Path::to_owned)
}

fn site_packages(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for lib in ["lib", "lib64", "local/lib", "Lib"] {
        let lib = root.join(lib);
        found.extend([lib.join("site-packages"), lib.join("python3/dist-packages")]);
        let Ok(entries) = lib.read_dir() else {
            continue;
        };
        let mut versions: Vec<PathBuf> = entries
            .filter_map(Result::ok)
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("python3"))
            .map(|entry| entry.path())
            .collect();
        versions.sort();
        for version in versions {
            found.extend([version.join("site-packages"), version.join("dist-packages")]);
        }
    }
    found.retain(|folder| folder.is_dir());
    let mut real: Vec<PathBuf> = Vec::new();
    found.retain(|folder| match folder.canonicalize() {
        Ok(path) if !real.contains(&path) => {
            real.push(path);
            true
        }
        _ => false,
    });
    found
}

/// The known libraries of an environment with their versions, by name.
pub fn libraries(environment: &Path) -> Vec<(Library, Version)> {
    let mut found: Vec<(Library, Version)> = Vec::new();
    for folder in site_packages(environment) {
        let Ok(entries) = folder.read_dir() else {
            continue;
        };
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name();
            let Some((library, version)) = name
                .to_string_lossy()
                .strip_suffix(".dist-info")
                .and_then(distribution)
            else {
                continue;
            };
            if !found.iter().any(|(known, _)| *known == library) {
                found.push((library, version));
            }
        }
    }
    found.sort_by_key(|(library, _)| library.name());
    found
}

/// `compressed_tensors-0.13.0`, as the wheel format names it.
fn distribution(stem: &str) -> Option<(Library, Version)> {
    let (name, version) = stem.rsplit_once('-')?;
    let library = Library::named(&name.replace('_', "-")).ok()?;
    Some((library, version.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_distributions() {
        let (library, version) = distribution("compressed_tensors-0.13.0").unwrap();
        assert_eq!(
            (library.name(), version.as_str()),
            ("compressed-tensors", "0.13.0")
        );
        assert_eq!(distribution("vllm-0.15.1+cu128").unwrap().0.name(), "vllm");
        assert!(distribution("numpy-2.0.0").is_none());
        assert!(distribution("vllm").is_none());
    }
}
