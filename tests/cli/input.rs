//! Bad input: one clear error, and nothing changed.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use super::{FOUNDING, Model, status, stderr, stdout, support, unsnag};

#[test]
fn nobody_on_a_terminal_and_no_yes() {
    let model = Model::founding();
    let before = model.state();
    for verb in ["apply", "revert"] {
        let output = model.run(verb, if verb == "apply" { &FOUNDING } else { &[] });
        if verb == "apply" {
            assert_eq!(status(&output), 2, "{}", stderr(&output));
            assert!(stderr(&output).contains("--yes"));
        }
    }
    assert_eq!(model.state(), before);
    model.run("apply", &[&FOUNDING[..], &["--yes"]].concat());
    assert_eq!(status(&model.run("revert", &[])), 2);
    assert_eq!(status(&model.run("recover", &[])), 0);
}

#[test]
fn not_a_model_directory() {
    assert_eq!(status(&unsnag(&["check", "/no/such/directory"])), 3);
    let model = Model::empty();
    assert_eq!(status(&model.run("check", &[])), 3);
    assert_eq!(status(&model.run("apply", &["--yes"])), 3);
    let file = model.with("config.json", "{}");
    let path = file.path().join("config.json");
    assert_eq!(status(&unsnag(&["check", path.to_str().unwrap()])), 3);
}

#[test]
fn broken_json_has_a_place_and_nothing_is_done() {
    for (text, place) in [
        ("{\"a\": 1,\n  \"b\" 2}", ":2:7:"),
        ("", ":1:1:"),
        ("{\"a\": 1", ":1:8:"),
    ] {
        let model = Model::empty().with("config.json", text);
        let before = model.state();
        for verb in ["check", "diff", "apply"] {
            let args: &[&str] = if verb == "apply" {
                &[
                    "--yes",
                    "--no-detect",
                    "--engine",
                    "vllm@0.15.1",
                    "--gpu",
                    "sm120",
                ]
            } else {
                &FOUNDING
            };
            let output = model.run(verb, args);
            assert_eq!(status(&output), 2, "{verb} {text:?}: {}", stderr(&output));
            assert!(
                stderr(&output).contains(&format!("config.json{place}")),
                "{verb}: {}",
                stderr(&output)
            );
        }
        assert_eq!(model.state(), before);
    }
}

