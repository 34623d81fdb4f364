//! View x catalogue x target gives a report: what applies, what may apply, what is refused, and what nobody can decide.

use json_splice::Kind;

use crate::fix::{Catalogue, Fix, Instead};
use crate::rule::{Captures, Cure, Evidence, Gap, GapKind, Look, Outcome, Site, Truth, merge};
use crate::target::Target;
use crate::view::{Content, View};

/// What a check found, by severity and then by id.
#[derive(Debug)]
pub struct Report<'c> {
    /// What was found.
    pub findings: Vec<Finding<'c>>,
    /// Fixes that need a fact about the directory before they can be ruled in or out.
    pub undecided: Vec<Undecided<'c>>,
    /// Files that are meant to be JSON, are not, and no fix repairs.
    pub broken: Vec<Broken>,
}

/// One site of one fix.
#[derive(Debug, Clone)]
pub struct Finding<'c> {
    /// The fix.
    pub fix: &'c Fix,
    /// What tells the site from the fix's other sites.
    pub key: String,
    /// How sure it is.
    pub status: Status,
    /// What was seen, the main thing first.
    pub evidence: Vec<Shown>,
    /// What can be done, in the order of preference.
    pub cures: Vec<Cure>,
    /// Why nothing can be done, where it is refused.
    pub refused: Option<String>,
    /// The facts that would decide, where it only may apply.
    pub needs: Vec<Gap>,
    /// What the place's captures took.
    pub captures: Captures,
    /// The flag of the engine's own command line that cures it already.
    pub cured_by: Option<String>,
}

impl Finding<'_> {
    /// Whether there is something to act on: it applies or is refused, and no flag cures it already.
    #[must_use]
    pub fn is_problem(&self) -> bool {
        self.status != Status::MayApply && self.cured_by.is_none()
    }
}

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The files show it and the target is hit.
    Applies,
    /// The files show it and no cure holds.
    Refused,
    /// The files show it; a fact about the target would decide.
    MayApply,
}

impl Status {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Applies => "applies",
            Self::Refused => "refused",
            Self::MayApply => "may-apply",
        }
    }
}

/// A fix that nobody can decide on this directory.
#[derive(Debug, Clone)]
pub struct Undecided<'c> {
    /// The fix.
    pub fix: &'c Fix,
    /// The facts that would decide.
    pub needs: Vec<Gap>,
}

/// A file that is meant to be JSON and is not, or that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The file.
    pub file: String,
    /// Line, from 1, where reading stopped; 0 where the file cannot be read at all.
    pub line: usize,
    /// Column in characters.
    pub column: usize,
    /// What is wrong, in words.
    pub problem: String,
    /// What to do.
    pub hint: &'static str,
}

/// Ends of the names of files whose whole is an object.
const OBJECTS: [&str; 5] = [
    "config.json",
    ".index.json",
    "tokenizer.json",
    "special_tokens_map.json",
    "params.json",
];

/// Evidence with its place in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The file, the place and the text under the caret.
    pub evidence: Evidence,
    /// From 1; 0 where the evidence is a whole file.
    pub line: usize,
    /// In characters from 1; 0 where the evidence is a whole file.
    pub column: usize,
    /// The line itself.
    pub text: String,
}

/// Checks a view.
#[must_use]
pub fn check<'c>(view: &View<'_>, target: &Target, catalogue: &'c Catalogue) -> Report<'c> {
    let look = Look::new(view, target);
    let mut report = Report {
        findings: Vec::new(),
        undecided: Vec::new(),
        broken: Vec::new(),
    };
    for fix in catalogue.fixes().filter(|fix| !fix.log_only) {
        let fits = target.fits_any(&fix.target);
        if fits.is_no() {
            continue;
        }
        match fix.rule().sites(&look) {
            Err(needs) => report.leave_open(fix, needs),
            Ok(sites) => sites
                .into_iter()
                .for_each(|site| report.take(view, target, fix, &fits, site)),
        }
    }
    report.findings.sort_by(|a, b| {
        b.fix
            .severity
            .cmp(&a.fix.severity)
            .then_with(|| a.fix.id.cmp(&b.fix.id))
    });
    report.broken = broken(view, &report);
    report
}

/// What looks like a site of a fix whose target is hit, and the reason why it is none; in the order of the catalogue.
#[must_use]
pub fn ruled_out<'c>(
    view: &View<'_>,
    target: &Target,
    catalogue: &'c Catalogue,
) -> Vec<(&'c Fix, String)> {
    let look = Look::new(view, target);
    catalogue
        .fixes()
        .filter(|fix| !fix.log_only && !target.fits_any(&fix.target).is_no())
        .flat_map(|fix| {
            let reasons = fix.rule().ruled_out(&look);
            reasons.into_iter().map(move |reason| (fix, reason))
        })
        .collect()
}

