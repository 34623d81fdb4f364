//! A scenario with an operation on a disk: the fixture, the command, and both states that may be left.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Case, Operation, Scenario, TARGET};
use crate::Result;
use crate::engine::process::helper;
use crate::engine::{Act, Ended, Program, trace};
use crate::tree::snapshot::LOST_AND_FOUND;
use crate::tree::verdict::is_pending;
use crate::tree::{Expected, Tree};

/// The files that all benches share: copies of the programs and fixes that any user may read.
#[derive(Debug, Clone)]
pub(crate) struct Lab {
    pub(crate) unsnag: String,
    pub(crate) launcher: String,
    pub(crate) fixes: PathBuf,
    /// Where benches are set up.
    pub(crate) folder: PathBuf,
}

/// A scenario, ready to be broken.
#[derive(Debug, Clone)]
pub(crate) struct Bench {
    pub(crate) lab: Lab,
    pub(crate) place: PathBuf,
    pub(crate) model: PathBuf,
    pub(crate) user: Option<u32>,
    pub(crate) operation: Operation,
    pub(crate) portable: bool,
    /// The command under test.
    pub(crate) program: Program,
    /// The scenario's change.
    pub(crate) first: Program,
    /// The one that is stacked on it.
    pub(crate) second: Program,
    pub(crate) expected: Expected,
    /// What it was before anything was patched.
    pub(crate) pristine: Tree,
    pub(crate) stride: usize,
}

impl Bench {
    /// Sets the fixture up in `place`, an empty folder, and runs the operation once, unbroken.
    pub(crate) fn new(
        lab: &Lab,
        place: PathBuf,
        scenario: &Scenario,
        operation: Operation,
        portable: bool,
    ) -> Result<Self> {
        let root = place.join("case");
        fs::create_dir_all(&root)?;
        let case = Case(&root);
        let model = root.join((scenario.build)(&case)?);
        case.age()?;
        let nothing = Program {
            words: Vec::new(),
            environment: Vec::new(),
            user: None,
            folder: place.clone(),
            log: place.join("log"),
        };
        let mut bench = Self {
            lab: lab.clone(),
            model,
            user: scenario.user,
            operation,
            portable,
            program: nothing.clone(),
            first: nothing.clone(),
            second: nothing,
            expected: Expected {
                before: Tree::default(),
                after: Tree::default(),
                on_the_way: Tree::default(),
                timed: operation.ends_pristine(),
            },
            pristine: Tree::read(&root)?,
            place,
            stride: scenario.stride,
        };
        bench.first = bench.change(&scenario.change, "first.json")?;
        bench.second = bench.change(&scenario.second, "second.json")?;
        bench.prepare()?;
        Ok(bench)
    }

    fn prepare(&mut self) -> Result<()> {
        let operation = self.operation;
        let (first, second) = (&self.first.clone(), &self.second.clone());
        if operation.needs_first() {
            must(first)?;
        }
        if operation.needs_second() {
            must(second)?;
        }
        self.program = match operation {
            Operation::Apply => first.clone(),
            Operation::SecondApply => second.clone(),
            Operation::Revert | Operation::SecondRevert => self.verb(&["revert", "--yes"]),
            Operation::FirstRevert => self.verb(&["revert", "--yes", "--step", "1"]),
            Operation::RevertAll => self.verb(&["revert", "--yes", "--all"]),
            Operation::RecoverApply(_) | Operation::RecoverRevert(_) => self.recover(),
            Operation::Out => self.twin_of(first),
            Operation::OutAgain => {
                must(&self.twin_of(first))?;
                must(second)?;
                self.twin_of(first)
            }
            Operation::Forget => self.verb(&["forget", "--yes"]),
        };
        self.keep()?;
        match operation {
            Operation::RecoverApply(state) => return self.cut_off(first, state),
            Operation::RecoverRevert(state) => {
                let revert = self.verb(&["revert", "--yes"]);
                return self.cut_off(&revert, state);
            }
            _ => {}
        }
        self.expected.before = self.tree()?;
        must(&self.program)?;
        self.expected.after = self.tree()?;
        if operation.ends_pristine() && self.expected.after != self.pristine {
            let what = self.expected.after.first_difference(&self.pristine);
            return Err(format!(
                "an unbroken {operation} is not exact: {}",
                what.unwrap_or_default()
            )
            .into());
        }
        if self.expected.after == self.expected.before {
            return Err(format!("an unbroken {operation} changes nothing").into());
        }
        Ok(())
    }

    /// Makes the tree as it is now the fixture.
    fn keep(&self) -> Result<()> {
        let fixture = self.place.join("fixture");
        if fixture.exists() {
            fs::remove_dir_all(&fixture)?;
        }
        fs::create_dir(&fixture)?;
        copy(&self.place.join("case"), &fixture)
    }

