use super::*;

fn releases() -> Releases {
    let mut releases = Releases::default();
    let file: ReleasesFile = toml::from_str(
        r#"
        library = "vllm"
        checked = "0.33.0"
        [[release]]
        versions = ">=0.12.0,<0.14.0"
        brings = { compressed-tensors = "==0.12.2", transformers = ">=4.56,<5" }
        [[release]]
        versions = ">=0.24.0"
        brings = { compressed-tensors = "==0.17.0", transformers = ">=5.5.3" }
        "#,
    )
    .unwrap();
    releases.add(&file).unwrap();
    releases
}

fn target(engine: &str, with: &[&str], gpu: &[&str]) -> Target {
    let split = |spec: &str| {
        let (name, version) = spec.split_once('@').unwrap_or((spec, ""));
        (
            Library::named(name).unwrap(),
            version.parse::<Version>().ok(),
        )
    };
    let engines = if engine.is_empty() {
        vec![]
    } else {
        vec![split(engine)]
    };
    let with = with
        .iter()
        .map(|spec| split(spec))
        .map(|(library, version)| (library, version.unwrap()))
        .collect();
    let gpus = gpu.iter().map(|gpu| gpu.parse().unwrap()).collect();
    Target::new(engines, with, gpus, BTreeSet::new(), &releases())
}

fn row(text: &str) -> Row {
    let file: RowFile = toml::from_str(text).unwrap();
    Row::try_from(&file).unwrap()
}

fn facts(truth: &Truth) -> Vec<&str> {
    truth.gaps().iter().map(|gap| gap.fact.as_str()).collect()
}

#[test]
fn a_row_needs_library_and_gpu() {
    let founding = row(r#"on = { vllm = ">=0.14.0,<0.18.0" }
        gpu = ["sm120", "sm121"]"#);
    assert_eq!(
        target("vllm@0.15.1", &[], &["sm120"]).fits(&founding),
        Truth::Yes
    );
    assert_eq!(
        target("vllm@0.15.1", &[], &["sm90"]).fits(&founding),
        Truth::No
    );
    assert_eq!(
        target("vllm@0.18.0", &[], &["sm120"]).fits(&founding),
        Truth::No
    );
    assert_eq!(
        target("sglang@0.5.9", &[], &["sm120"]).fits(&founding),
        Truth::No
    );
    assert_eq!(
        target("vllm@0.15.1", &[], &["sm90", "sm120"]).fits(&founding),
        Truth::Yes
    );
    assert_eq!(
        facts(&target("vllm@0.15.1", &[], &[]).fits(&founding)),
        ["gpu"]
    );
    assert_eq!(
        facts(&target("vllm", &[], &["sm120"]).fits(&founding)),
        ["vllm version"]
    );
    assert_eq!(
        facts(&target("", &[], &[]).fits(&founding)),
        ["gpu", "engine"]
    );
}

#[test]
fn what_a_release_brings_decides_rows_on_libraries() {
    let old = row(r#"on = { transformers = "<5" }"#);
    assert_eq!(target("vllm@0.13.0", &[], &[]).fits(&old), Truth::Yes);
    assert_eq!(target("vllm@0.24.0", &[], &[]).fits(&old), Truth::No);
    assert_eq!(
        facts(&target("vllm@0.20.0", &[], &[]).fits(&old)),
        ["transformers version"]
    );
    assert_eq!(
        target("vllm@0.20.0", &["transformers@4.57.1"], &[]).fits(&old),
        Truth::Yes
    );
    assert_eq!(target("llama.cpp@b4567", &[], &[]).fits(&old), Truth::No);
    let exact = row(r#"on = { compressed-tensors = ">=0.11,<0.13" }"#);
    assert_eq!(target("vllm@0.13.0", &[], &[]).fits(&exact), Truth::Yes);
}

#[test]
fn a_stretch_that_nobody_read_is_unknown() {
    let window = row(r#"on = { transformers = ">=5.2.0,<5.20.3" }
        maybe = { transformers = ">=5.20.3,<5.22.2" }"#);
    assert_eq!(
        target("transformers@5.3.0", &[], &[]).fits(&window),
        Truth::Yes
    );
    assert_eq!(
        facts(&target("transformers@5.21.0", &[], &[]).fits(&window)),
        ["transformers version"]
    );
    assert_eq!(
        target("transformers@5.24.0", &[], &[]).fits(&window),
        Truth::No
    );
}

#[test]
fn newer_than_the_catalogue_has_read() {
    assert_eq!(target("vllm@0.34.0", &[], &[]).unread().count(), 1);
    assert_eq!(target("vllm@0.33.0", &[], &[]).unread().count(), 0);
}

#[test]
fn flags_can_be_pasted() {
    let target = target("vllm@0.15.1", &["transformers@4.57.1"], &["sm120"]);
    assert_eq!(
        target.flags().join(" "),
        "--engine vllm@0.15.1 --with transformers@4.57.1 --gpu sm120"
    );
}
