//! Entries in the checkpoint's names, where the engine matches the names of its own modules. Rewrites are data in `args`.

use serde::Deserialize;
use serde_json::{Map, Value};
use unsnag_core::rule::{Look, Rule, Truth};
use unsnag_core::target::{Row, RowFile};

use super::list::{ExcludeList, lists};
use super::{Sites, site};

#[derive(Debug)]
struct Wrapper {
    rewrites: Vec<Rewrite>,
}

/// Entries of a dialect that begin with `from` are also needed with `to` instead, on some targets.
#[derive(Debug)]
struct Rewrite {
    file: RewriteFile,
    target: Vec<Row>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RewriteFile {
    dialect: String,
    from: String,
    /// An entry that already begins so stays alone.
    to: String,
    #[serde(default)]
    target: Vec<RowFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    #[serde(rename = "mode")]
    _mode: String,
    rewrites: Vec<RewriteFile>,
}

pub(super) fn build(args: &Map<String, Value>) -> Result<Box<dyn Rule>, String> {
    let args: Args =
        serde_json::from_value(Value::Object(args.clone())).map_err(|error| error.to_string())?;
    let rewrite = |file: RewriteFile| {
        let target = file
            .target
            .iter()
            .map(Row::try_from)
            .collect::<Result<_, _>>()?;
        Ok(Rewrite { file, target })
    };
    Ok(Box::new(Wrapper {
        rewrites: args
            .rewrites
            .into_iter()
            .map(rewrite)
            .collect::<Result<_, String>>()?,
    }))
}

impl Rule for Wrapper {
    fn sites(&self, look: &Look<'_, '_>) -> Sites {
        let lists = lists(look)?;
        let gap = |gap| vec![gap];
        let mut wrapped = false;
        for place in ["/text_config", "/llm_config", "/language_config"] {
            wrapped |= look.at("config.json", place).map_err(gap)?.is_some();
        }
        if !wrapped {
            return Ok(Vec::new());
        }
        let mut truth = Truth::No;
        let mut lacking = Vec::new();
        for list in &lists {
            let (entries, fits) = self.missing(list, look);
            truth = Truth::any([truth, fits]);
            lacking.push((list, entries));
        }
        if truth.is_no() {
            Ok(Vec::new())
        } else {
            Ok(site(look, lacking, truth, "lacks the engine's own names"))
        }
    }
}

impl Wrapper {
    fn missing(&self, list: &ExcludeList, look: &Look<'_, '_>) -> (Vec<String>, Truth) {
        let fitting: Vec<(&RewriteFile, Truth)> = self
            .rewrites
            .iter()
            .filter(|rewrite| rewrite.file.dialect == list.dialect.name())
            .map(|rewrite| (&rewrite.file, look.target().fits_any(&rewrite.target)))
            .filter(|(_, fits)| !fits.is_no())
            .collect();
        let mut entries = Vec::new();
        let mut truth = Truth::No;
        for entry in &list.entries {
            for (rewrite, fits) in longest(&fitting, entry) {
                let rest = entry.get(rewrite.from.len()..).unwrap_or_default();
                let name = format!("{}{rest}", rewrite.to);
                if !list.has(&name) && !list.excludes(&name) && !entries.contains(&name) {
                    entries.push(name);
                    truth = Truth::any([truth, fits.clone()]);
                }
            }
        }
        (entries, truth)
    }
}

/// The rewrites of the longest prefix that an entry begins with: what is true of `language_model.layers.` is not what is true of `language_model.`.
fn longest<'r>(
    fitting: &'r [(&'r RewriteFile, Truth)],
    entry: &str,
) -> impl Iterator<Item = (&'r RewriteFile, &'r Truth)> {
    let begins = |rewrite: &RewriteFile| {
        entry.starts_with(&rewrite.from)
            && (rewrite.to.is_empty() || !entry.starts_with(&rewrite.to))
    };
    let chosen: Vec<_> = fitting
        .iter()
        .filter(|(rewrite, _)| begins(rewrite))
        .map(|(rewrite, fits)| (*rewrite, fits))
        .collect();
    let length = chosen.iter().map(|(rewrite, _)| rewrite.from.len()).max();
    chosen
        .into_iter()
        .filter(move |(rewrite, _)| Some(rewrite.from.len()) == length)
}
