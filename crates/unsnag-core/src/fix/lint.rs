//! What a fix folder must hold beyond being readable: one function a demand.

use std::fs;
use std::path::{Path, PathBuf};

use regex::RegexBuilder;

use super::folder::{fix_folders, read_fix};
use super::{ConditionFile, CureFile, EditFile, Entry, Fix, KindFile, Safety};
use crate::rule::{Place, RuleBuilder};

/// Something a fix folder lacks or has wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong and what is expected, in words.
    pub message: String,
}

/// Longest compiled form of a symptom, in bytes; a regex that needs more is written wrongly.
const REGEX_LIMIT: usize = 1 << 20;

/// Checks every fix folder at or below `path`.
///
/// # Errors
/// There is no fix folder there.
pub fn lint(
    path: &Path,
    rules: &[(&str, RuleBuilder)],
) -> Result<Vec<Problem>, super::FolderError> {
    let mut problems = Vec::new();
    for folder in fix_folders(path)? {
        match read_fix(&folder) {
            Err(error) => problems.push(Problem {
                path: error.path,
                message: error.problem,
            }),
            Ok(entry) => {
                let file = folder.join("fix.toml");
                for message in head(&entry, rules)
                    .into_iter()
                    .chain(body(&entry))
                    .chain(symptoms(&entry))
                {
                    problems.push(Problem {
                        path: file.clone(),
                        message,
                    });
                }
                problems.extend(files(&folder, &entry));
            }
        }
    }
    Ok(problems)
}

fn head(entry: &Entry, rules: &[(&str, RuleBuilder)]) -> Vec<String> {
    let file = &entry.file;
    let mut found = Vec::new();
    if let Err(problem) = Fix::new(
        &entry.family,
        &entry.id,
        file.clone(),
        entry.explanation.clone(),
        rules,
    ) {
        found.push(problem);
    }
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !entry.id.chars().all(plain) {
        found.push(format!(
            "id: `{}` must be lower case words joined by `-`",
            entry.id
        ));
    }
    if file.title.trim().is_empty() || file.title.contains('\n') || file.title.ends_with('.') {
        found.push("title: one line without a final point is expected".to_owned());
    }
    if file.references.is_empty() && file.source.is_empty() {
        found.push("references: at least one public thread, or a `source`, is expected".to_owned());
    }
    for reference in &file.references {
        if !reference.starts_with("https://") || reference.contains(char::is_whitespace) {
            found.push(format!(
                "references: `{reference}` must be an https address"
            ));
        }
    }
    if file.kind == KindFile::Advice && file.instead.is_empty() && file.why.is_empty() {
        found.push("instead: an advice says what to do".to_owned());
    }
    let safe = file.cure.iter().any(|cure| cure.safety == Safety::Safe) || file.rule.is_some();
    if file.kind == KindFile::Fix && safe && file.proof.is_empty() && file.source.is_empty() {
        found.push(
            "proof: a safe cure has a proof by a real library, or a `source` line that shows it"
                .to_owned(),
        );
    }
    found
}

