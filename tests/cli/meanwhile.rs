//! What other people and programs do to a directory between an apply and what takes it back.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::{FOUNDING, Model, json, status, stderr, stdout};

const HIJACK: [&str; 3] = ["--engine", "vllm@0.15.1", "--no-detect"];

/// A directory whose params.json an apply parks.
fn hijacked() -> Model {
    Model::empty()
        .with(
            "config.json",
            "{\"architectures\": [\"MistralForCausalLM\"], \"model_type\": \"mistral\"}\n",
        )
        .with("params.json", "{\"dim\": 4096, \"n_layers\": 32}\n")
        .with("model-00001-of-00001.safetensors", "")
}

/// What a copy does not bring back: the inode, and the time.
fn entry(path: &Path) -> (u64, i64, i64) {
    let data = fs::symlink_metadata(path).unwrap();
    (data.ino(), data.mtime(), data.mtime_nsec())
}

fn done(output: &Output) -> String {
    assert_eq!(status(output), 0, "{}{}", stdout(output), stderr(output));
    stderr(output)
}

/// One step on config.json.
fn patch(model: &Model, patch: &str) {
    let file = model.folder.path().join("patch.json");
    fs::write(&file, patch).unwrap();
    let args = [file.to_str().unwrap(), "--file", "config.json", "--yes"];
    done(&model.run("patch", &args));
}

const ADD: &str = r#"[{"op": "add", "path": "/a", "value": 1}]"#;
const ADD_ANOTHER: &str = r#"[{"op": "add", "path": "/b", "value": 1}]"#;
const REMOVE: &str = r#"[{"op": "remove", "path": "/a"}]"#;

#[test]
fn patches_that_cancel_out_give_the_entry_back() {
    let model = Model::founding();
    let config = model.path().join("config.json");
    let before = entry(&config);
    patch(&model, ADD);
    patch(&model, REMOVE);
    assert_ne!(entry(&config), before);
    done(&model.run("revert", &["--all", "--yes"]));
    assert_eq!(entry(&config), before);
    assert!(!model.path().join(".unsnag").exists());
}

#[test]
fn the_entry_waits_for_the_last_step() {
    let model = Model::founding();
    let config = model.path().join("config.json");
    let before = (entry(&config), fs::read(&config).unwrap());
    for one in [ADD, REMOVE, ADD_ANOTHER] {
        patch(&model, one);
    }
    for step in ["3", "2", "1"] {
        let said = done(&model.run("revert", &["--step", step, "--yes"]));
        assert!(!said.contains("kept"), "{said}");
    }
    assert_eq!((entry(&config), fs::read(&config).unwrap()), before);
    assert!(!model.path().join(".unsnag").exists());
}

#[test]
fn an_original_that_somebody_copied_back_gives_way_to_the_entry() {
    for model in [Model::founding(), hijacked()] {
        let parks = model.path().join("params.json").exists();
        let (name, target) = if parks {
            ("params.json", &HIJACK[..])
        } else {
            ("config.json", &FOUNDING[..])
        };
        let file = model.path().join(name);
        let (before, bytes) = (entry(&file), fs::read(&file).unwrap());
        done(&model.run("apply", &[target, &["--yes"]].concat()));
        assert_eq!(file.exists(), !parks);
        fs::write(model.path().join("copy"), &bytes).unwrap();
        fs::rename(model.path().join("copy"), &file).unwrap();
        done(&model.run("revert", &["--yes"]));
        assert_eq!((entry(&file), fs::read(&file).unwrap()), (before, bytes));
        assert!(!model.path().join(".unsnag").exists());
    }
}

