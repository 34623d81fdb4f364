//! `list`: the catalogue.

use std::fmt::Write as _;

use unsnag_core::fix::{Catalogue, Fix, KindFile};
use unsnag_core::target::Library;

use crate::args::{Format, ListArgs};
use crate::exit::{Failure, Outcome, Status};
use crate::output::{print, print_json};
use crate::report::{finding, json};

/// Runs the verb.
pub fn run(args: &ListArgs, catalogue: &Catalogue) -> Outcome {
    let engine = args
        .engine
        .as_deref()
        .map(Library::named)
        .transpose()
        .map_err(|near| {
            let name = args.engine.as_deref().unwrap_or_default();
            let failure = Failure::new(format!(
                "--engine {name}: not an engine or library that is known"
            ));
            match near {
                Some(near) => failure.hint(format!("did you mean `{near}`?")),
                None => failure,
            }
        })?;
    one_of(
        "--severity",
        args.severity.as_deref(),
        &["blocks", "wrong-output", "degraded", "nuisance"],
    )?;
    one_of("--safety", args.safety.as_deref(), &["safe", "lossy"])?;
    let mut families: Vec<&str> = catalogue.fixes().map(|fix| fix.family.as_str()).collect();
    families.dedup();
    families.sort_unstable();
    families.dedup();
    one_of("--family", args.family.as_deref(), &families)?;
    let wanted = |fix: &&Fix| {
        args.family
            .as_ref()
            .is_none_or(|family| fix.family == *family)
            && engine.is_none_or(|engine| {
                fix.target
                    .iter()
                    .any(|row| row.on.iter().any(|(library, _)| *library == engine))
            })
            && args
                .file
                .as_ref()
                .is_none_or(|file| fix.edits.contains(file))
            && args
                .severity
                .as_ref()
                .is_none_or(|severity| fix.severity.name() == severity)
            && args
                .safety
                .as_ref()
                .is_none_or(|safety| fix.safety().is_some_and(|known| known.name() == safety))
    };
    let mut fixes: Vec<&Fix> = catalogue.fixes().filter(wanted).collect();
    fixes.sort_by(|a, b| (&a.family, &a.id).cmp(&(&b.family, &b.id)));
    match args.format {
        Format::Json => print_json(&json::ListDocument::new(&fixes))?,
        Format::Human => print(&human(&fixes))?,
    }
    Ok(Status::Done)
}

fn one_of(flag: &str, value: Option<&str>, known: &[&str]) -> Result<(), Failure> {
    match value {
        Some(value) if !known.contains(&value) => Err(Failure::new(format!(
            "{flag} {value}: expected one of {}",
            known.join(", ")
        ))),
        _ => Ok(()),
    }
}

fn human(fixes: &[&Fix]) -> String {
    let width = fixes.iter().map(|fix| fix.id.len()).max().unwrap_or(0);
    let mut out = String::new();
    let mut family = "";
    for fix in fixes {
        if fix.family != family {
            let _ = writeln!(
                out,
                "{}{}",
                if family.is_empty() { "" } else { "\n" },
                fix.family
            );
            family = &fix.family;
        }
        let safety = match fix.kind {
            KindFile::Advice => "advice",
            KindFile::Fix => fix.safety().map_or("", unsnag_core::fix::Safety::name),
        };
        let _ = writeln!(
            out,
            "  {:width$}  {:12} {:6}  {}",
            fix.id,
            fix.severity.name(),
            safety,
            fix.title
        );
        let _ = writeln!(out, "  {:width$}  {}", "", finding::sure(fix));
    }
    let advice = fixes
        .iter()
        .filter(|fix| fix.kind == KindFile::Advice)
        .count();
    let _ = writeln!(
        out,
        "\n{} fixes, {advice} advice entries. unsnag explain ID tells more.",
        fixes.len() - advice
    );
    out
}