fn body(entry: &Entry) -> Vec<String> {
    let mut found = Vec::new();
    let file = &entry.file;
    for cure in &file.cure {
        let name = cure.name.as_deref().unwrap_or("edit");
        if cure.edit.is_empty() && file.rule.is_none() {
            found.push(format!("cure `{name}`: has no edit"));
        }
        if cure.safety == Safety::Lossy && cure.loses.as_deref().unwrap_or_default().is_empty() {
            found.push(format!(
                "cure `{name}`: a lossy cure says in `loses` what is lost"
            ));
        }
        if cure.safety == Safety::Safe && cure.cost.is_empty() {
            found.push(format!(
                "cure `{name}`: `cost` is missing; \"none\" is a cost too"
            ));
        }
        for edit in &cure.edit {
            found.extend(unguarded(entry, cure, edit));
        }
    }
    let conditions = file
        .when
        .iter()
        .chain(&file.unless)
        .chain(file.cure.iter().flat_map(|cure| &cure.when));
    let captured: Vec<String> = file
        .each
        .iter()
        .filter_map(|each| Place::parse(&each.at).ok())
        .flat_map(|place| place.captures().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    for condition in conditions {
        for place in condition_places(condition) {
            let Ok(place) = Place::parse(&place) else {
                continue;
            };
            for name in place
                .uses()
                .filter(|name| !captured.iter().any(|known| known == name))
            {
                found.push(format!(
                    "`{}` uses the capture `<{name}>`, which `each` does not make",
                    place.as_str()
                ));
            }
        }
    }
    found
}

/// An edit that overwrites or creates must rest on a condition about the same file: `put`, `copy-from`, `create` and `park` do something even where nothing is.
fn unguarded(entry: &Entry, cure: &CureFile, edit: &EditFile) -> Option<String> {
    let file = &entry.file;
    let own = file.own_file();
    let edited = edit.file.clone().unwrap_or_else(|| own.clone());
    let creates =
        edit.put.is_some() || edit.copy_from.is_some() || edit.create.is_some() || edit.park;
    let conditions: Vec<&ConditionFile> = file.when.iter().chain(&cure.when).collect();
    let guarded = file.each.is_some() && edited == own
        || conditions
            .iter()
            .any(|condition| mentions(condition, &edited, &own));
    (creates && !guarded).then(|| format!("an edit of {edited} that creates or takes something rests on no condition about that file"))
}

fn mentions(condition: &ConditionFile, file: &str, own: &str) -> bool {
    let named = condition
        .file
        .as_deref()
        .unwrap_or(if condition.at.is_some() { own } else { "" });
    let globs = condition
        .files
        .iter()
        .chain(&condition.no_files)
        .flat_map(super::OneOrMany::as_slice);
    let nested = condition.nested();
    named == file
        || globs.into_iter().any(|glob| glob.matches(file))
        || nested.into_iter().any(|part| mentions(part, file, own))
}

fn condition_places(condition: &ConditionFile) -> Vec<String> {
    let own = condition
        .at
        .as_ref()
        .map(super::OneOrMany::as_slice)
        .unwrap_or_default()
        .to_vec();
    let nested = condition.nested();
    own.into_iter()
        .chain(nested.flat_map(condition_places))
        .collect()
}

fn symptoms(entry: &Entry) -> Vec<String> {
    let mut found = Vec::new();
    for symptom in &entry.file.symptom {
        match RegexBuilder::new(&symptom.regex)
            .size_limit(REGEX_LIMIT)
            .build()
        {
            Err(error) => found.push(format!("symptom: `{}` is no regex: {error}", symptom.regex)),
            Ok(regex)
                if regex.is_match("")
                    || regex.is_match("INFO 01-01 00:00:00 [api_server.py:1] ready") =>
            {
                found.push(format!("symptom: `{}` matches everything", symptom.regex));
            }
            Ok(_) => {}
        }
    }
    found
}

fn files(folder: &Path, entry: &Entry) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut problem = |path: PathBuf, message: String| found.push(Problem { path, message });
    if entry.explanation.trim().len() < 200 {
        problem(
            folder.join("explanation.md"),
            "an explanation of what happens, why, what changes and what it costs is expected"
                .to_owned(),
        );
    }
    let cases = folder.join("cases");
    let names: Vec<String> = fs::read_dir(&cases)
        .map(|entries| {
            entries
                .filter_map(Result::ok)
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect()
        })
        .unwrap_or_default();
    let clean = names
        .iter()
        .filter(|name| name.starts_with("clean-"))
        .count();
    if names.len() == clean {
        problem(
            cases.clone(),
            "at least one case that fires is expected".to_owned(),
        );
    }
    if clean < 2 {
        problem(
            cases.clone(),
            format!(
                "at least two `clean-*` cases that look alike and stay silent are expected; {clean} found"
            ),
        );
    }
    for proof in &entry.file.proof {
        if !names.contains(&proof.case) {
            problem(
                folder.join("fix.toml"),
                format!("proof: there is no case `{}`", proof.case),
            );
        }
    }
    found
}
