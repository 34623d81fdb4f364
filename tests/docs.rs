//! Generated pages are what the catalogue says. `UPDATE=1` writes them.

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

fn compare(path: &Path, expected: &str) {
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, expected).unwrap();
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    assert!(
        found == expected,
        "{} is not what the catalogue says; UPDATE=1 cargo test -p unsnag --test docs writes it",
        path.display()
    );
}

#[test]
fn one_page_a_fix() {
    let folder = support::root().join("docs/fixes");
    let catalogue = unsnag_fixes::catalogue().unwrap();
    let mut pages = Vec::new();
    for fix in catalogue.fixes() {
        let output = Command::new(env!("CARGO_BIN_EXE_unsnag"))
            .args(["explain", &fix.id])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", fix.id);
        compare(
            &folder.join(format!("{}.md", fix.id)),
            &String::from_utf8(output.stdout).unwrap(),
        );
        pages.push(format!("{}.md", fix.id));
    }
    let stale: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| !pages.contains(name))
        .collect();
    assert!(stale.is_empty(), "pages of no fix: {stale:?}");
}

#[test]
fn the_schema_of_fix_toml() {
    let schema = schemars::schema_for!(unsnag_core::fix::FixFile);
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    compare(&support::root().join("fixes/fix.schema.json"), &text);
}
