//! What a log says of the engine, the model and the GPU.

use crate::target::{Gpu, Library, Version};

/// Facts of a run, each the first that was said.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The engine.
    pub engine: Option<Library>,
    /// Its version.
    pub version: Option<Version>,
    /// Libraries that were named with a version.
    pub with: Vec<(Library, Version)>,
    /// The model's path or name.
    pub model: Option<String>,
    /// The architecture.
    pub architecture: Option<String>,
    /// The quantization.
    pub quantization: Option<String>,
    /// The KV cache's type.
    pub kv_cache: Option<String>,
    /// The GPU.
    pub gpu: Option<Gpu>,
    /// The engine's arguments as the log prints them.
    pub arguments: Option<String>,
}

impl Facts {
    /// Looks at a line.
    pub(super) fn take(&mut self, text: &str) {
        self.engine_of(text);
        let set = |place: &mut Option<String>, value: Option<&str>| {
            if place.is_none()
                && let Some(value) = value.filter(|value| !value.is_empty() && *value != "None")
            {
                *place = Some(value.to_owned());
            }
        };
        if text.contains("model") {
            let model = quoted(text, "model=")
                .or_else(|| quoted(text, "model_path="))
                .or_else(|| quoted(text, "'model': "))
                .or_else(|| quoted(text, "'model_tag': "));
            set(&mut self.model, model);
        }
        if text.contains("kv_cache_dtype") {
            set(&mut self.kv_cache, after(text, "kv_cache_dtype="));
        }
        if text.contains("rchitecture") {
            set(
                &mut self.architecture,
                after(text, "Resolved architecture: "),
            );
        }
        if text.contains("quantization=") {
            set(&mut self.quantization, after(text, "quantization="));
        }
        if text.contains("args") {
            set(
                &mut self.arguments,
                text.split_once("args: ").map(|(_, rest)| rest.trim()),
            );
        }
        self.gpu_of(text);
    }

    fn engine_of(&mut self, text: &str) {
        const BANNERS: [(&str, &str); 8] = [
            ("vLLM API server version ", "vllm"),
            ("vLLM server version ", "vllm"),
            ("LLM engine (v", "vllm"),
            ("TensorRT-LLM version: ", "tensorrt-llm"),
            ("TensorRT LLM version: ", "tensorrt-llm"),
            ("sglang version ", "sglang"),
            ("SGLang version: ", "sglang"),
            ("LMDeploy version ", "lmdeploy"),
        ];
        for (banner, name) in BANNERS {
            if let Some((_, rest)) = text.split_once(banner) {
                self.engine = self.engine.or(Library::named(name).ok());
                let word: String = rest
                    .chars()
                    .take_while(|c| c.is_ascii_alphanumeric() || ".+-_".contains(*c))
                    .collect();
                if self.version.is_none() {
                    self.version = word.trim_end_matches('.').parse().ok();
                }
            }
        }
        if self.engine.is_none() {
            let name = if text.contains("ServerArgs(") || text.contains("sglang/srt") {
                "sglang"
            } else if text.contains("[TRT-LLM]") || text.contains("tensorrt_llm/") {
                "tensorrt-llm"
            } else if text.contains("vllm/")
                || text.contains("vllm.")
                || text.contains("VllmConfig")
            {
                "vllm"
            } else if text.contains("llama_model_load") || text.contains("llama_model_loader") {
                "llama.cpp"
            } else {
                ""
            };
            self.engine = Library::named(name).ok();
        }
        if let Some((_, rest)) = text.split_once("Transformers version ")
            && let (Ok(library), Some(word)) = (
                Library::named("transformers"),
                rest.split_whitespace().next(),
            )
            && let Ok(version) = word.parse()
            && self.with.is_empty()
        {
            self.with.push((library, version));
        }
        if let Some((_, rest)) = text.split_once("build: ")
            && text.contains("with")
            && let Some(word) = rest.split_whitespace().next()
            && word.bytes().all(|byte| byte.is_ascii_digit())
            && word.len() >= 3
            && self
                .engine
                .is_none_or(|engine| engine.name() == "llama.cpp")
        {
            self.engine = Library::named("llama.cpp").ok();
            self.version = self
                .version
                .take()
                .or_else(|| format!("b{word}").parse().ok());
        }
    }

    fn gpu_of(&mut self, text: &str) {
        if self.gpu.is_some() {
            return;
        }
        if let Some((_, rest)) = text.split_once("DeviceCapability(major=") {
            let digits: Vec<u16> = rest
                .split(|c: char| !c.is_ascii_digit())
                .filter_map(|word| word.parse().ok())
                .take(2)
                .collect();
            if let [major, minor] = digits.as_slice() {
                self.gpu = Some(Gpu::Sm(major * 10 + minor));
                return;
            }
        }
        if let Some((_, rest)) = text.split_once("compute capability ") {
            let word: String = rest
                .chars()
                .take_while(|c| c.is_ascii_digit() || *c == '.')
                .collect();
            self.gpu = word.trim_end_matches('.').parse().ok();
            if self.gpu.is_some() {
                return;
            }
        }
        for mark in ["NVIDIA ", "GeForce ", "Tesla "] {
            if let Some(at) = text.find(mark) {
                let name: String = text
                    .get(at..)
                    .unwrap_or_default()
                    .chars()
                    .take(60)
                    .collect();
                let name = name
                    .split([',', '(', ';', ':', '|', '"', '\''])
                    .next()
                    .unwrap_or_default();
                self.gpu = name.parse().ok();
                return;
            }
        }
    }
}

/// The quoted word after a mark.
fn quoted<'t>(text: &'t str, mark: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(mark)?;
    let quote = rest.chars().next().filter(|c| "'\"".contains(*c))?;
    rest.get(1..)?.split(quote).next()
}

/// The word after a mark.
fn after<'t>(text: &'t str, mark: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(mark)?;
    rest.split([',', ' ', ')', '}'])
        .next()
        .map(|word| word.trim_matches(['\'', '"']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banners() {
        let mut facts = Facts::default();
        for line in [
            "vLLM API server version 0.15.1",
            "non-default args: {'model_tag': '/models/kimi', 'tensor_parallel_size': 8}",
            "Resolved architecture: KimiK25ForConditionalGeneration",
            "Initializing a V1 LLM engine (v0.15.1) with config: model='/models/kimi', quantization=modelopt_fp4, kv_cache_dtype=fp8_e4m3, device_config=cuda",
            "Device 0: NVIDIA RTX PRO 6000 Blackwell Server Edition, 95 GiB",
        ] {
            facts.take(line);
        }
        assert_eq!(facts.engine.unwrap().name(), "vllm");
        assert_eq!(facts.version.unwrap().as_str(), "0.15.1");
        assert_eq!(facts.model.as_deref(), Some("/models/kimi"));
        assert_eq!(
            facts.architecture.as_deref(),
            Some("KimiK25ForConditionalGeneration")
        );
        assert_eq!(facts.kv_cache.as_deref(), Some("fp8_e4m3"));
        assert_eq!(facts.gpu, Some(Gpu::Sm(120)));
    }
}
