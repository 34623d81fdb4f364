//! Somebody else writes the file while it is patched, who knows of no lock: between any two system calls, in three ways. His bytes are never lost.

use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::aftermath::reproduce;
use super::kills::points;
use crate::Result;
use crate::engine::Act;
use crate::report::Tally;
use crate::scenario::{Bench, Operation};
use crate::tree::Body;

/// How the other one writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// A new file, renamed over the old one.
    Rename,
    /// Opens the file, empties and writes it.
    InPlace,
    /// The same through a descriptor that was open before.
    Held,
}

/// All of them.
pub(crate) const STYLES: [Style; 3] = [Style::Rename, Style::InPlace, Style::Held];

/// What the other one adds.
const MARK: &str = "\"foreign\": true";

/// Where no program can see another one's write.
#[derive(Debug, Default)]
struct Gaps {
    /// The calls that rename over the file. Without an exchange, what is renamed to it just before is replaced.
    renames: Vec<usize>,
    /// The call that commits. What comes out of the directory for good goes right after it, and with it what somebody still writes to it
    /// through an old descriptor. Just before, it is looked at for the last time.
    commit: usize,
}

/// The last looks at what came out, a call for each file.
const LAST_LOOKS: usize = 4;

impl Gaps {
    fn of(bench: &Bench, path: &Path) -> Result<Self> {
        bench.fresh()?;
        let mut gaps = Self::default();
        let state = bench.model.join(".unsnag/state");
        bench.traced(&bench.program, &mut |number, call| {
            if call.name.starts_with("rename") {
                match call.targets().last() {
                    Some(to) if to == path => gaps.renames.push(number),
                    Some(to) if *to == state => gaps.commit = number,
                    _ => {}
                }
            }
            Act::Go
        })?;
        Ok(gaps)
    }

    fn are_open(&self, bench: &Bench, style: Style, number: usize) -> bool {
        match style {
            Style::Rename => bench.portable && self.renames.contains(&number),
            Style::InPlace => false,
            // The first apply keeps what comes out.
            Style::Held => {
                bench.operation != Operation::Apply && number + LAST_LOOKS >= self.commit
            }
        }
    }
}

/// Writes the file before each call.
pub(crate) fn foreign(bench: &Bench) -> Result<Tally> {
    let mut tally = Tally::about(reproduce(bench));
    let path = bench.model.join("config.json");
    let points = points(bench)?;
    let gaps = Gaps::of(bench, &path)?;
    bench.fresh()?;
    let text = fs::read_to_string(&path)?.replacen('{', &format!("{{{MARK},"), 1);
    for style in STYLES {
        for point in &points {
            bench.fresh()?;
            let is_link = fs::symlink_metadata(&path)?.is_symlink();
            if is_link && style != Style::Rename {
                continue; // he would write to the blob, which this program never touches
            }
            let mut held = (style == Style::Held)
                .then(|| File::options().write(true).open(&path))
                .transpose()?;
            let mut wrote = Ok(());
            let ended = bench.traced(&bench.program, &mut |number, _| {
                if number == point.number {
                    wrote = write(bench, &path, &text, style, held.as_mut());
                }
                Act::Go
            })?;
            wrote?;
            if gaps.are_open(bench, style, point.number) {
                tally.pass("too late");
                continue;
            }
            match lost(bench, &path, &text)? {
                None => tally.pass(format!("{}", ended.end)),
                Some(wrong) => tally.fail(
                    "lost",
                    format!(
                        "{style:?} before call {} ({}), {}: {wrong}",
                        point.number,
                        point.name,
                        ended.describe()
                    ),
                ),
            }
        }
    }
    Ok(tally)
}

fn write(
    bench: &Bench,
    path: &Path,
    text: &str,
    style: Style,
    held: Option<&mut File>,
) -> Result<()> {
    match (style, held) {
        (Style::Held, Some(file)) => {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(text.as_bytes())?;
        }
        (Style::InPlace, _) if path.exists() => fs::write(path, text)?,
        _ => {
            let new = bench.root().join("foreign.new");
            fs::write(&new, text)?;
            fs::rename(new, path)?;
        }
    }
    Ok(())
}

/// What went wrong: at once, after a recovery, or after everything was taken back.
fn lost(bench: &Bench, path: &Path, text: &str) -> Result<Option<String>> {
    if let Some(wrong) = gone(bench, path, text)? {
        return Ok(Some(format!("at once: {wrong}")));
    }
    let recovered = bench.recover().run()?;
    if let Some(wrong) = gone(bench, path, text)? {
        let said = recovered.describe();
        return Ok(Some(format!("after recover ({said}): {wrong}")));
    }
    let reverted = bench.verb(&["revert", "--all", "--yes"]).run()?;
    if let Some(wrong) = gone(bench, path, text)? {
        let said = reverted.describe();
        return Ok(Some(format!("after revert --all ({said}): {wrong}")));
    }
    Ok(None)
}

/// Whether the edit is nowhere: not in the file, not in the state folder, and not under another name that the original has.
fn gone(bench: &Bench, path: &Path, text: &str) -> Result<Option<String>> {
    let now = match fs::read_to_string(path) {
        Ok(now) => now,
        Err(error) => return Ok(Some(format!("config.json: {error}"))),
    };
    if serde_json::from_str::<serde_json::Value>(&now).is_err() {
        return Ok(Some("config.json is torn".to_owned()));
    }
    if now.contains(MARK) {
        return Ok(None);
    }
    let edited = Body::File(text.len() as u64, Sha256::digest(text).into());
    let is_kept = bench.tree()?.0.values().any(|entry| entry.body == edited);
    Ok((!is_kept).then(|| "the edit is nowhere".to_owned()))
}