#[test]
fn a_link_over_a_patched_file_is_somebodys() {
    let model = Model::founding();
    let config = model.path().join("config.json");
    let before = (entry(&config), fs::read(&config).unwrap());
    done(&model.run("apply", &[&FOUNDING[..], &["--yes"]].concat()));
    fs::rename(&config, model.path().join("other.json")).unwrap();
    symlink("other.json", &config).unwrap();
    let told = json(&model.run("status", &["--format", "json"]));
    assert_eq!(told["files"][0]["standing"], "link");
    assert_eq!(status(&model.run("revert", &["--yes"])), 2);
    assert!(config.is_symlink());
    done(&model.run("revert", &["--yes", "--force"]));
    assert_eq!((entry(&config), fs::read(&config).unwrap()), before);
    done(&model.run("forget", &["--yes"]));
    assert_eq!(
        fs::read_link(model.path().join("config.json.kept")).unwrap(),
        Path::new("other.json")
    );
}

#[test]
fn what_comes_back_takes_a_free_name() {
    let model = hijacked()
        .with("params.json.parked", "mine")
        .with("params.json.parked2", "mine too");
    let bytes = fs::read(model.path().join("params.json")).unwrap();
    done(&model.run("apply", &[&HIJACK[..], &["--yes"]].concat()));
    let told = json(&model.run("forget", &["--yes", "--format", "json"]));
    assert_eq!(told["parked"][0]["name"], "params.json.parked3");
    assert_eq!(
        fs::read(model.path().join("params.json.parked3")).unwrap(),
        bytes
    );
    assert_eq!(
        fs::read(model.path().join("params.json.parked")).unwrap(),
        b"mine"
    );
    assert!(!model.path().join(".unsnag").exists());
}

#[test]
fn a_twin_has_every_name_or_none() {
    let model = Model::founding();
    let odd = std::ffi::OsStr::from_bytes(b"tok\xffenizer.json");
    fs::write(model.path().join(odd), "{}").unwrap();
    let out = model.folder.path().join("twin");
    let args = [&FOUNDING[..], &["--yes", "--out", out.to_str().unwrap()]].concat();
    let output = model.run("apply", &args);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("not UTF-8"), "{}", stderr(&output));
    assert!(!out.exists());
    fs::rename(model.path().join(odd), model.path().join("tokenizer.json")).unwrap();
    done(&model.run("apply", &args));
    assert!(out.join("tokenizer.json").exists());
    // A whole twin has nothing to recover.
    let recover = Command::new(env!("CARGO_BIN_EXE_unsnag"))
        .arg("recover")
        .arg(&out)
        .output()
        .unwrap();
    assert!(
        !done(&recover).contains("leftovers"),
        "{}",
        stderr(&recover)
    );
}

#[test]
fn an_operation_under_way_is_waited_for() {
    let model = Model::founding();
    done(&model.run("apply", &[&FOUNDING[..], &["--yes"]].concat()));
    let state = model.path().join(".unsnag");
    // As another process would have it in the middle of its work.
    let lock = fs::File::open(state.join("lock")).unwrap();
    lock.lock().unwrap();
    fs::copy(state.join("state"), state.join("journal")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_unsnag"))
        .arg("check")
        .arg(model.path())
        .args(FOUNDING)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.contains("waiting for another unsnag"), "{line}");
    fs::remove_file(state.join("journal")).unwrap();
    lock.unlock().unwrap();
    said.read_to_string(&mut line).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{line}");
    // Left by a process that died, it is pending.
    fs::copy(state.join("state"), state.join("journal")).unwrap();
    let output = model.run("check", &FOUNDING);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("cut off"), "{}", stderr(&output));
}

