//! Turns every `FAMILY/FIX-ID/fix.toml` and `releases/*.toml` into JSON text in the binary, so that no TOML is parsed at run time.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[allow(clippy::disallowed_methods)] // a build script writes into its own output folder
fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let mut out =
        String::from("/// Every fix of the catalogue.\npub static FIXES: &[Source] = &[\n");
    println!("cargo::rerun-if-changed={}", root.display());
    for family in folders(&root)? {
        println!("cargo::rerun-if-changed={}", family.display());
        for fix in folders(&family)? {
            let file = fix.join("fix.toml");
            if !file.is_file() {
                continue;
            }
            println!("cargo::rerun-if-changed={}", fix.display());
            let json = to_json(&file)?;
            let explanation = fix.join("explanation.md");
            let explanation = if explanation.is_file() {
                format!("include_str!({:?})", explanation)
            } else {
                "\"\"".into()
            };
            writeln!(
                out,
                "    Source {{ family: {:?}, id: {:?}, json: {json:?}, explanation: {explanation} }},",
                name(&family),
                name(&fix)
            )?;
        }
    }
    out.push_str("];\n\n/// Every engine's releases.\npub static RELEASES: &[(&str, &str)] = &[\n");
    let mut releases: Vec<PathBuf> = fs::read_dir(root.join("releases"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    releases.sort();
    for file in releases.iter().filter(|file| {
        file.extension()
            .is_some_and(|extension| extension == "toml")
    }) {
        println!("cargo::rerun-if-changed={}", file.display());
        writeln!(out, "    ({:?}, {:?}),", name(file), to_json(file)?)?;
    }
    out.push_str("];\n");
    fs::write(
        PathBuf::from(env::var("OUT_DIR")?).join("catalogue.rs"),
        out,
    )?;
    Ok(())
}

fn folders(path: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let entries: Result<Vec<_>, _> = fs::read_dir(path)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut folders: Vec<PathBuf> = entries?.into_iter().filter(|path| path.is_dir()).collect();
    folders.retain(|folder| !matches!(name(folder).as_str(), "src" | "releases" | "target"));
    folders.sort();
    Ok(folders)
}

fn name(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn to_json(file: &Path) -> Result<String, Box<dyn Error>> {
    let table: toml::Table = toml::from_str(&fs::read_to_string(file)?)
        .map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(serde_json::to_string(&table)?)
}
