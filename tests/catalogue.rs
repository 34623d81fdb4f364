//! The laws of the catalogue: every fix on every case of every fix, applied and reverted by the real store.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use support::{Case, cases, contents, materialise, target};
use unsnag_core::check::{Report, Status, check};
use unsnag_core::fix::{Catalogue, Safety, lint};
use unsnag_core::plan::{Choice, Plan, plan};
use unsnag_core::store::{self, Label, Options, Request, Selection};
use unsnag_core::target::Target;
use unsnag_core::view::{Directory, Overlay, View};

fn catalogue() -> Catalogue {
    unsnag_fixes::catalogue().unwrap()
}

fn choice(case: &Case) -> Choice {
    Choice {
        only: BTreeSet::from([case.fix.clone()]),
        lossy: case.file.lossy,
        cures: case
            .file
            .cure
            .iter()
            .map(|cure| (case.fix.clone(), cure.clone()))
            .collect(),
        ..Choice::default()
    }
}

fn with_report<T>(
    directory: &Path,
    target: &Target,
    catalogue: &Catalogue,
    ask: impl FnOnce(&Report<'_>) -> T,
) -> T {
    let directory = Directory::open(directory).unwrap();
    let overlay = Overlay::default();
    ask(&check(&View::new(&directory, &overlay), target, catalogue))
}

fn apply(directory: &Path, plan: &Plan<'_>) {
    let request = Request {
        changes: plan.changes(),
        consulted: plan.consulted.clone(),
        label: Label::default(),
    };
    store::apply(directory, &request, &Options::default()).unwrap();
}

fn show(files: &[(String, Vec<u8>)]) -> BTreeMap<String, String> {
    files
        .iter()
        .map(|(name, bytes)| (name.clone(), String::from_utf8_lossy(bytes).into_owned()))
        .collect()
}

/// Collects what failed, so that one run names every case.
fn for_all(cases: &[Case], law: impl Fn(&Case) -> Result<(), String>) {
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            law(case)
                .err()
                .map(|error| format!("{}/{}: {error}", case.fix, case.name))
        })
        .collect();
    assert!(
        failed.is_empty(),
        "{} of {} cases:\n{}",
        failed.len(),
        cases.len(),
        failed.join("\n")
    );
}

#[test]
fn a_fix_does_on_its_own_cases_what_they_say() {
    let catalogue = catalogue();
    for_all(&cases(), |case| {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("model");
        materialise(&case.before, &directory);
        let target = target(&case.file.target, &catalogue);
        let found = with_report(&directory, &target, &catalogue, |report| {
            let own = report
                .findings
                .iter()
                .filter(|finding| finding.fix.id == case.fix);
            let statuses: BTreeSet<&str> = own
                .map(|finding| match finding.status {
                    Status::Applies if finding.cures.is_empty() => "advice",
                    Status::Applies => "fires",
                    Status::Refused => "refused",
                    Status::MayApply => "may-apply",
                })
                .collect();
            let open = report
                .undecided
                .iter()
                .any(|undecided| undecided.fix.id == case.fix);
            match (statuses.is_empty(), open) {
                (true, true) => "undecided".to_owned(),
                (true, false) => "silent".to_owned(),
                _ => statuses.into_iter().collect::<Vec<_>>().join(" and "),
            }
        });
        if found != case.expectation() {
            return Err(format!("expected {}, found {found}", case.expectation()));
        }
        if case.expectation() == "fires" && case.after.is_none() {
            return Err("it fires and has no `after`".to_owned());
        }
        Ok(())
    });
}

#[test]
fn apply_gives_after_and_revert_gives_before() {
    let catalogue = catalogue();
    let firing: Vec<Case> = cases()
        .into_iter()
        .filter(|case| case.after.is_some())
        .collect();
    for_all(&firing, |case| {
        let folder = tempfile::tempdir().unwrap();
        let (directory, expected) = (folder.path().join("model"), folder.path().join("expected"));
        materialise(&case.before, &directory);
        materialise(case.after.as_ref().unwrap(), &expected);
        let before = contents(&directory);
        let target = target(&case.file.target, &catalogue);
        {
            let opened = Directory::open(&directory).unwrap();
            let plan = plan(&opened, &target, &catalogue, &choice(case))
                .map_err(|error| error.to_string())?;
            apply(&directory, &plan);
        }
        let (after, wanted) = (contents(&directory), contents(&expected));
        if after != wanted {
            return Err(format!(
                "after apply: {:#?}\nexpected: {:#?}",
                show(&after),
                show(&wanted)
            ));
        }
        // Twice is once, and its own output is silent.
        let opened = Directory::open(&directory).unwrap();
        let again =
            plan(&opened, &target, &catalogue, &choice(case)).map_err(|error| error.to_string())?;
        if !again.is_empty() {
            return Err(format!(
                "a second apply would edit again: {:?}",
                again.steps
            ));
        }
        drop(opened);
        let preview = store::revert::preview(&directory, Selection::All)
            .map_err(|error| error.to_string())?;
        store::revert::run(&directory, &preview, &Options::default())
            .map_err(|error| error.to_string())?;
        if contents(&directory) != before || directory.join(".unsnag").exists() {
            return Err("revert did not give `before` back".to_owned());
        }
        Ok(())
    });
}

