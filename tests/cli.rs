//! The command as people run it: the README's transcript, exit statuses and words, bad input.

mod support;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
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

#[test]
fn apply_and_revert_the_founding_fix() {
    let model = Model::founding();
    let before = model.state();
    let applied = model.run("apply", &[&FOUNDING[..], &["--yes"]].concat());
    assert_eq!(status(&applied), 0, "{}", stderr(&applied));
    let text = fs::read_to_string(model.path().join("config.json")).unwrap();
    let original = String::from_utf8(before[0].1.clone()).unwrap();
    let expected = original.replace(
        "        \"kv_cache_scheme\": {\n            \"dynamic\": false,\n            \"num_bits\": 8,\n            \"type\": \"float\"\n        },\n",
        "",
    );
    assert_ne!(original, expected);
    assert_eq!(text, expected);
    // A second apply does nothing, creates nothing, and says so.
    let again = model.run("apply", &[&FOUNDING[..], &["--yes"]].concat());
    assert_eq!(
        (status(&again), stderr(&again).trim()),
        (0, "Nothing to do.")
    );
    let status_json = json(&model.run("status", &["--format", "json", "--no-detect"]));
    assert_eq!(status_json["files"][0]["standing"], "as-left");
    assert_eq!(
        json(&model.run("history", &["--format", "json"]))["operations"][0]["fixes"][0],
        "mla-fp8-kv-sm120"
    );
    let reverted = model.run("revert", &["--yes"]);
    assert_eq!(status(&reverted), 0, "{}", stderr(&reverted));
    assert_eq!(model.state(), before);
    assert!(!model.path().join(".unsnag").exists());
    assert_eq!(status(&model.run("revert", &["--yes"])), 0);
}

#[test]
fn the_contract_of_check_in_json() {
    let document =
        json(&Model::founding().run("check", &[&FOUNDING[..], &["--format", "json"]].concat()));
    assert_eq!(document["schema_version"], 1);
    let directory = &document["directories"][0];
    for key in ["path", "target", "findings", "undecided"] {
        assert!(directory.get(key).is_some(), "{key}");
    }
    let finding = &directory["findings"][0];
    assert_eq!(finding["id"], "mla-fp8-kv-sm120");
    assert_eq!(finding["kind"], "fix");
    assert_eq!(finding["status"], "applies");
    assert_eq!(finding["severity"], "blocks");
    assert_eq!(finding["safety"], "safe");
    assert_eq!(finding["evidence"][0]["file"], "config.json");
    assert_eq!(
        finding["evidence"][0]["pointer"],
        "/quantization_config/kv_cache_scheme"
    );
    assert_eq!(finding["evidence"][0]["line"], 34);
    assert_eq!(finding["evidence"][0]["column"], 9);
    assert_eq!(
        finding["edits"][0],
        serde_json::json!({"file": "config.json", "op": "remove", "pointer": "/quantization_config/kv_cache_scheme"})
    );
    assert_eq!(finding["needs"], serde_json::json!([]));
    let entry = &json(&unsnag(&["list", "--format", "json"]))["entries"][0];
    for key in ["id", "kind", "family", "severity", "safety", "title"] {
        assert!(entry.get(key).is_some(), "{key}");
    }
}

#[test]
fn without_a_gpu_it_may_apply_and_a_named_fix_is_done() {
    let model = Model::founding();
    let args = ["--engine", "vllm@0.15.1", "--no-detect"];
    let output = model.run("check", &[&args[..], &["--format", "json"]].concat());
    let finding = &json(&output)["directories"][0]["findings"][0];
    assert_eq!(finding["status"], "may-apply");
    assert_eq!(finding["needs"], serde_json::json!(["gpu"]));
    assert_eq!(status(&output), 0);
    assert_eq!(
        status(&model.run("check", &[&args[..], &["--strict"]].concat())),
        1
    );
    let before = model.state();
    assert_eq!(
        status(&model.run("apply", &[&args[..], &["--yes"]].concat())),
        0
    );
    assert_eq!(model.state(), before);
    assert_eq!(
        status(&model.run(
            "apply",
            &["--no-detect", "--yes", "--fix", "mla-fp8-kv-sm120"]
        )),
        0
    );
    assert_ne!(model.state(), before);
}

