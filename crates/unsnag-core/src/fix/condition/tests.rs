use super::*;

fn compile(toml: &str) -> Result<Condition, String> {
    let file: ConditionFile = toml::from_str(toml).map_err(|error| error.to_string())?;
    Condition::try_from(&file)
}

#[test]
fn forms_of_the_format() {
    for form in [
        r#"at = "/a"
           is = "missing""#,
        r#"at = ["/a", "/b"]
           equals = ['"fp8"', "1"]"#,
        r#"at = "/a"
           length = { more-than = "/num_hidden_layers" }"#,
        r#"at = "/a"
           value = { unequal-to = { file = "generation_config.json", at = "/eos_token_id" } }"#,
        r#"at = "/a"
           value = "> 9223372036854775807""#,
        r#"tensors = ["*.weight"]
           dtype = "BF16""#,
        r#"no-tensors = "*.absmax""#,
        r#"file = "chat_template.jinja"
           text = "*<|im_end|>*""#,
        r#"file = "config.json"
           state = "missing""#,
        r#"intent = "mtp""#,
        r#"any = [{ at = "/a", is = "null" }, { not = { files = "params.json" } }]"#,
        r#"target = [{ on = { vllm = "*" } }]"#,
    ] {
        assert!(compile(form).is_ok(), "{form}: {:?}", compile(form));
    }
}

#[test]
fn says_what_is_wrong() {
    for (form, part) in [
        ("at = \"/a\"", "needs one of"),
        ("is = \"null\"", "needs `at`"),
        ("at = \"/a\"\nis = \"null\"\nequals = \"1\"", "needs one of"),
        ("at = \"/a\"\nequals = \"fp8\"", "not JSON text"),
        ("intent = \"speed\"", "not an intent"),
        ("dtype = \"BF16\"", "need `tensors`"),
        ("colour = 1", "unknown field"),
        ("", "empty"),
        ("at = \"/a\"\nvalue = \"~ 3\"", "not JSON text"),
    ] {
        let error = compile(form).unwrap_err();
        assert!(error.contains(part), "{form}: {error}");
    }
}