impl Broken {
    /// What and where, as an error says it.
    #[must_use]
    pub fn message(&self, directory: &std::path::Path) -> String {
        if self.line == 0 {
            self.problem.clone()
        } else {
            let path = directory.join(&self.file);
            format!(
                "{}:{}:{}: {}",
                path.display(),
                self.line,
                self.column,
                self.problem
            )
        }
    }
}

impl<'c> Report<'c> {
    fn leave_open(&mut self, fix: &'c Fix, needs: Vec<Gap>) {
        match self
            .undecided
            .iter_mut()
            .find(|undecided| undecided.fix.id == fix.id)
        {
            Some(undecided) => merge(&mut undecided.needs, needs),
            None => self.undecided.push(Undecided { fix, needs }),
        }
    }

    fn take(&mut self, view: &View<'_>, target: &Target, fix: &'c Fix, fits: &Truth, site: Site) {
        if site
            .truth
            .gaps()
            .iter()
            .any(|gap| gap.kind == GapKind::Directory)
        {
            self.leave_open(fix, site.truth.gaps().to_vec());
            return;
        }
        let truth = Truth::all([fits.clone(), site.truth]);
        let (cures, refused, own) = match site.outcome {
            Outcome::Cures(cures) => {
                let own = cures.first().map_or(Truth::Yes, |cure| cure.truth.clone());
                (cures, None, own)
            }
            Outcome::Refused(reason) => (Vec::new(), Some(reason), Truth::Yes),
            Outcome::Advice => (Vec::new(), None, Truth::Yes),
        };
        let truth = Truth::all([truth, own]);
        let status = match (&truth, &refused) {
            (Truth::Unknown(_), _) => Status::MayApply,
            (_, Some(_)) => Status::Refused,
            _ => Status::Applies,
        };
        self.findings.push(Finding {
            fix,
            key: site.key,
            status,
            evidence: site
                .evidence
                .into_iter()
                .map(|evidence| shown(view, evidence))
                .collect(),
            cures,
            refused,
            needs: truth.gaps().to_vec(),
            captures: site.captures,
            cured_by: given_flag(fix, target),
        });
    }

    /// Whether there is anything to act on: what applies or is refused, and with `strict` what may apply.
    #[must_use]
    pub fn has_findings(&self, strict: bool) -> bool {
        self.findings
            .iter()
            .any(|finding| finding.is_problem() || (strict && finding.cured_by.is_none()))
    }
}

/// The flag among the engine's own arguments that cures it.
fn given_flag(fix: &Fix, target: &Target) -> Option<String> {
    fix.instead.iter().find_map(|instead| match instead {
        Instead::Flag { flag, .. } if instead.is_given(target) && !instead.fits(target).is_no() => {
            Some(flag.clone())
        }
        _ => None,
    })
}

fn shown(view: &View<'_>, evidence: Evidence) -> Shown {
    let place = evidence.span.as_ref().and_then(|span| {
        let bytes = view.bytes(&evidence.file).ok().flatten()?;
        let position = json_splice::position(bytes, span.start);
        let from = bytes
            .get(..span.start)?
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |newline| newline + 1);
        let line: Vec<u8> = bytes
            .get(from..)?
            .iter()
            .take(400)
            .copied()
            .take_while(|byte| *byte != b'\n')
            .collect();
        Some((
            position.line,
            position.column,
            String::from_utf8_lossy(&line)
                .trim_end_matches('\r')
                .to_owned(),
        ))
    });
    let (line, column, text) = place.unwrap_or_default();
    Shown {
        evidence,
        line,
        column,
        text,
    }
}

/// The files read so far that are broken, or not what their name says, and that no finding is about.
fn broken(view: &View<'_>, report: &Report<'_>) -> Vec<Broken> {
    let repaired = |file: &str| {
        report.findings.iter().any(|finding| {
            finding
                .cures
                .iter()
                .flat_map(|cure| &cure.edits)
                .any(|edit| edit.file() == file)
        })
    };
    view.opened()
        .filter_map(|(file, content)| {
            let (line, column, problem, hint) = match content {
                Content::Unreadable(error) => (
                    0,
                    0,
                    error.to_string(),
                    error
                        .hint()
                        .unwrap_or("the file is not read and not touched"),
                ),
                Content::Broken(error) if !repaired(file) => (
                    error.position.line,
                    error.position.column,
                    format!("found {}, expected {}", error.found, error.expected),
                    "the file is not JSON; fetch it again, or mend this place by hand",
                ),
                Content::Json(document) if is_of_another_kind(file, document.root().kind()) => {
                    let root = document.root();
                    let position = json_splice::position(document.bytes(), root.span().start);
                    (
                        position.line,
                        position.column,
                        format!("found {}, expected an object", root.kind()),
                        "the file is not what its name says; fetch it again",
                    )
                }
                _ => return None,
            };
            Some(Broken {
                file: file.to_owned(),
                line,
                column,
                problem,
                hint,
            })
        })
        .collect()
}

fn is_of_another_kind(file: &str, kind: Kind) -> bool {
    kind != Kind::Object && OBJECTS.iter().any(|end| file.ends_with(end))
}