#[test]
fn what_a_known_target_rules_out_is_refused_by_name() {
    let model = Model::founding();
    let output = model.run(
        "apply",
        &[
            "--engine",
            "vllm@0.18.0",
            "--gpu",
            "sm120",
            "--yes",
            "--fix",
            "mla-fp8-kv-sm120",
        ],
    );
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("is not for vllm 0.18.0, sm120"),
        "{}",
        stderr(&output)
    );
}

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
fn unknown_names_list_what_is_known() {
    let model = Model::founding();
    for (args, words) in [
        (
            &["--engine", "vlm@0.15.1"][..],
            &["did you mean `vllm`", "sglang", "llama.cpp"][..],
        ),
        (&["--engine", "vllm@latest"], &["is not a version"]),
        (&["--gpu", "h10"], &["did you mean `h100`", "smN"]),
        (&["--with", "vllm"], &["a version is missing"]),
        (&["--intent", "speed"], &["bf16-kv"]),
        (
            &[
                "--gpu",
                "sm120",
                "--engine",
                "vllm@0.15.1",
                "--fix",
                "mla-fp8-kv-sm12",
            ],
            &["did you mean `mla-fp8-kv-sm120`"],
        ),
    ] {
        let verb = if args.contains(&"--fix") {
            "diff"
        } else {
            "check"
        };
        let output = model.run(verb, &[args, &["--no-detect"]].concat());
        assert_eq!(status(&output), 2, "{args:?}");
        for word in words {
            assert!(
                stderr(&output).contains(word),
                "{args:?}: {}",
                stderr(&output)
            );
        }
    }
    assert_eq!(status(&unsnag(&["explain", "mla-fp8-kv"])), 2);
    assert_eq!(status(&unsnag(&["explain", "mla-fp8-kv-sm120"])), 0);
}

#[test]
fn a_nightly_version_is_unknown_and_said_so() {
    let model = Model::founding();
    let output = model.run(
        "check",
        &[
            "--engine",
            "vllm@0.1.dev15795+gabc1234",
            "--gpu",
            "sm120",
            "--no-detect",
            "--format",
            "json",
        ],
    );
    let finding = &json(&output)["directories"][0]["findings"][0];
    assert_eq!(
        (&finding["status"], &finding["needs"][0]),
        (&Value::from("may-apply"), &Value::from("vllm version"))
    );
}

