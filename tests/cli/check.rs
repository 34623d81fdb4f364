//! What `check` says of a directory under a target.

use serde_json::Value;

use super::{FOUNDING, Model, json, status, stderr, stdout, unsnag};

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
fn what_looks_alike_is_ruled_out_with_the_reason() {
    let config = r#"{"model_type": "llama", "rope_scaling": {"type": "linear", "rope_type": "yarn", "factor": 4.0}}"#;
    let model = Model::empty().with("config.json", config);
    let target = ["--engine", "vllm@0.15.1", "--gpu", "sm90", "--no-detect"];
    assert!(!stdout(&model.run("check", &target)).contains("ruled out"));
    let said = stdout(&model.run("check", &[&target[..], &["-v"]].concat()));
    assert!(
        said.contains("[rope-type-conflict] this model's configuration class overwrites"),
        "{said}"
    );
}
