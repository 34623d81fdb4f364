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
    to: String,
    /// An entry that already begins so needs no rewrite of its neighbours.
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
        let mut entries = Vec::new();
        let mut truth = Truth::No;
        for rewrite in self
            .rewrites
            .iter()
            .filter(|rewrite| rewrite.file.dialect == list.dialect.name())
        {
            let fits = look.target().fits_any(&rewrite.target);
            if fits.is_no() {
                continue;
            }
            let from = rewrite.file.from.as_str();
            let begins = |entry: &&String| {
                entry.starts_with(from)
                    && (rewrite.file.to.is_empty() || !entry.starts_with(&rewrite.file.to))
            };
            for entry in list.entries.iter().filter(begins) {
                let name = format!(
                    "{}{}",
                    rewrite.file.to,
                    entry.get(from.len()..).unwrap_or_default()
                );
                if !list.has(&name) && !list.excludes(&name) && !entries.contains(&name) {
                    entries.push(name);
                    truth = Truth::any([truth.clone(), fits.clone()]);
                }
            }
        }
        (entries, truth)
    }
}
