//! A fix of the catalogue: its head (what, where, how bad, how sure) and its body (a data rule or a rule in Rust).

mod catalogue;
mod condition;
mod edit;
mod file;
mod folder;
mod instead;
mod lint;
mod one_or_many;

use std::borrow::Cow;
use std::sync::Arc;

pub use catalogue::{Catalogue, CatalogueError, Entry};
pub use condition::{
    Condition, ConditionFile, Elsewhere, FilePlace, Ordered, TensorTest, Test, ValueKind,
};
pub use edit::{Edit, Verb};
pub use file::{
    CureFile, EditFile, FixFile, InsteadFile, KindFile, ProofExpectation, ProofFile, Safety,
    Severity, ShownFile, SymptomFile,
};
pub use folder::{FolderError, fix_folders, read_fix};
pub use instead::Instead;
pub use lint::{Problem, lint};
pub use one_or_many::OneOrMany;

use crate::rule::{DataRule, Place, Rule, RuleBuilder};
use crate::target::Row;

/// A fix or an advice, checked and ready to be asked.
#[derive(Debug, Clone)]
pub struct Fix {
    /// Its name everywhere: the folder's.
    pub id: String,
    /// The folder above.
    pub family: String,
    /// What is wrong, in one line.
    pub title: String,
    /// Whether it edits or advises.
    pub kind: KindFile,
    /// How much the fault hurts.
    pub severity: Severity,
    /// The release that brought it.
    pub since: String,
    /// Older ids.
    pub aliases: Vec<String>,
    /// Why it was withdrawn.
    pub withdrawn: Option<String>,
    /// Public threads that show it.
    pub references: Vec<String>,
    /// Source lines that show it.
    pub source: Vec<String>,
    /// Where it breaks; any row is enough.
    pub target: Vec<Row>,
    /// The `why` line of a finding.
    pub why: String,
    /// Cures that are no edit.
    pub instead: Vec<Instead>,
    /// What a log says.
    pub symptoms: Vec<SymptomFile>,
    /// By which real library it is proved.
    pub proofs: Vec<ProofFile>,
    /// The prose for people, in Markdown.
    pub explanation: Cow<'static, str>,
    /// The cures of a data body, for listings; a rule's cures are known only on a directory.
    pub cures: Vec<(String, Safety)>,
    /// The price of its first cure.
    pub cost: String,
    /// The files that the body edits, for listings.
    pub edits: Vec<String>,
    /// Whether only a log shows it.
    pub log_only: bool,
    body: Arc<dyn Rule>,
}

impl Fix {
    /// Checks what stands in a file and compiles it.
    ///
    /// # Errors
    /// What is wrong with it, in words, naming the key.
    pub fn new(
        family: &str,
        id: &str,
        file: FixFile,
        explanation: Cow<'static, str>,
        rules: &[(&str, RuleBuilder)],
    ) -> Result<Self, String> {
        if let Some(written) = file.id.as_deref().filter(|written| *written != id) {
            return Err(format!(
                "id: `{written}` is written in the folder `{id}`; the folder's name is the id"
            ));
        }
        let target = keyed("target", file.target.iter().map(Row::try_from).collect())?;
        let instead = keyed(
            "instead",
            file.instead.iter().map(Instead::try_from).collect(),
        )?;
        let body = match &file.rule {
            Some(name) => named_rule(name, &file, rules)?,
            None => Arc::new(data_rule(&file)?) as Arc<dyn Rule>,
        };
        Ok(Self {
            id: id.to_owned(),
            family: family.to_owned(),
            kind: file.kind,
            severity: file.severity,
            target,
            instead,
            explanation,
            cures: file
                .cure
                .iter()
                .map(|cure| (cure_name(cure), cure.safety))
                .collect(),
            edits: edited_files(&file),
            cost: file
                .cure
                .into_iter()
                .next()
                .map(|cure| cure.cost)
                .unwrap_or_default(),
            log_only: file.log_only,
            title: file.title,
            since: file.since,
            aliases: file.aliases,
            withdrawn: file.withdrawn,
            references: file.references,
            source: file.source,
            why: file.why,
            symptoms: file.symptom,
            proofs: file.proof,
            body,
        })
    }

