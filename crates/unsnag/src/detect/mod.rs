//! Finding the engine, its libraries and the GPUs of this machine, where nobody named them. Nothing is started but `nvidia-smi`.

mod nvidia;
mod python;

use std::path::Path;

use unsnag_core::target::{Gpu, Library, Version};

/// What was found, with the place it was found at.
#[derive(Debug, Default)]
pub struct Detected {
    /// The engine.
    pub engine: Option<(Library, Version)>,
    /// The libraries beside it.
    pub with: Vec<(Library, Version)>,
    /// The GPUs, each architecture once.
    pub gpus: Vec<Gpu>,
    /// What to tell the person, a line each.
    pub notes: Vec<String>,
}

/// Engines in the order of how sure one is meant where several are installed: none of them, so all are named.
const ENGINES: [&str; 6] = [
    "vllm",
    "sglang",
    "tensorrt-llm",
    "lmdeploy",
    "ktransformers",
    "mlx-lm",
];

/// Looks for an engine in the active Python environment, or in the one given.
///
/// # Errors
/// The given path is no Python environment.
pub fn engine(python: Option<&Path>, detected: &mut Detected) -> Result<(), String> {
    let Some(environment) = python::environment(python)? else {
        return Ok(());
    };
    let mut found = python::libraries(&environment);
    let engines: Vec<(Library, Version)> = found
        .iter()
        .filter(|(library, _)| ENGINES.contains(&library.name()))
        .cloned()
        .collect();
    let place = environment.display();
    match engines.as_slice() {
        [] => {
            let Some(at) = found
                .iter()
                .position(|(library, _)| library.name() == "transformers")
            else {
                return Ok(());
            };
            detected.engine = Some(found.remove(at));
        }
        [engine] => {
            found.retain(|(library, _)| *library != engine.0);
            detected.engine = Some(engine.clone());
        }
        several => {
            let names: Vec<String> = several
                .iter()
                .map(|(library, version)| format!("{library}@{version}"))
                .collect();
            detected.notes.push(format!(
                "several engines in {place}: {}; --engine names one",
                names.join(", ")
            ));
            return Ok(());
        }
    }
    found.retain(|(library, _)| !ENGINES.contains(&library.name()));
    if let Some((library, version)) = &detected.engine {
        let with: Vec<String> = found
            .iter()
            .map(|(library, version)| format!("{library} {version}"))
            .collect();
        let with = if with.is_empty() {
            String::new()
        } else {
            format!(" with {}", with.join(", "))
        };
        detected
            .notes
            .push(format!("detected: {library} {version}{with}, in {place}"));
    }
    detected.with = found;
    Ok(())
}

/// Asks `nvidia-smi` for the GPUs.
pub fn gpus(detected: &mut Detected) {
    let found = nvidia::gpus();
    for (name, gpu) in found {
        if !detected.gpus.contains(&gpu) {
            detected
                .notes
                .push(format!("detected: {gpu} ({name}), by nvidia-smi"));
            detected.gpus.push(gpu);
        }
    }
}