    /// Makes one of the pending states of `program` the fixture: the first, one in the middle, the last.
    fn cut_off(&mut self, program: &Program, third: usize) -> Result<()> {
        let before = self.tree()?;
        let mut points = Vec::new();
        self.traced(program, &mut |number, call| {
            if call.mutates() {
                points.push(number);
            }
            Act::Go
        })?;
        let mut pending = Vec::new();
        for point in points {
            self.fresh()?;
            self.traced(program, &mut |number, _| kill_at(point, number))?;
            if is_pending(&self.tree()?) {
                pending.push(point);
            }
        }
        let last = pending
            .len()
            .checked_sub(1)
            .ok_or("it never has a journal")?;
        let point = pending[last * third / 2];
        self.fresh()?;
        self.traced(program, &mut |number, _| kill_at(point, number))?;
        self.keep()?;
        self.expected.on_the_way = self.tree()?;
        self.expected.before = before.clone();
        self.expected.after = before;
        Ok(())
    }

    /// Puts the fixture back. The case's own folder stays: it may be where a disk is mounted.
    pub(crate) fn fresh(&self) -> Result<()> {
        let case = self.root();
        for entry in fs::read_dir(&case)? {
            let entry = entry?;
            if entry.file_name() == LOST_AND_FOUND {
                continue;
            }
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?;
            } else {
                fs::remove_file(entry.path())?;
            }
        }
        copy(&self.place.join("fixture"), &case)
    }

    /// The folder that holds the model directory and all that stands around it.
    pub(crate) fn root(&self) -> PathBuf {
        self.place.join("case")
    }

    /// What is there now.
    pub(crate) fn tree(&self) -> Result<Tree> {
        Tree::read(&self.root())
    }

    /// Runs a program traced.
    pub(crate) fn traced(
        &self,
        program: &Program,
        decide: &mut dyn FnMut(usize, &crate::engine::Call) -> Act,
    ) -> Result<Ended> {
        trace(program, &self.lab.launcher, decide)
    }

    /// A verb of the product on the model directory.
    pub(crate) fn verb(&self, words: &[&str]) -> Program {
        let (verb, rest) = words
            .split_first()
            .map_or(("", words), |(verb, rest)| (*verb, rest));
        let mut all = vec![verb.to_owned(), self.model.display().to_string()];
        all.extend(rest.iter().map(|word| (*word).to_owned()));
        self.unsnag(all)
    }

    /// `check` or `diff` for the usual target.
    pub(crate) fn judging_verb(&self, verb: &str) -> Program {
        self.verb(&[&[verb], TARGET.as_slice()].concat())
    }

    /// What brings a state that was cut off back.
    pub(crate) fn recover(&self) -> Program {
        let twin = self.place.join("case/twin");
        let making = [".twin.unsnag-new", ".twin.unsnag-old"];
        let begun = || making.iter().any(|name| twin.with_file_name(name).exists());
        if self.operation.is_twin() && (twin.exists() || begun()) {
            self.unsnag(vec!["recover".to_owned(), twin.display().to_string()])
        } else {
            self.verb(&["recover"])
        }
    }

    /// The same change on a twin beside the model directory.
    pub(crate) fn twin_of(&self, change: &Program) -> Program {
        let out = self.root().join("twin").display().to_string();
        Program {
            words: [change.words.clone(), vec!["--out".to_owned(), out]].concat(),
            ..change.clone()
        }
    }

    fn change(&self, change: &super::Change, patch: &str) -> Result<Program> {
        let words = change.words(&self.model, &self.place.join(patch), &self.lab.fixes)?;
        Ok(self.unsnag(words))
    }

    fn unsnag(&self, words: Vec<String>) -> Program {
        let portable = self
            .portable
            .then(|| ("UNSNAG_FORCE_PORTABLE".to_owned(), "1".to_owned()));
        Program {
            words: [vec![self.lab.unsnag.clone()], words].concat(),
            environment: portable.into_iter().collect(),
            user: self.user,
            folder: self.place.clone(),
            log: self.place.join("log"),
        }
    }
}

/// Kills at one call.
pub(crate) fn kill_at(point: usize, number: usize) -> Act {
    if number == point { Act::Kill } else { Act::Go }
}

/// Runs a program that must succeed.
pub(crate) fn must(program: &Program) -> Result<Ended> {
    let ended = program.run()?;
    if ended.exited(0) {
        Ok(ended)
    } else {
        Err(format!(
            "unbroken, {} ends with {}",
            program.shell(),
            ended.describe()
        )
        .into())
    }
}

/// Copies what a folder holds into another, with everything that a snapshot sees.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    helper("cp", &[Path::new("-a"), &from.join("."), to])
}