    /// The body.
    #[must_use]
    pub fn rule(&self) -> &dyn Rule {
        self.body.as_ref()
    }

    /// The safety of its first cure; none for advice.
    #[must_use]
    pub fn safety(&self) -> Option<Safety> {
        match self.kind {
            KindFile::Advice => None,
            KindFile::Fix => Some(
                self.cures
                    .iter()
                    .map(|(_, safety)| *safety)
                    .min()
                    .unwrap_or(Safety::Safe),
            ),
        }
    }
}

fn named_rule(
    name: &str,
    file: &FixFile,
    rules: &[(&str, RuleBuilder)],
) -> Result<Arc<dyn Rule>, String> {
    if !file.when.is_empty() || !file.unless.is_empty() || file.each.is_some() {
        return Err("rule: a body in Rust stands alone; `each`, `when` and `unless` belong to a body as data".to_owned());
    }
    let (_, build) = rules
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| {
            let known: Vec<&str> = rules.iter().map(|(known, _)| *known).collect();
            format!(
                "rule: `{name}` is not a rule that is known; these are: {}",
                known.join(", ")
            )
        })?;
    build(&file.args)
        .map(Arc::from)
        .map_err(|error| format!("args of the rule `{name}`: {error}"))
}

fn data_rule(file: &FixFile) -> Result<DataRule, String> {
    let each = file
        .each
        .as_ref()
        .map(|each| Place::parse(&each.at))
        .transpose()
        .map_err(|error| format!("each: {error}"))?;
    let site_file = file
        .each
        .as_ref()
        .and_then(|each| each.file.clone())
        .or_else(|| file.file.clone());
    let unless = file.unless.iter().map(|unless| {
        let because = unless
            .because
            .clone()
            .ok_or("needs `because`, the reason")?;
        Ok((Condition::try_from(unless)?, because))
    });
    let mut cures = Vec::new();
    for cure in &file.cure {
        let name = cure_name(cure);
        let key = |key: &str, error: String| format!("cure `{name}`, {key}: {error}");
        cures.push(crate::rule::DataCure {
            safety: cure.safety,
            cost: cure.cost.clone(),
            loses: cure.loses.clone(),
            when: condition::compile_all(&cure.when).map_err(|error| key("when", error))?,
            edits: cure
                .edit
                .iter()
                .map(Edit::try_from)
                .collect::<Result<_, _>>()
                .map_err(|error| key("edit", error))?,
            name: name.clone(),
        });
    }
    let advice = file.kind == KindFile::Advice;
    if advice != cures.is_empty() {
        return Err(if advice {
            "cure: an advice has none"
        } else {
            "cure: a fix needs one"
        }
        .to_owned());
    }
    Ok(DataRule {
        file: site_file.unwrap_or_else(|| "config.json".to_owned()),
        each,
        when: condition::compile_all(&file.when).map_err(|error| format!("when: {error}"))?,
        unless: keyed("unless", unless.collect())?,
        cures,
        refused: file
            .refused
            .clone()
            .unwrap_or_else(|| "no edit is known to be right here".to_owned()),
        advice,
    })
}

fn keyed<T>(key: &str, result: Result<Vec<T>, String>) -> Result<Vec<T>, String> {
    result.map_err(|error| format!("{key}: {error}"))
}

fn cure_name(cure: &CureFile) -> String {
    cure.name.clone().unwrap_or_else(|| "edit".to_owned())
}

fn edited_files(file: &FixFile) -> Vec<String> {
    let own = file.own_file();
    let named = file
        .cure
        .iter()
        .flat_map(|cure| &cure.edit)
        .map(|edit| edit.file.clone().unwrap_or_else(|| own.clone()));
    let mut files: Vec<String> = named.chain(std::iter::once(own.clone())).collect();
    files.sort();
    files.dedup();
    files
}