#[test]
fn who_may_not_read_the_state_may_still_check() {
    let model = Model::founding();
    done(&model.run("apply", &[&FOUNDING[..], &["--yes"]].concat()));
    let state = model.path().join(".unsnag");
    for path in [
        model.folder.path(),
        &model.path(),
        &model.path().join("config.json"),
    ] {
        let mode = fs::metadata(path).unwrap().mode();
        fs::set_permissions(path, fs::Permissions::from_mode(mode | 0o555)).unwrap();
    }
    // The program, where nobody can start it.
    let program = model.folder.path().join("unsnag");
    fs::copy(env!("CARGO_BIN_EXE_unsnag"), &program).unwrap();
    fs::set_permissions(&state, fs::Permissions::from_mode(0o0)).unwrap();
    let run = |verb: &str| {
        let mut command = Command::new(&program);
        command.arg(verb).arg(model.path()).args(&FOUNDING[..4]);
        if fs::metadata("/proc/self").unwrap().uid() == 0 {
            command.uid(65534).gid(65534);
        }
        command.output().unwrap()
    };
    assert!(done(&run("check")).contains("is not known"));
    assert!(done(&run("diff")).contains("is not known"));
    let output = run("status");
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("may not read it"),
        "{}",
        stderr(&output)
    );
    fs::set_permissions(&state, fs::Permissions::from_mode(0o700)).unwrap();
    done(&model.run("revert", &["--yes"]));
}

