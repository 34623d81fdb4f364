//! One round: the sites of one view in a fixed order; identical edits merge, an overlap with an earlier one waits.

use std::collections::{BTreeMap, BTreeSet};

use json_splice::{Edits, Operation, Patch, Pointer};

use super::{FilePlan, PlanError, Step, compose};
use crate::check::Finding;
use crate::rule::FileEdit;
use crate::view::{Directory, Overlay, Planned, View};

/// What the rounds so far have made.
#[derive(Debug, Default)]
pub(super) struct Changes {
    steps: Vec<Step>,
    edits: BTreeMap<String, Edits>,
    operations: BTreeMap<String, Vec<Operation>>,
    overlay: Overlay,
    fired: BTreeSet<(String, String)>,
}

impl Changes {
    /// Takes the findings of one view; the overlay for the next one, or `None` where nothing changed.
    pub(super) fn round(
        &mut self,
        number: usize,
        view: &View<'_>,
        wanted: &[(&Finding<'_>, usize)],
    ) -> Result<Option<Overlay>, PlanError> {
        let mut taken: Vec<(String, FileEdit)> = Vec::new();
        for (finding, cure) in wanted {
            let Some(cure) = finding.cures.get(*cure) else {
                continue;
            };
            let id = &finding.fix.id;
            let clashes = |edit: &FileEdit| {
                taken
                    .iter()
                    .any(|(_, other)| other != edit && overlap(other, edit))
            };
            if cure.edits.is_empty() || cure.edits.iter().any(clashes) {
                continue;
            }
            if !self.fired.insert((id.clone(), finding.key.clone())) {
                let other = self
                    .steps
                    .last()
                    .map_or_else(|| id.clone(), |step| step.fix.clone());
                return Err(PlanError::Loop {
                    fix: id.clone(),
                    key: finding.key.clone(),
                    other,
                });
            }
            for edit in &cure.edits {
                if !taken.iter().any(|(_, other)| other == edit) {
                    taken.push((id.clone(), edit.clone()));
                }
            }
            self.steps.push(Step {
                fix: id.clone(),
                cure: cure.name.clone(),
                key: finding.key.clone(),
                edits: cure.edits.clone(),
                round: number,
            });
        }
        if taken.is_empty() {
            return Ok(None);
        }
        self.write(view, &taken)?;
        Ok(Some(self.overlay.clone()))
    }

    fn write(&mut self, view: &View<'_>, taken: &[(String, FileEdit)]) -> Result<(), PlanError> {
        let mut operations: BTreeMap<&str, (Vec<Operation>, &str)> = BTreeMap::new();
        for (fix, edit) in taken {
            match edit {
                FileEdit::Operation { file, operation } => {
                    operations
                        .entry(file)
                        .or_insert_with(|| (Vec::new(), fix))
                        .0
                        .push(operation.clone());
                }
                FileEdit::Repair { file, edits } => self.splice(view, fix, file, edits)?,
                FileEdit::Create { file, text } => {
                    self.overlay.write(file, text.clone().into_bytes())
                }
                FileEdit::Park { file } => self.overlay.park(file),
            }
        }
        for (file, (list, fix)) in operations {
            let problem = |problem: String| PlanError::Edit {
                fix: fix.to_owned(),
                file: file.to_owned(),
                problem,
            };
            let bytes = view
                .bytes(file)
                .map_err(problem)?
                .ok_or_else(|| problem("it is not there".to_owned()))?;
            let edits = Patch::new(list.clone())
                .edits(bytes)
                .map_err(|error| problem(error.to_string()))?;
            self.splice(view, fix, file, &edits)?;
            self.operations
                .entry(file.to_owned())
                .or_default()
                .extend(list);
        }
        Ok(())
    }

    fn splice(
        &mut self,
        view: &View<'_>,
        fix: &str,
        file: &str,
        edits: &Edits,
    ) -> Result<(), PlanError> {
        let problem = |problem: String| PlanError::Edit {
            fix: fix.to_owned(),
            file: file.to_owned(),
            problem,
        };
        let bytes = view
            .bytes(file)
            .map_err(problem)?
            .ok_or_else(|| problem("it is not there".to_owned()))?;
        let original = match view.directory().read(file) {
            Some(Ok(read)) => Some(read.bytes.len()),
            _ => None,
        };
        if let Some(len) = original {
            let whole = self
                .edits
                .get(file)
                .map_or_else(|| edits.clone(), |earlier| compose(len, earlier, edits));
            self.edits.insert(file.to_owned(), whole);
        }
        self.overlay.write(file, edits.apply(bytes));
        Ok(())
    }

    /// What became of one touched file.
    pub(super) fn file(&self, directory: &Directory, file: &str, planned: &Planned) -> FilePlan {
        let before = match directory.read(file) {
            Some(Ok(read)) => Some(read.bytes.clone()),
            _ => None,
        };
        let after = match planned {
            Planned::Bytes(bytes) => Some(bytes.clone()),
            Planned::Parked => None,
        };
        let fixes: BTreeSet<&String> = self
            .steps
            .iter()
            .filter(|step| step.edits.iter().any(|edit| edit.file() == file))
            .map(|step| &step.fix)
            .collect();
        FilePlan {
            path: file.to_owned(),
            edits: if before.is_some() && after.is_some() {
                self.edits.get(file).cloned()
            } else {
                None
            },
            operations: self.operations.get(file).cloned().unwrap_or_default(),
            fixes: fixes.into_iter().cloned().collect(),
            before,
            after,
        }
    }

    pub(super) fn into_steps(self) -> Vec<Step> {
        self.steps
    }
}

/// Whether two edits touch the same thing, so that the second must look again after the first.
fn overlap(a: &FileEdit, b: &FileEdit) -> bool {
    if a.file() != b.file() {
        return false;
    }
    match (a, b) {
        (FileEdit::Operation { operation: a, .. }, FileEdit::Operation { operation: b, .. }) => {
            touched(a).any(|a| touched(b).any(|b| nested(a, b)))
        }
        _ => true,
    }
}

fn touched(operation: &Operation) -> impl Iterator<Item = &Pointer> {
    operation
        .from_path()
        .into_iter()
        .chain(std::iter::once(operation.path()))
}

/// Whether one pointer leads into what the other touches. Elements of one array always do: an index is only good once.
fn nested(a: &Pointer, b: &Pointer) -> bool {
    let (a, b) = (a.tokens(), b.tokens());
    let shared = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let numbered = |token: Option<&String>| {
        token.is_some_and(|token| token.bytes().all(|byte| byte.is_ascii_digit()))
    };
    shared == a.len() || shared == b.len() || (numbered(a.get(shared)) && numbered(b.get(shared)))
}
