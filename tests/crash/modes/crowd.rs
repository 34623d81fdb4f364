//! Eight programs at once on one file, some of them killed: no update is lost, nobody waits for ever, no lock stays behind.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::aftermath::reproduce;
use crate::Result;
use crate::engine::{End, Program};
use crate::report::Tally;
use crate::scenario::{Bench, Lab, Operation, Scenario};

const WORKERS: usize = 8;
const ROUNDS: usize = 100;
/// A round takes less than a second; a worker that still waits then waits for ever.
const PATIENCE: Duration = Duration::from_secs(50);

/// What a worker did in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    Killed,
    Failed(i32),
}

/// Each round every worker sets its own key, or takes back what it set; every second one is killed after a while.
pub(crate) fn crowd(lab: &Lab, place: &Path, scenario: &Scenario, portable: bool) -> Result<Tally> {
    let bench = Bench::new(lab, place.to_owned(), scenario, Operation::Apply, portable)?;
    let mut tally = Tally::about(reproduce(&bench));
    tally.note(format!("{WORKERS} programs, {ROUNDS} rounds"));
    bench.fresh()?;
    let mut steps: [Option<u64>; WORKERS] = [None; WORKERS];
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 1..=ROUNDS {
        let delays: Vec<Option<Duration>> = (0..WORKERS)
            .map(|_| {
                let number = next(&mut random);
                (number & 1 == 0).then(|| Duration::from_micros((number >> 8) % 40_000))
            })
            .collect();
        let outcomes: Vec<Result<Outcome>> = std::thread::scope(|scope| {
            let workers: Vec<_> = steps
                .iter()
                .zip(&delays)
                .enumerate()
                .map(|(worker, (step, delay))| {
                    let bench = &bench;
                    scope.spawn(move || work(bench, worker, round, *step, *delay))
                })
                .collect();
            let join = |worker: std::thread::ScopedJoinHandle<'_, Result<Outcome>>| {
                worker.join().unwrap_or_else(|_| Err("panicked".into()))
            };
            workers.into_iter().map(join).collect()
        });
        let recovered = bench.recover().run()?;
        if !recovered.exited(0) {
            tally.fail("bad", format!("round {round}: {}", recovered.describe()));
            return Ok(tally);
        }
        let now = live(&bench)?;
        let text = fs::read_to_string(bench.model.join("config.json"))?;
        for (worker, outcome) in outcomes.into_iter().enumerate() {
            let had = steps[worker];
            let has = now
                .iter()
                .find(|(_, key)| *key == worker)
                .map(|step| step.0);
            let wrong = judge(outcome?, had, has, &text, worker);
            match wrong {
                None => tally.pass("right"),
                Some(wrong) => {
                    tally.fail("bad", format!("round {round}, worker {worker}: {wrong}"))
                }
            }
            steps[worker] = has;
        }
    }
    let reverted = bench.verb(&["revert", "--all", "--yes"]).run()?;
    match bench.tree()?.first_difference(&bench.pristine) {
        None => tally.pass("pristine"),
        Some(difference) => tally.fail(
            "bad",
            format!("in the end {difference}; {}", reverted.describe()),
        ),
    }
    Ok(tally)
}

/// What is wrong with a worker's step and key after its round.
fn judge(
    outcome: Outcome,
    had: Option<u64>,
    has: Option<u64>,
    text: &str,
    worker: usize,
) -> Option<String> {
    let in_text = !text.contains(&format!("\"w{worker}\": 0"));
    if in_text != has.is_some() {
        return Some(format!("step {has:?}, and its key says otherwise: {text}"));
    }
    match outcome {
        Outcome::Done if had.is_some() == has.is_some() => Some(format!(
            "it exited with 0, and its update is lost (step {had:?}, then {has:?})"
        )),
        Outcome::Failed(status) => Some(format!("it ended with {status}")),
        _ => None,
    }
}

/// Sets the key where no step of the worker is in place, else takes that step back. As people do, it tries again where another was faster.
fn work(
    bench: &Bench,
    worker: usize,
    round: usize,
    step: Option<u64>,
    kill_after: Option<Duration>,
) -> Result<Outcome> {
    let own = bench.place.join(format!("worker-{worker}"));
    fs::create_dir_all(&own)?;
    let program = match step {
        None => {
            let patch = own.join("patch.json");
            fs::write(
                &patch,
                format!("[{{\"op\": \"replace\", \"path\": \"/w{worker}\", \"value\": {round}}}]"),
            )?;
            let patch = patch.display().to_string();
            bench.verb(&["patch", &patch, "--file", "config.json", "--yes"])
        }
        Some(step) => bench.verb(&["revert", "--yes", "--step", &step.to_string()]),
    };
    let program = Program {
        log: own.join("log"),
        ..program
    };
    let recover = Program {
        log: own.join("log"),
        ..bench.recover()
    };
    let began = Instant::now();
    loop {
        let Some(end) = run(&program, began, kill_after)? else {
            return Ok(Outcome::Killed);
        };
        let said = fs::read_to_string(&program.log).unwrap_or_default();
        match end {
            End::Exit(0) => return Ok(Outcome::Done),
            End::Exit(2) if began.elapsed() < PATIENCE => {
                if said.contains("cut off") {
                    recover.run()?;
                } else if !said.contains("changed") && !said.contains("no step") {
                    return Err(format!("worker {worker}: {said}").into());
                }
            }
            End::Exit(status) | End::Signal(status) => return Ok(Outcome::Failed(status)),
        }
    }
}

/// Runs it to its end; none where it was killed at its time.
fn run(program: &Program, began: Instant, kill_after: Option<Duration>) -> Result<Option<End>> {
    let mut child = program.command(&[])?.spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.code().map_or(End::Signal(0), End::Exit)));
        }
        let over = kill_after.is_some_and(|after| began.elapsed() > after);
        if over || began.elapsed() > PATIENCE + PATIENCE {
            child.kill()?;
            child.wait()?;
            return if over {
                Ok(None)
            } else {
                Err(format!("{} hangs", program.shell()).into())
            };
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}

/// The steps in place with the number of the worker whose key they set.
fn live(bench: &Bench) -> Result<Vec<(u64, usize)>> {
    let (status, history) = (json(bench, "status")?, json(bench, "history")?);
    let mut found = Vec::new();
    for step in status["steps"].as_array().into_iter().flatten() {
        let of_step = |operation: &&serde_json::Value| operation["number"] == step["number"];
        let operations = history["operations"].as_array();
        let operation = operations.and_then(|all| all.iter().find(of_step));
        let words = operation.ok_or("a step without history")?["command_line"].to_string();
        let worker = (0..WORKERS).find(|worker| words.contains(&format!("worker-{worker}/")));
        let number = step["number"].as_u64().ok_or("a step without a number")?;
        found.push((number, worker.ok_or("a step of nobody")?));
    }
    Ok(found)
}

fn json(bench: &Bench, verb: &str) -> Result<serde_json::Value> {
    let words = bench.verb(&[verb, "--format", "json"]).words;
    let output = Command::new(&words[0]).args(&words[1..]).output()?;
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn next(random: &mut u64) -> u64 {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    *random
}
