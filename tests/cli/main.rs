//! The command as people run it: the README's transcript, exit statuses and words, bad input.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)] // a test may fail loudly and writes its own fixtures

mod change;
mod check;
mod input;
mod meanwhile;
#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A model directory that is gone after the test.
struct Model {
    folder: tempfile::TempDir,
}

const FOUNDING: [&str; 5] = ["--engine", "vllm@0.15.1", "--gpu", "sm120", "--no-detect"];

impl Model {
    fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("model")).unwrap();
        Self { folder }
    }

    /// The founding checkpoint's shape.
    fn founding() -> Self {
        let model = Self::empty();
        let from = support::root().join("tests/models/kimi-k2.5-nvfp4/config.json");
        fs::copy(from, model.path().join("config.json")).unwrap();
        model
    }

    fn with(self, file: &str, text: impl AsRef<[u8]>) -> Self {
        fs::write(self.path().join(file), text).unwrap();
        self
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("model")
    }

    fn run(&self, verb: &str, args: &[&str]) -> Output {
        unsnag(&[&[verb, self.path().to_str().unwrap()], args].concat())
    }

    fn state(&self) -> Vec<(String, Vec<u8>)> {
        support::contents(&self.path())
    }
}

fn unsnag(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_unsnag"))
        .args(args)
        .env_remove("UNSNAG_ENGINE")
        .env_remove("UNSNAG_GPU")
        .env_remove("UNSNAG_FIXES")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}\n{}", stdout(output), stderr(output)))
}

#[test]
fn the_readme_says_what_the_command_prints() {
    std::env::set_current_dir(support::root()).unwrap();
    trycmd::TestCases::new().case("README.md").run();
}