#[test]
fn many_may_ask_for_the_same_twin_at_once() {
    let model = Model::founding();
    let out = model.folder.path().join("twin");
    let start = || {
        Command::new(env!("CARGO_BIN_EXE_unsnag"))
            .args([
                "apply",
                model.path().to_str().unwrap(),
                "--yes",
                "--print-path",
                "--out",
            ])
            .arg(&out)
            .args(FOUNDING)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    for _ in 0..5 {
        let all: Vec<_> = (0..8).map(|_| start()).collect();
        for one in all {
            let output = one.wait_with_output().unwrap();
            done(&output);
            assert_eq!(stdout(&output).trim_end(), out.to_str().unwrap());
        }
        assert!(
            !fs::read_to_string(out.join("config.json"))
                .unwrap()
                .contains("kv_cache_scheme")
        );
        assert_eq!(fs::read_dir(model.folder.path()).unwrap().count(), 2);
        fs::remove_dir_all(&out).unwrap();
    }
}

#[test]
fn a_file_that_is_not_as_it_was_left_is_not_patched_further() {
    // Edited, replaced by a link, put back after it was parked: each is somebody's, and the way back would lead over it.
    let model = Model::founding();
    let config = model.path().join("config.json");
    patch(&model, ADD);
    let edited =
        fs::read_to_string(&config)
            .unwrap()
            .replacen('{', "{\n    \"mine\": \"precious\",", 1);
    fs::write(&config, &edited).unwrap();
    let file = model.folder.path().join("patch.json");
    fs::write(&file, r#"[{"op": "remove", "path": "/mine"}]"#).unwrap();
    let args = [file.to_str().unwrap(), "--file", "config.json", "--yes"];
    let refused = |output: &Output| {
        assert_eq!(status(output), 2, "{}", stderr(output));
        assert!(
            stderr(output).contains("not as its last patch left it"),
            "{}",
            stderr(output)
        );
    };
    refused(&model.run("patch", &args));
    assert_eq!(fs::read_to_string(&config).unwrap(), edited);
    fs::rename(&config, model.path().join("other.json")).unwrap();
    symlink("other.json", &config).unwrap();
    fs::write(&file, ADD_ANOTHER).unwrap();
    refused(&model.run("patch", &args));
    assert!(config.is_symlink());
    // The edit stays beside the revert, and then the patch can be made.
    fs::remove_file(&config).unwrap();
    fs::rename(model.path().join("other.json"), &config).unwrap();
    done(&model.run("revert", &["--yes"]));
    assert!(fs::read_to_string(&config).unwrap().contains("precious"));
    done(&model.run("patch", &args));

    let model = hijacked();
    let parked = model.path().join("params.json");
    let apply = [&HIJACK[..], &["--yes"]].concat();
    done(&model.run("apply", &apply));
    fs::write(&parked, "{\"dim\": 7777, \"n_layers\": 32}\n").unwrap();
    refused(&model.run("apply", &apply));
    assert!(fs::read_to_string(&parked).unwrap().contains("7777"));
    done(&model.run("revert", &["--yes", "--force"]));
    assert!(fs::read_to_string(&parked).unwrap().contains("4096"));
    done(&model.run("forget", &["--yes"]));
    let kept = model.path().join("params.json.kept");
    assert!(fs::read_to_string(kept).unwrap().contains("7777"));
}

#[test]
fn an_original_that_came_back_is_patched_anew() {
    // As after a download that put every file back.
    let model = Model::founding();
    let config = model.path().join("config.json");
    let before = (entry(&config), fs::read(&config).unwrap());
    let apply = [&FOUNDING[..], &["--yes"]].concat();
    done(&model.run("apply", &apply));
    fs::write(&config, &before.1).unwrap();
    done(&model.run("apply", &apply));
    assert_ne!(fs::read(&config).unwrap(), before.1);
    let told = json(&model.run("status", &["--format", "json"]));
    assert_eq!(told["steps"].as_array().unwrap().len(), 1);
    done(&model.run("revert", &["--all", "--yes"]));
    assert_eq!((entry(&config), fs::read(&config).unwrap()), before);
    assert!(!model.path().join(".unsnag").exists());
}

#[test]
fn originals_without_a_state_are_not_swept() {
    let model = Model::founding();
    let apply = [&FOUNDING[..], &["--yes"]].concat();
    let original = fs::read(model.path().join("config.json")).unwrap();
    done(&model.run("apply", &apply));
    fs::remove_file(model.path().join(".unsnag/state")).unwrap();
    for verb in ["recover", "status", "revert", "forget", "apply"] {
        let output = model.run(
            verb,
            if verb == "apply" {
                &["--fix", "mla-fp8-kv-sm120", "--yes", "--no-detect"]
            } else {
                &[]
            },
        );
        assert!(
            verb == "apply" || status(&output) == 2,
            "{verb}: {}",
            stderr(&output)
        );
        assert_eq!(
            fs::read(model.path().join(".unsnag/o1")).unwrap(),
            original,
            "{verb}"
        );
    }
    assert_eq!(status(&model.run("status", &[])), 2);
}

#[test]
fn a_link_to_another_blob_does_not_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let repository = folder.path().join("hub/models--a--b");
    let snapshot = repository.join("snapshots/0123456789abcdef0123456789abcdef01234567");
    let blob = repository.join("blobs/89abcdef0123456789abcdef0123456789abcdef");
    fs::create_dir_all(&snapshot).unwrap();
    fs::create_dir_all(repository.join("blobs")).unwrap();
    let original =
        fs::read(super::support::root().join("tests/models/kimi-k2.5-nvfp4/config.json")).unwrap();
    fs::write(&blob, &original).unwrap();
    let config = snapshot.join("config.json");
    symlink(
        "../../blobs/89abcdef0123456789abcdef0123456789abcdef",
        &config,
    )
    .unwrap();
    let run = |words: &[&str]| {
        let directory = snapshot.to_str().unwrap();
        super::unsnag(&[&[words[0], directory], &words[1..]].concat())
    };
    done(&run(&[&["apply"], &FOUNDING[..], &["--yes"]].concat()));
    fs::write(&blob, "{}").unwrap();
    let said = done(&run(&["revert", "--yes"]));
    assert!(said.contains("another one"), "{said}");
    assert_eq!(fs::read(&config).unwrap(), original);
    assert_eq!(fs::read(&blob).unwrap(), b"{}");
}

#[test]
fn the_state_has_the_rights_of_the_directory() {
    let model = Model::founding();
    fs::set_permissions(model.path(), fs::Permissions::from_mode(0o775)).unwrap();
    done(&model.run("apply", &[&FOUNDING[..], &["--yes"]].concat()));
    for name in ["state", "lock", ".gitignore", "reserve"] {
        let mode = fs::metadata(model.path().join(".unsnag").join(name))
            .unwrap()
            .mode();
        assert_eq!(mode & 0o777, 0o660, "{name}");
    }
}
