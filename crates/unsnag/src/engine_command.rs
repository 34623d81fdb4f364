//! What an engine's own command line says: which engine, and what is wanted of it.

use unsnag_core::target::{Intent, Library};

/// The engine that a command line starts.
pub fn engine(words: &[String]) -> Option<Library> {
    let has = |word: &str| {
        words
            .iter()
            .any(|given| given == word || given.ends_with(&format!("/{word}")))
    };
    let starts = |prefix: &str| words.iter().any(|given| given.starts_with(prefix));
    let name = if has("trtllm-serve") || starts("tensorrt_llm") {
        "tensorrt-llm"
    } else if starts("sglang") {
        "sglang"
    } else if has("vllm") || starts("vllm.") {
        "vllm"
    } else if has("lmdeploy") {
        "lmdeploy"
    } else if has("llama-server") || has("llama-cli") {
        "llama.cpp"
    } else if starts("mlx_lm") {
        "mlx-lm"
    } else {
        return None;
    };
    Library::named(name).ok()
}

/// What the flags ask for.
pub fn intents(words: &[String]) -> Vec<Intent> {
    let mut intents = Vec::new();
    let mut words = words.iter().map(String::as_str).peekable();
    while let Some(word) = words.next() {
        let (flag, inline) = word
            .split_once('=')
            .map_or((word, None), |(flag, value)| (flag, Some(value)));
        let value = inline.or_else(|| words.peek().copied()).unwrap_or_default();
        let value = value.to_lowercase();
        match flag {
            "--speculative-config" | "--speculative-algorithm" | "--speculative_config"
                if ["mtp", "nextn", "eagle"]
                    .iter()
                    .any(|method| value.contains(method)) =>
            {
                intents.push(Intent::Mtp);
            }
            "--enable-lora" | "--lora-modules" | "--lora-paths" => intents.push(Intent::Lora),
            "--language-model-only" => intents.push(Intent::TextOnly),
            "--kv-cache-dtype" | "--kv_cache_dtype"
                if ["bf16", "bfloat16"].contains(&value.as_str()) =>
            {
                intents.push(Intent::Bf16Kv)
            }
            _ => {}
        }
    }
    intents
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn engines() {
        for (command, expected) in [
            ("vllm serve /m --kv-cache-dtype bfloat16", Some("vllm")),
            (
                "python -m vllm.entrypoints.openai.api_server --model /m",
                Some("vllm"),
            ),
            (
                "python3 -m sglang.launch_server --model-path /m",
                Some("sglang"),
            ),
            ("trtllm-serve /m", Some("tensorrt-llm")),
            ("/usr/local/bin/vllm serve m", Some("vllm")),
            ("echo hello", None),
        ] {
            assert_eq!(
                engine(&words(command)).map(Library::name),
                expected,
                "{command}"
            );
        }
    }

    #[test]
    fn wishes() {
        assert_eq!(
            intents(&words(
                r#"vllm serve m --speculative-config {"method":"mtp"}"#
            )),
            [Intent::Mtp]
        );
        assert_eq!(
            intents(&words(
                "vllm serve m --kv-cache-dtype=bfloat16 --enable-lora"
            )),
            [Intent::Bf16Kv, Intent::Lora]
        );
        assert_eq!(intents(&words("vllm serve m --kv-cache-dtype auto")), []);
    }
}