#[test]
fn an_lfs_pointer_is_an_advice_and_cannot_be_patched() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 17082770\n";
    let model = Model::empty()
        .with("config.json", pointer)
        .with("patch.json", "[{\"op\": \"remove\", \"path\": \"/a\"}]");
    let output = model.run("check", &FOUNDING);
    assert_eq!(status(&output), 1);
    assert!(
        stdout(&output).contains("git lfs pull"),
        "{}",
        stdout(&output)
    );
    let patch = model.path().join("patch.json");
    let output = model.run(
        "patch",
        &[patch.to_str().unwrap(), "--file", "config.json", "--yes"],
    );
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("git lfs pull"),
        "{}",
        stderr(&output)
    );
    let output = model.run(
        "apply",
        &["--yes", "--fix", "mla-fp8-kv-sm120", "--no-detect"],
    );
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    assert!(
        stderr(&output).contains("git lfs pull"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn deep_nesting_is_read() {
    let deep = format!(
        "{{\"model_type\": \"llama\", \"deep\": {}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let model = Model::empty().with("config.json", deep);
    let output = model.run("check", &FOUNDING);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
}

#[test]
fn a_link_to_somewhere_unknown_is_not_followed() {
    let model = Model::empty();
    let elsewhere = model.folder.path().join("secret.json");
    fs::write(&elsewhere, "{\"model_type\": \"llama\"}").unwrap();
    symlink(&elsewhere, model.path().join("config.json")).unwrap();
    let output = model.run("check", &FOUNDING);
    assert_eq!(
        status(&output),
        2,
        "{}\n{}",
        stdout(&output),
        stderr(&output)
    );
    assert!(
        stderr(&output).contains("is a link to"),
        "{}",
        stderr(&output)
    );
    assert_eq!(
        fs::read_to_string(&elsewhere).unwrap(),
        "{\"model_type\": \"llama\"}"
    );
}

#[test]
fn a_hub_snapshot_is_read_through_its_link_and_never_written_through() {
    let folder = tempfile::tempdir().unwrap();
    let repository = folder.path().join("models--nvidia--Kimi-K2.5-NVFP4");
    let snapshot = repository.join("snapshots/0123456789abcdef0123456789abcdef01234567");
    let blob = repository.join("blobs/89abcdef0123456789abcdef0123456789abcdef");
    fs::create_dir_all(&snapshot).unwrap();
    fs::create_dir_all(repository.join("blobs")).unwrap();
    let original =
        fs::read(support::root().join("tests/models/kimi-k2.5-nvfp4/config.json")).unwrap();
    fs::write(&blob, &original).unwrap();
    let link = "../../blobs/89abcdef0123456789abcdef0123456789abcdef";
    symlink(link, snapshot.join("config.json")).unwrap();
    let path = snapshot.to_str().unwrap();
    let applied = unsnag(&[&["apply", path, "--yes"], &FOUNDING[..]].concat());
    assert_eq!(status(&applied), 0, "{}", stderr(&applied));
    assert!(
        stderr(&applied).contains("hub cache"),
        "{}",
        stderr(&applied)
    );
    assert_eq!(fs::read(&blob).unwrap(), original);
    assert!(
        fs::symlink_metadata(snapshot.join("config.json"))
            .unwrap()
            .is_file()
    );
    assert_eq!(status(&unsnag(&["revert", path, "--yes"])), 0);
    assert_eq!(
        fs::read_link(snapshot.join("config.json")).unwrap(),
        Path::new(link)
    );
    assert!(!snapshot.join(".unsnag").exists());
}

#[test]
fn a_directory_that_cannot_be_written() {
    let model = Model::founding();
    if fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0) {
        return; // root writes everywhere; tests/crash has read-only mounts
    }
    fs::set_permissions(model.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let output = model.run("apply", &[&FOUNDING[..], &["--yes"]].concat());
    fs::set_permissions(model.path(), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("--out"), "{}", stderr(&output));
}

#[test]
fn what_cannot_be_read_is_never_called_fine() {
    for (text, words) in [
        ("", "config.json:1:1: found the end of the text"),
        ("{\"a\": ", "config.json:1:7: found the end of the text"),
        ("[]", "config.json:1:1: found an array, expected an object"),
        (
            "\n null\n",
            "config.json:2:2: found null, expected an object",
        ),
    ] {
        let model = Model::empty().with("config.json", text);
        for target in [&FOUNDING[..], &["--no-detect"]] {
            let output = model.run("check", target);
            assert_eq!(status(&output), 2, "{text:?}");
            assert!(
                stderr(&output).contains(words),
                "{text:?}: {}",
                stderr(&output)
            );
            assert!(
                stdout(&output).contains("not judged: config.json"),
                "{text:?}: {}",
                stdout(&output)
            );
            assert!(
                !stdout(&output).contains("no known"),
                "{text:?}: {}",
                stdout(&output)
            );
        }
        assert_eq!(status(&model.run("apply", &["--yes", "--no-detect"])), 2);
    }
}

#[test]
fn a_patch_names_a_file_of_the_directory() {
    let model = Model::founding().with(
        "../patch.json",
        r#"[{"op": "add", "path": "/a", "value": 1}]"#,
    );
    fs::create_dir_all(model.path().join("a/b")).unwrap();
    let model = model.with("a/b/c.json", "{}").with("../outside.json", "{}");
    let patch = model.folder.path().join("patch.json");
    let run = |file: &str| model.run("patch", &[patch.to_str().unwrap(), "--file", file, "--yes"]);
    for file in ["./config.json", ".//config.json", "a/b/c.json"] {
        let output = run(file);
        assert_eq!(status(&output), 0, "{file}: {}", stderr(&output));
        assert_eq!(status(&model.run("revert", &["--yes"])), 0);
    }
    for file in ["../outside.json", "/config.json", "a/../config.json", ""] {
        let output = run(file);
        assert_eq!(status(&output), 2, "{file}");
        assert!(
            stderr(&output).contains("not a path inside"),
            "{file}: {}",
            stderr(&output)
        );
    }
    let output = run("nothing.json");
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("there is no such file"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn printed_commands_can_be_pasted() {
    let folder = tempfile::tempdir().unwrap();
    let config =
        fs::read(super::support::root().join("tests/models/kimi-k2.5-nvfp4/config.json")).unwrap();
    for name in ["-dash", "with space", "it's", "new\nline"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("config.json"), &config).unwrap();
        let apply = std::process::Command::new(env!("CARGO_BIN_EXE_unsnag"))
            .arg("apply")
            .arg(std::path::Path::new(".").join(name))
            .args(FOUNDING)
            .arg("--yes")
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = stderr(&apply);
        let (_, revert) = said.split_once("; unsnag ").unwrap();
        let revert = revert.split(" puts them back").next().unwrap();
        let script = format!("\"$UNSNAG\" {revert} --yes");
        let ended = std::process::Command::new("bash")
            .args(["-c", &script])
            .env("UNSNAG", env!("CARGO_BIN_EXE_unsnag"))
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(ended.status.success(), "{script}: {}", stderr(&ended));
        assert_eq!(
            fs::read(folder.path().join(name).join("config.json")).unwrap(),
            config
        );
    }
}
