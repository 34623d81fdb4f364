//! From flags, environment and what is installed to a target.

use std::collections::BTreeSet;

use unsnag_core::fix::Catalogue;
use unsnag_core::target::{Gpu, Intent, Library, Target, Version};

use crate::args::TargetArgs;
use crate::detect::{self, Detected};
use crate::engine_command;
use crate::exit::Failure;
use crate::output::say;

/// Reads what the flags say of the target, and looks for what they leave open.
///
/// # Errors
/// A name or version that cannot be read, with what is known and what is near.
pub fn resolve(args: &TargetArgs, catalogue: &Catalogue) -> Result<Target, Failure> {
    let mut engines = engines(args)?;
    let mut with = libraries(args)?;
    let mut gpus = args
        .gpu
        .iter()
        .filter(|gpu| !gpu.is_empty())
        .map(|gpu| read_gpu(gpu))
        .collect::<Result<Vec<_>, _>>()?;
    let mut intents = args
        .intent
        .iter()
        .map(|intent| {
            intent
                .parse()
                .map_err(|error| Failure::new(format!("--intent: {error}")))
        })
        .collect::<Result<BTreeSet<Intent>, _>>()?;
    intents.extend(engine_command::intents(&args.command));
    if engines.is_empty() {
        engines.extend(engine_command::engine(&args.command).map(|library| (library, None)));
    }
    let versionless = engines.iter().all(|(_, version)| version.is_none());
    if args.python.is_some()
        || (!args.no_detect && with.is_empty() && (versionless || gpus.is_empty()))
    {
        let mut detected = Detected::default();
        if versionless {
            detect::engine(args.python.as_deref(), &mut detected)
                .map_err(|error| Failure::new(format!("--python: {error}")))?;
            take_engine(&mut engines, &mut with, &mut detected);
        }
        if gpus.is_empty() && !args.no_detect {
            detect::gpus(&mut detected);
            gpus.append(&mut detected.gpus);
        }
        for note in &detected.notes {
            say(&format!("{note}\n"));
        }
    }
    Ok(
        Target::new(engines, with, gpus, intents, catalogue.releases())
            .with_arguments(args.command.clone()),
    )
}

/// Takes what is installed, where it is what was named, or nothing was.
fn take_engine(
    engines: &mut Vec<(Library, Option<Version>)>,
    with: &mut Vec<(Library, Version)>,
    detected: &mut Detected,
) {
    let Some((library, version)) = detected.engine.take() else {
        return;
    };
    match engines.first_mut() {
        None => engines.push((library, Some(version))),
        Some((named, open)) if *named == library => *open = Some(version),
        Some(_) => {
            detected.notes.clear();
            return;
        }
    }
    with.append(&mut detected.with);
}

fn engines(args: &TargetArgs) -> Result<Vec<(Library, Option<Version>)>, Failure> {
    args.engine
        .iter()
        .filter(|engine| !engine.is_empty())
        .map(|engine| named("--engine", engine))
        .collect()
}

fn libraries(args: &TargetArgs) -> Result<Vec<(Library, Version)>, Failure> {
    let mut with = Vec::new();
    for library in &args.with {
        let (library, version) = named("--with", library)?;
        let version = version.ok_or_else(|| {
            Failure::new(format!(
                "--with {library}: a version is missing; expected {library}@VERSION"
            ))
        })?;
        with.push((library, version));
    }
    Ok(with)
}

/// `vllm@0.15.1`, `vllm==0.15.1`, `vllm/vllm-openai:v0.16.0`, `vllm`.
fn named(flag: &str, text: &str) -> Result<(Library, Option<Version>), Failure> {
    let scoped = text.strip_prefix('@').is_some(); // @huggingface/transformers@3.8.0
    let (name, version) = text
        .split_once("==")
        .or_else(|| {
            if scoped {
                text.rsplit_once('@').filter(|(name, _)| !name.is_empty())
            } else {
                text.split_once('@')
            }
        })
        .or_else(|| text.rsplit_once(':'))
        .map_or((text, None), |(name, version)| (name, Some(version)));
    let library = Library::named(name).map_err(|near| {
        let known: Vec<&str> = Library::all().map(Library::name).collect();
        let failure = Failure::new(format!(
            "{flag} {text}: `{name}` is not an engine or library that is known"
        ));
        let failure = match near {
            Some(near) => failure.hint(format!("did you mean `{near}`?")),
            None => failure,
        };
        failure.hint(format!("known are: {}", known.join(", ")))
    })?;
    let version = version
        .map(|version| version.parse::<Version>())
        .transpose();
    let version = version.map_err(|error| {
        Failure::new(format!("{flag} {text}: {error}"))
            .hint(format!("{library} alone means: version not known"))
    })?;
    Ok((library, version))
}

fn read_gpu(text: &str) -> Result<Gpu, Failure> {
    text.parse()
        .map_err(|error: unsnag_core::target::GpuError| {
            let failure = Failure::new(format!("--gpu: {error}"));
            match error.near {
                Some(near) => failure.hint(format!("did you mean `{near}`?")),
                None => failure,
            }
        })
}
