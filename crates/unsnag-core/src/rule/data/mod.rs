//! The body of a fix as data: `each`, `when`, `unless`, `cure`.

mod condition;
mod edit;

use super::Rule;
use super::look::Look;
use super::place::{Captures, Place};
use super::site::{Cure, Evidence, Outcome, Site};
use super::truth::{Gap, Truth};
use crate::fix::{Condition, Edit, Safety};

/// A rule whose body is data.
#[derive(Debug, Clone)]
pub struct DataRule {
    /// The file of the sites.
    pub file: String,
    /// The place of a site; one site for the whole file where there is none.
    pub each: Option<Place>,
    /// What must hold.
    pub when: Vec<Condition>,
    /// What rules a site out, with the reason.
    pub unless: Vec<(Condition, String)>,
    /// The cures, in the order of preference.
    pub cures: Vec<DataCure>,
    /// The reason where no cure holds.
    pub refused: String,
    /// Whether no cure is meant to exist.
    pub advice: bool,
}

/// A cure as data.
#[derive(Debug, Clone)]
pub struct DataCure {
    /// Its name.
    pub name: String,
    /// Whether it keeps everything.
    pub safety: Safety,
    /// Its price.
    pub cost: String,
    /// What it loses.
    pub loses: Option<String>,
    /// What must hold for it.
    pub when: Vec<Condition>,
    /// What it does.
    pub edits: Vec<Edit>,
}

impl Rule for DataRule {
    fn sites(&self, look: &Look<'_, '_>) -> Result<Vec<Site>, Vec<Gap>> {
        let Some(each) = &self.each else {
            return Ok(self
                .site(look, &Captures::default(), None)
                .into_iter()
                .collect());
        };
        let found = look
            .find(&self.file, each, &Captures::default())
            .map_err(|gap| vec![gap])?;
        Ok(found
            .iter()
            .filter_map(|found| self.site(look, &found.captures, Some(found.pointer.to_string())))
            .collect())
    }

    /// The reason of each `unless` that holds.
    fn ruled_out(&self, look: &Look<'_, '_>) -> Vec<String> {
        let captures = match &self.each {
            None => vec![Captures::default()],
            Some(each) => match look.find(&self.file, each, &Captures::default()) {
                Ok(found) => found.into_iter().map(|found| found.captures).collect(),
                Err(_) => Vec::new(),
            },
        };
        let mut reasons = Vec::new();
        for captures in &captures {
            let scope = Scope {
                look: *look,
                file: &self.file,
                captures,
            };
            if !scope.all(&self.when, None).is_no() {
                let held = self
                    .unless
                    .iter()
                    .filter(|(condition, _)| scope.holds(condition, None).is_yes());
                reasons.extend(held.map(|(_, because)| captures.fill(because)));
            }
        }
        reasons
    }
}

impl DataRule {
    fn site(&self, look: &Look<'_, '_>, captures: &Captures, key: Option<String>) -> Option<Site> {
        let scope = Scope {
            look: *look,
            file: &self.file,
            captures,
        };
        let mut evidence = Vec::new();
        let truth = scope.all(&self.when, Some(&mut evidence));
        if truth.is_no() {
            return None;
        }
        let ruled_out = Truth::any(
            self.unless
                .iter()
                .map(|(condition, _)| scope.holds(condition, None)),
        );
        let truth = Truth::all([truth, !ruled_out]);
        if truth.is_no() {
            return None;
        }
        let mut cures = Vec::new();
        if truth
            .gaps()
            .iter()
            .all(|gap| gap.kind == super::GapKind::Target)
        {
            for cure in &self.cures {
                let holds = scope.all(&cure.when, None);
                if !holds.is_no() {
                    cures.push(Cure {
                        name: cure.name.clone(),
                        safety: cure.safety,
                        cost: captures.fill(&cure.cost),
                        loses: cure.loses.as_deref().map(|loses| captures.fill(loses)),
                        truth: holds,
                        edits: cure
                            .edits
                            .iter()
                            .flat_map(|edit| scope.compile(edit))
                            .collect(),
                    });
                }
            }
        }
        let outcome = if self.advice {
            Outcome::Advice
        } else if cures.is_empty() {
            Outcome::Refused(captures.fill(&self.refused))
        } else {
            Outcome::Cures(cures)
        };
        let key = key.unwrap_or_default();
        if evidence.is_empty() {
            evidence.push(self.place_evidence(&scope, &key));
        }
        Some(Site {
            key,
            captures: captures.clone(),
            evidence,
            truth,
            outcome,
        })
    }

    fn place_evidence(&self, scope: &Scope<'_, '_, '_>, key: &str) -> Evidence {
        match key.parse() {
            Ok(pointer) if !key.is_empty() => scope.look.evidence(&self.file, &pointer, ""),
            _ => Evidence::file(&self.file, ""),
        }
    }
}

/// Where conditions and edits of one site are evaluated.
#[derive(Debug, Clone, Copy)]
struct Scope<'s, 'r, 'v> {
    look: Look<'r, 'v>,
    file: &'s str,
    captures: &'s Captures,
}
