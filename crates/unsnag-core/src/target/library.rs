//! The engines and libraries that a target can name, with the spellings people use.

use super::suggest::nearest;

/// An engine or a library below one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Library {
    name: &'static str,
}

/// Canonical name, then other spellings (package names, images, short forms).
const KNOWN: &[(&str, &[&str])] = &[
    ("vllm", &["vllm/vllm-openai", "vllm-openai", "v-llm"]),
    ("sglang", &["lmsysorg/sglang", "sgl", "sgl-project/sglang"]),
    (
        "tensorrt-llm",
        &[
            "tensorrt_llm",
            "trtllm",
            "trt-llm",
            "tensorrtllm",
            "nvcr.io/nvidia/tensorrt-llm/release",
        ],
    ),
    ("lmdeploy", &["openmmlab/lmdeploy"]),
    ("ktransformers", &["ktransformers-kernel"]),
    (
        "transformers",
        &["hf-transformers", "huggingface-transformers"],
    ),
    ("tokenizers", &[]),
    ("compressed-tensors", &["compressed_tensors"]),
    ("peft", &[]),
    ("sentence-transformers", &["sentence_transformers", "sbert"]),
    ("diffusers", &[]),
    ("mlx-lm", &["mlx_lm", "mlx"]),
    (
        "llama.cpp",
        &["llamacpp", "llama-cpp", "llama_cpp", "ggml-org/llama.cpp"],
    ),
    ("ollama", &["ollama/ollama"]),
    ("exllamav2", &["exllama", "exl2"]),
    ("gptqmodel", &["gptq-model"]),
    ("dynamo", &["ai-dynamo", "ai-dynamo-runtime"]),
    (
        "tgi",
        &[
            "text-generation-inference",
            "huggingface/text-generation-inference",
        ],
    ),
    (
        "transformers.js",
        &["transformersjs", "@huggingface/transformers"],
    ),
    ("mistral.rs", &["mistralrs", "mistral-rs"]),
];

impl Library {
    /// Looks a name up, in any of its spellings and any case.
    ///
    /// # Errors
    /// The nearest known name, where one is near.
    pub fn named(name: &str) -> Result<Self, Option<&'static str>> {
        let wanted = name.trim().to_lowercase();
        let registry_free = wanted.strip_prefix("docker.io/").unwrap_or(&wanted);
        KNOWN
            .iter()
            .find(|(known, aliases)| *known == registry_free || aliases.contains(&registry_free))
            .map(|(known, _)| Self { name: known })
            .ok_or_else(|| nearest(&wanted, Self::all().map(Self::name)))
    }

    /// The canonical name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Every known one.
    pub fn all() -> impl Iterator<Item = Self> {
        KNOWN.iter().map(|(name, _)| Self { name })
    }
}

impl std::fmt::Display for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        assert_eq!(Library::named("VLLM").unwrap().name(), "vllm");
        assert_eq!(Library::named("vllm/vllm-openai").unwrap().name(), "vllm");
        assert_eq!(
            Library::named("tensorrt_llm").unwrap().name(),
            "tensorrt-llm"
        );
        assert_eq!(Library::named("vlm"), Err(Some("vllm")));
        assert_eq!(Library::named("zzzzzzzzzz"), Err(None));
    }
}