#[test]
fn a_newer_engine_is_not_judged() {
    let model = Model::empty().with("config.json", "{\"model_type\": \"llama\"}");
    let output = model.run(
        "check",
        &["--engine", "vllm@9.0.0", "--gpu", "sm120", "--no-detect"],
    );
    assert!(
        stdout(&output).contains("not judged"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_flag_that_cures_is_recognised() {
    let model = Model::founding();
    let output = model.run(
        "check",
        &[
            "--engine",
            "vllm@0.15.1",
            "--gpu",
            "sm120",
            "--",
            "vllm",
            "serve",
            "m",
            "--kv-cache-dtype",
            "bfloat16",
        ],
    );
    assert_eq!(status(&output), 0, "{}", stdout(&output));
    assert!(
        stdout(&output).contains("cures this already"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_file_that_changed_since_is_never_overwritten() {
    let model = Model::founding();
    model.run("apply", &[&FOUNDING[..], &["--yes"]].concat());
    let edited = fs::read_to_string(model.path().join("config.json"))
        .unwrap()
        .replace("bfloat16", "float16");
    fs::write(model.path().join("config.json"), &edited).unwrap();
    // Elsewhere in the file: the patch goes, the edit stays.
    let output = model.run("revert", &["--yes"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let reverted = fs::read_to_string(model.path().join("config.json")).unwrap();
    assert!(reverted.contains("kv_cache_scheme") && reverted.contains("\"float16\""));
    // At the same place: refused, and nothing is lost.
    let model = Model::founding();
    model.run("apply", &[&FOUNDING[..], &["--yes"]].concat());
    let edited = fs::read_to_string(model.path().join("config.json"))
        .unwrap()
        .replace(
            "\"quant_algo\": \"NVFP4\",",
            "\"quant_algo\": \"NVFP4\",
        \"mine\": 1,",
        );
    fs::write(model.path().join("config.json"), &edited).unwrap();
    let output = model.run("revert", &["--yes"]);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    assert!(
        stderr(&output).contains("Three versions"),
        "{}",
        stderr(&output)
    );
    assert_eq!(
        fs::read_to_string(model.path().join("config.json")).unwrap(),
        edited
    );
    let output = model.run("revert", &["--yes", "--force"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let kept = fs::read_dir(model.path().join(".unsnag"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    assert!(
        kept.filter(|path| path.is_file())
            .any(|path| fs::read(path).unwrap() == edited.as_bytes())
    );
}

#[test]
fn a_patch_of_ones_own() {
    let model = Model::founding().with(
        "../patch.json",
        "[{\"op\": \"replace\", \"path\": \"/dtype\", \"value\": \"float16\"}]",
    );
    let patch = model.folder.path().join("patch.json");
    let patch = patch.to_str().unwrap();
    let before = model.state();
    assert_eq!(
        status(&model.run("patch", &[patch, "--file", "config.json", "--dry-run"])),
        1
    );
    assert_eq!(model.state(), before);
    assert_eq!(
        status(&model.run("patch", &[patch, "--file", "config.json", "--yes"])),
        0
    );
    assert!(
        fs::read_to_string(model.path().join("config.json"))
            .unwrap()
            .contains("\"dtype\": \"float16\"")
    );
    assert_eq!(status(&model.run("revert", &["--yes"])), 0);
    assert_eq!(model.state(), before);
    for bad in [
        "{",
        "[{\"op\": \"remove\", \"path\": \"/no/such\"}]",
        "[{\"op\": \"jump\", \"path\": \"/dtype\"}]",
    ] {
        fs::write(patch, bad).unwrap();
        assert_eq!(
            status(&model.run("patch", &[patch, "--file", "config.json", "--yes"])),
            2,
            "{bad}"
        );
        assert_eq!(model.state(), before);
    }
    assert_eq!(
        status(&model.run("patch", &[patch, "--file", "nothing.json", "--yes"])),
        2
    );
    assert_eq!(
        status(&model.run("patch", &[patch, "--file", "../outside.json", "--yes"])),
        2
    );
}

#[test]
fn steps_are_taken_back_one_by_one() {
    let model = Model::founding().with(
        "../patch.json",
        "[{\"op\": \"replace\", \"path\": \"/dtype\", \"value\": \"float16\"}]",
    );
    let patch = model.folder.path().join("patch.json");
    let before = model.state();
    model.run("apply", &[&FOUNDING[..], &["--yes"]].concat());
    let first = model.state();
    model.run(
        "patch",
        &[patch.to_str().unwrap(), "--file", "config.json", "--yes"],
    );
    // The first alone, rebased over the second.
    assert_eq!(status(&model.run("revert", &["--step", "1", "--yes"])), 0);
    let text = fs::read_to_string(model.path().join("config.json")).unwrap();
    assert!(
        text.contains("kv_cache_scheme") && text.contains("\"float16\""),
        "{text}"
    );
    assert_eq!(status(&model.run("revert", &["--yes"])), 0);
    assert_eq!(model.state(), before);
    // The last, then the one before.
    model.run("apply", &[&FOUNDING[..], &["--yes"]].concat());
    model.run(
        "patch",
        &[patch.to_str().unwrap(), "--file", "config.json", "--yes"],
    );
    assert_eq!(status(&model.run("revert", &["--yes"])), 0);
    assert_eq!(model.state(), first);
    model.run(
        "patch",
        &[patch.to_str().unwrap(), "--file", "config.json", "--yes"],
    );
    assert_eq!(status(&model.run("revert", &["--all", "--yes"])), 0);
    assert_eq!(model.state(), before);
    assert!(!model.path().join(".unsnag").exists());
    assert_eq!(status(&model.run("revert", &["--step", "7", "--yes"])), 2);
}

#[test]
fn a_twin_leaves_the_source_alone() {
    let model = Model::founding().with("tokenizer.json", "{}");
    let before = model.state();
    let out = model.folder.path().join("twin");
    let args = [
        &FOUNDING[..],
        &["--yes", "--print-path", "--out", out.to_str().unwrap()],
    ]
    .concat();
    for _ in 0..2 {
        let output = model.run("apply", &args);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        assert_eq!(stdout(&output), format!("{}\n", out.display()));
    }
    assert_eq!(model.state(), before);
    assert!(!model.path().join(".unsnag").exists());
    assert!(
        !fs::read_to_string(out.join("config.json"))
            .unwrap()
            .contains("kv_cache_scheme")
    );
    assert_eq!(
        fs::read_link(out.join("tokenizer.json")).unwrap(),
        model.path().canonicalize().unwrap().join("tokenizer.json")
    );
    let output = unsnag(&[
        "apply",
        model.path().to_str().unwrap(),
        "--engine",
        "vllm@0.18.0",
        "--gpu",
        "sm120",
        "--yes",
        "--print-path",
        "--out",
        "/no/such/place",
    ]);
    assert_eq!(stdout(&output), format!("{}\n", model.path().display()));
}

#[test]
fn forgetting_keeps_the_patch() {
    let model = Model::founding();
    model.run("apply", &[&FOUNDING[..], &["--yes"]].concat());
    let patched = model.state();
    assert_eq!(status(&model.run("forget", &["--yes"])), 0);
    assert_eq!(model.state(), patched);
    assert!(!model.path().join(".unsnag").exists());
}

#[test]
fn the_concrete_patches_are_rfc_6902() {
    let model = Model::founding();
    let document = json(&model.run(
        "diff",
        &[&FOUNDING[..], &["--format", "json-patch"]].concat(),
    ));
    let patch: json_patch::Patch =
        serde_json::from_value(document["files"][0]["patch"].clone()).unwrap();
    let mut value: Value =
        serde_json::from_slice(&fs::read(model.path().join("config.json")).unwrap()).unwrap();
    json_patch::patch(&mut value, &patch).unwrap();
    model.run("apply", &[&FOUNDING[..], &["--yes"]].concat());
    let applied: Value =
        serde_json::from_slice(&fs::read(model.path().join("config.json")).unwrap()).unwrap();
    assert_eq!(value, applied);
}

#[test]
fn several_faults_end_in_one_apply() {
    let tokenizer = r#"{"version":"1.0","added_tokens":[],"pre_tokenizer":null,"post_processor":null,"decoder":null,"model":{"type":"BPE","vocab":{"h":0,"i":1,"hi":2},"merges":["h i"]}}"#;
    let model = Model::empty()
        .with("config.json", "{\n  \"architectures\": [\"LlamaForCausalLM\"],\n  \"model_type\": \"llama\",\n  \"rope_parameters\": {\"rope_theta\": 500000.0, \"rope_type\": \"default\"}\n}\n")
        .with("tokenizer.json", tokenizer)
        .with("tokenizer_config.json", "{\n  \"extra_special_tokens\": [\"<a>\"],\n  \"tokenizer_class\": \"TokenizersBackend\"\n}\n");
    let args = [
        "--engine",
        "transformers@4.57.6",
        "--gpu",
        "sm90",
        "--no-detect",
    ];
    let output = model.run("apply", &[&args[..], &["--yes"]].concat());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    for id in [
        "tokenizers-backend-class",
        "extra-special-tokens-list",
        "token-type-ids-emitted",
        "rope-parameters-v5-on-v4",
    ] {
        assert!(stderr(&output).contains(id), "{id}: {}", stderr(&output));
    }
    assert_eq!(status(&model.run("check", &args)), 0);
}