#[test]
fn edits_touch_only_what_their_operations_name() {
    let catalogue = catalogue();
    let firing: Vec<Case> = cases()
        .into_iter()
        .filter(|case| case.after.is_some())
        .collect();
    for_all(&firing, |case| {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("model");
        materialise(&case.before, &directory);
        let opened = Directory::open(&directory).unwrap();
        let target = target(&case.file.target, &catalogue);
        let plan =
            plan(&opened, &target, &catalogue, &choice(case)).map_err(|error| error.to_string())?;
        for file in &plan.files {
            let (Some(before), Some(after), Some(edits)) = (&file.before, &file.after, &file.edits)
            else {
                continue;
            };
            // Everything outside the splices is the same bytes, in order.
            let mut outside = Vec::new();
            let mut from = 0;
            for splice in edits.splices() {
                outside.push(&before[from..splice.range.start]);
                from = splice.range.end;
            }
            outside.push(&before[from..]);
            let mut rest = after.as_slice();
            for (index, part) in outside.iter().enumerate() {
                rest = rest.strip_prefix(*part).ok_or(format!(
                    "{}: bytes before splice {index} changed",
                    file.path
                ))?;
                if let Some(splice) = edits.splices().get(index) {
                    rest = rest
                        .strip_prefix(splice.replacement.as_slice())
                        .ok_or("a splice is not what it says")?;
                }
            }
            // The operations, done by another library on values, mean the same.
            if !file.operations.is_empty() {
                agrees_with_json_patch(&file.operations, before, after)
                    .map_err(|error| format!("{}: {error}", file.path))?;
            }
        }
        Ok(())
    });
}

/// The oracle: `json-patch` on `serde_json` values. Documents that it cannot read (NaN, lone surrogates) are its own limits.
fn agrees_with_json_patch(
    operations: &[json_splice::Operation],
    before: &[u8],
    after: &[u8],
) -> Result<(), String> {
    let text = json_splice::Patch::new(operations.to_vec()).to_json();
    let (Ok(patch), Ok(mut value), Ok(expected)) = (
        serde_json::from_str::<json_patch::Patch>(&text),
        serde_json::from_slice::<serde_json::Value>(before),
        serde_json::from_slice::<serde_json::Value>(after),
    ) else {
        return Ok(());
    };
    json_patch::patch(&mut value, &patch).map_err(|error| error.to_string())?;
    if value == expected {
        Ok(())
    } else {
        Err(format!(
            "json-patch gives {value}, the splices give {expected}"
        ))
    }
}

#[test]
fn a_fix_is_silent_on_the_clean_cases_of_every_other() {
    let catalogue = catalogue();
    let clean: Vec<Case> = cases()
        .into_iter()
        .filter(|case| case.name.starts_with("clean-"))
        .collect();
    // A clean case is a healthy directory under its target: nothing at all may fire, except what its own fix's neighbours share on purpose.
    for_all(&clean, |case| {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("model");
        materialise(&case.before, &directory);
        let target = target(&case.file.target, &catalogue);
        let firing = with_report(&directory, &target, &catalogue, |report| {
            let firing = report
                .findings
                .iter()
                .filter(|finding| finding.status == Status::Applies && finding.fix.id != case.fix);
            firing
                .map(|finding| finding.fix.id.clone())
                .collect::<BTreeSet<_>>()
        });
        let listed: BTreeSet<String> = also(case).into_iter().collect();
        match firing.difference(&listed).next() {
            None => Ok(()),
            Some(other) => Err(format!("{other} fires")),
        }
    });
}

/// Other fixes that rightly fire on a case, by `also = [...]` in `tests/also.toml`.
fn also(case: &Case) -> Vec<String> {
    let text = fs::read_to_string(support::root().join("tests/also.toml")).unwrap();
    let table: BTreeMap<String, Vec<String>> = toml::from_str(&text).unwrap();
    table
        .get(&format!("{}/{}", case.fix, case.name))
        .cloned()
        .unwrap_or_default()
}

#[test]
fn the_order_of_the_entries_does_not_matter() {
    let forward = catalogue();
    let backward = {
        let mut entries = Vec::new();
        for fix in unsnag_core::fix::fix_folders(&support::root().join("fixes")).unwrap() {
            entries.push(unsnag_core::fix::read_fix(&fix).unwrap());
        }
        entries.reverse();
        let mut catalogue = Catalogue::new(entries, unsnag_fixes::rules::RULES).unwrap();
        for (_, json) in unsnag_fixes::RELEASES {
            catalogue
                .add_releases(&serde_json::from_str(json).unwrap())
                .unwrap();
        }
        catalogue
    };
    for_all(&cases(), |case| {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("model");
        materialise(&case.before, &directory);
        let opened = Directory::open(&directory).unwrap();
        let result = |catalogue: &Catalogue| {
            let choice = Choice {
                lossy: true,
                ..Choice::default()
            };
            plan(
                &opened,
                &target(&case.file.target, catalogue),
                catalogue,
                &choice,
            )
            .map(|plan| {
                plan.files
                    .into_iter()
                    .map(|file| (file.path, file.after))
                    .collect::<Vec<_>>()
            })
            .map_err(|error| error.to_string())
        };
        let (one, other) = (result(&forward)?, result(&backward)?);
        if one == other {
            Ok(())
        } else {
            Err("another order gives other bytes".to_owned())
        }
    });
}

#[test]
fn a_safe_cure_has_a_proof_or_a_source() {
    let catalogue = catalogue();
    let bare: Vec<&str> = catalogue
        .fixes()
        .filter(|fix| {
            fix.safety() == Some(Safety::Safe) && fix.proofs.is_empty() && fix.source.is_empty()
        })
        .map(|fix| fix.id.as_str())
        .collect();
    assert!(bare.is_empty(), "{bare:?}");
}

#[test]
fn the_catalogue_holds_to_its_own_lint() {
    let problems = lint(&support::root().join("fixes"), unsnag_fixes::rules::RULES).unwrap();
    let shown: Vec<String> = problems
        .iter()
        .map(|problem| format!("{}: {}", problem.path.display(), problem.message))
        .collect();
    assert!(shown.is_empty(), "{}", shown.join("\n"));
}
