//! What changes a directory, and what takes it back.

use std::fs;

use serde_json::Value;

use super::{FOUNDING, Model, json, status, stderr, stdout, unsnag};

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
    let args = [&FOUNDING[..], &["--yes", "--out", out.to_str().unwrap()]].concat();
    let document = json(&model.run("apply", &[&args[..], &["--format", "json"]].concat()));
    assert_eq!(document["serve"], out.to_str().unwrap());
    assert_eq!(document["fixes"][0], "mla-fp8-kv-sm120");
    let dry = model.run(
        "apply",
        &[&args[..], &["--format", "json", "--dry-run"]].concat(),
    );
    assert_eq!(json(&dry)["fixes"][0], "mla-fp8-kv-sm120");
    assert_eq!(status(&dry), 1);
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

#[test]
fn what_is_written_to_an_original_later_is_kept() {
    use std::io::Write as _;
    for forget in [false, true] {
        let model = Model::founding();
        let config = model.path().join("config.json");
        let mut held = fs::File::options().append(true).open(&config).unwrap();
        model.run("apply", &[&FOUNDING[..], &["--yes"]].concat());
        let before = fs::read(model.path().join(".unsnag/o1")).unwrap();
        held.write_all(b"\n").unwrap();
        let written = [before.as_slice(), b"\n"].concat();
        if forget {
            let output = model.run("forget", &["--yes"]);
            assert_eq!(status(&output), 0, "{}", stderr(&output));
        } else {
            let output = model.run("revert", &["--yes"]);
            assert_eq!(status(&output), 0, "{}", stderr(&output));
            assert!(stderr(&output).contains("kept as"), "{}", stderr(&output));
            assert_eq!(fs::read(&config).unwrap(), before);
            assert_eq!(fs::read(model.path().join(".unsnag/o1")).unwrap(), written);
            model.run("forget", &["--yes"]);
        }
        let kept = fs::read(model.path().join("config.json.kept")).unwrap();
        assert_eq!(kept, written);
        assert!(!model.path().join(".unsnag").exists());
    }
}

#[test]
fn the_folder_of_a_patched_file_can_go() {
    let model = Model::founding();
    let folder = model.path().join("encoder");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("config.json"), "{\"a\": 1}\n").unwrap();
    let patch = model.path().join("patch.json");
    fs::write(&patch, r#"[{"op": "add", "path": "/b", "value": 2}]"#).unwrap();
    let patch = patch.display().to_string();
    let args = ["--file", "encoder/config.json", "--yes"];
    let patched = model.run("patch", &[&[patch.as_str()], &args[..]].concat());
    assert_eq!(status(&patched), 0, "{}", stderr(&patched));
    let backup = model.path().join(".unsnag/o1");
    fs::remove_dir_all(&folder).unwrap();
    // Neither goes on, each says why, and the backup stays.
    for (verb, args, words) in [
        ("revert", &["--yes"][..], "encoder: is gone"),
        ("revert", &["--yes", "--force"], "move the folder back"),
        ("forget", &["--yes"], "the only copy"),
    ] {
        let output = model.run(verb, args);
        assert_eq!(status(&output), 2, "{verb}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
        assert_eq!(fs::read(&backup).unwrap(), b"{\"a\": 1}\n");
    }
    fs::create_dir(&folder).unwrap();
    let reverted = model.run("revert", &["--yes", "--force"]);
    assert_eq!(status(&reverted), 0, "{}", stderr(&reverted));
    assert_eq!(
        fs::read(folder.join("config.json")).unwrap(),
        b"{\"a\": 1}\n"
    );
    assert!(!model.path().join(".unsnag").exists());
}

#[test]
fn a_damaged_state_is_not_called_a_cut_off_operation() {
    let model = Model::founding();
    model.run("apply", &[&FOUNDING[..], &["--yes"]].concat());
    let state = model.path().join(".unsnag/state");
    let damaged = fs::read_to_string(&state).unwrap().replacen('1', "2", 1);
    fs::write(&state, &damaged).unwrap();
    let output = model.run("recover", &[]);
    assert_eq!(status(&output), 2);
    let said = stderr(&output);
    assert!(
        said.contains("checksum") && !said.contains("cut off"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&state).unwrap(), damaged);
}
