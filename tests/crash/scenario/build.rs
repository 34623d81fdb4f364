//! The trees: each function makes one kind of model directory.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, lchown, symlink};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, XattrFlags};

use crate::Result;

/// The usual name of the model directory in a case.
const MODEL: &str = "model";

/// An empty folder in which a case is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case<'a>(pub(crate) &'a Path);

/// What the founding checkpoint has, in small: an MLA model with an FP8 KV cache asked for in both files, and a key that the suite's own fixes remove.
const CONFIG: &str = r#"{
  "architectures": ["KimiK25ForConditionalGeneration"],
  "dtype": "bfloat16",
  "legacy": true,
  "model_type": "kimi_k25",
  "quantization_config": {
    "quant_method": "modelopt",
    "quant_algo": "NVFP4",
    "kv_cache_scheme": {"dynamic": false, "num_bits": 8, "type": "float"},
    "producer": {"name": "modelopt", "version": "0.41.0"}
  },
  "text_config": {"model_type": "deepseek_v3", "kv_lora_rank": 512}
}
"#;
const SIDECAR: &str = r#"{"producer": {"name": "modelopt", "version": "0.41.0"}, "quantization": {"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8"}}
"#;
const POOLING: &str = "{\n  \"legacy\": 1,\n  \"word_embedding_dimension\": 384\n}\n";
const SNAPSHOT: &str = "models--org--name/snapshots/0123456789abcdef0123456789abcdef01234567";
const BLOB_1: &str = "1111111111111111111111111111111111111111";
const BLOB_2: &str = "2222222222222222222222222222222222222222";
const XET: &str = "3333333333333333333333333333333333333333333333333333333333333333";
/// `user:1001:rw-` beside the usual entries, as the kernel stores an ACL (version 2: tag, bits, id, little-endian).
const ACL: [u8; 44] = [
    2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255, 2, 0, 6, 0, 233, 3, 0, 0, 4, 0, 4, 0, 255, 255,
    255, 255, 16, 0, 6, 0, 255, 255, 255, 255, 32, 0, 4, 0, 255, 255, 255, 255,
];

impl Case<'_> {
    fn folder(&self, path: &str) -> Result<()> {
        Ok(fs::create_dir_all(self.0.join(path))?)
    }

    fn file(&self, path: &str, text: &str) -> Result<()> {
        let full = self.0.join(path);
        if let Some(parent) = full.parent() {
            fs::create_dir_all(parent)?;
        }
        Ok(fs::write(full, text)?)
    }

    fn link(&self, path: &str, text: &str) -> Result<()> {
        Ok(symlink(text, self.0.join(path))?)
    }

    fn mode(&self, path: &str, mode: u32) -> Result<()> {
        Ok(fs::set_permissions(
            self.0.join(path),
            fs::Permissions::from_mode(mode),
        )?)
    }

    fn attribute(&self, path: &str, name: &str, value: &[u8]) -> Result<()> {
        let path = self.0.join(path);
        rustix::fs::setxattr(&path, name, value, XattrFlags::empty())
            .map_err(|errno| format!("skipped: this file system takes no {name}: {errno}"))?;
        Ok(())
    }

    fn give_to(&self, path: &str, user: u32) -> Result<()> {
        let full = self.0.join(path);
        let skipped = |error| format!("skipped: this user gives no files away: {error}");
        for entry in fs::read_dir(&full)? {
            lchown(entry?.path(), Some(user), Some(user)).map_err(skipped)?;
        }
        Ok(chown(full, Some(user), Some(user)).map_err(skipped)?)
    }

    /// Gives every entry an old time with nanoseconds, so that a time that was not kept is seen.
    pub(crate) fn age(&self) -> Result<()> {
        age(self.0)
    }
}

fn age(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            age(&entry.path())?;
        }
        let time = Timespec {
            tv_sec: 1_700_000_000,
            tv_nsec: 123_456_789,
        };
        let times = Timestamps {
            last_access: time,
            last_modification: time,
        };
        rustix::fs::utimensat(CWD, entry.path(), &times, AtFlags::SYMLINK_NOFOLLOW)?;
    }
    Ok(())
}

pub(super) fn one_file(case: &Case<'_>) -> Result<&'static str> {
    case.file("model/config.json", CONFIG)?;
    case.file("model/model-00001-of-00001.safetensors", "")?;
    Ok(MODEL)
}

/// Eight keys that eight programs change.
pub(super) fn crowded(case: &Case<'_>) -> Result<&'static str> {
    let keys: Vec<String> = (0..8).map(|key| format!("  \"w{key}\": 0")).collect();
    let text = format!("{{\n{},\n  \"legacy\": true\n}}\n", keys.join(",\n"));
    case.file("model/config.json", &text)?;
    Ok(MODEL)
}

pub(super) fn two_files(case: &Case<'_>) -> Result<&'static str> {
    case.file("model/config.json", CONFIG)?;
    case.file("model/hf_quant_config.json", SIDECAR)?;
    case.mode("model/hf_quant_config.json", 0o640)?;
    Ok(MODEL)
}

pub(super) fn three_files(case: &Case<'_>) -> Result<&'static str> {
    two_files(case)?;
    case.file("model/1_Pooling/config.json", POOLING)?;
    Ok(MODEL)
}

pub(super) fn hub_links(case: &Case<'_>) -> Result<&'static str> {
    case.folder(SNAPSHOT)?;
    case.file(&format!("models--org--name/blobs/{BLOB_1}"), CONFIG)?;
    case.file(&format!("models--org--name/blobs/{BLOB_2}"), SIDECAR)?;
    case.link(
        &format!("{SNAPSHOT}/config.json"),
        &format!("../../blobs/{BLOB_1}"),
    )?;
    case.link(
        &format!("{SNAPSHOT}/hf_quant_config.json"),
        &format!("../../blobs/{BLOB_2}"),
    )?;
    Ok(SNAPSHOT)
}

pub(super) fn hub_shared(case: &Case<'_>) -> Result<&'static str> {
    case.folder(SNAPSHOT)?;
    case.folder("models--org--name/blobs")?;
    case.file(&format!("blobs/33/{XET}"), CONFIG)?;
    case.link(
        &format!("models--org--name/blobs/{BLOB_1}"),
        &format!("../../blobs/33/{XET}"),
    )?;
    case.link(
        &format!("{SNAPSHOT}/config.json"),
        &format!("../../blobs/{BLOB_1}"),
    )?;
    Ok(SNAPSHOT)
}

pub(super) fn link_and_file(case: &Case<'_>) -> Result<&'static str> {
    case.folder(SNAPSHOT)?;
    case.file(&format!("models--org--name/blobs/{BLOB_1}"), CONFIG)?;
    case.link(
        &format!("{SNAPSHOT}/config.json"),
        &format!("../../blobs/{BLOB_1}"),
    )?;
    case.file(&format!("{SNAPSHOT}/hf_quant_config.json"), SIDECAR)?;
    Ok(SNAPSHOT)
}

pub(super) fn local_dir(case: &Case<'_>) -> Result<&'static str> {
    one_file(case)?;
    let record = "0123456789abcdef0123456789abcdef01234567\n1111111111111111111111111111111111111111\n1700000001.0\n";
    case.file(
        "model/.cache/huggingface/download/config.json.metadata",
        record,
    )?;
    case.file("model/.cache/huggingface/.gitignore", "*")?;
    Ok(MODEL)
}

pub(super) fn hard_link(case: &Case<'_>) -> Result<&'static str> {
    one_file(case)?;
    fs::hard_link(
        case.0.join("model/config.json"),
        case.0.join("same-config.json"),
    )?;
    Ok(MODEL)
}

pub(super) fn owner(case: &Case<'_>) -> Result<&'static str> {
    one_file(case)?;
    case.give_to(MODEL, 1000)?;
    Ok(MODEL)
}

pub(super) fn group_shared(case: &Case<'_>) -> Result<&'static str> {
    one_file(case)?;
    case.give_to(MODEL, 1000)?;
    case.mode("model/config.json", 0o664)?;
    case.mode(MODEL, 0o2775)?;
    Ok(MODEL)
}

pub(super) fn attributes(case: &Case<'_>) -> Result<&'static str> {
    one_file(case)?;
    case.attribute("model/config.json", "user.origin", b"hand-made")?;
    case.attribute("model/config.json", "system.posix_acl_access", &ACL)?;
    Ok(MODEL)
}

pub(super) fn read_only_file(case: &Case<'_>) -> Result<&'static str> {
    one_file(case)?;
    case.mode("model/config.json", 0o400)?;
    Ok(MODEL)
}

pub(super) fn tokenizer(case: &Case<'_>) -> Result<&'static str> {
    one_file(case)?;
    let mut text = String::from(
        "{\n  \"version\": \"1.0\",\n  \"model\": {\n    \"type\": \"BPE\",\n    \"vocab\": {\n",
    );
    let tokens: Vec<String> = (0..280_000)
        .map(|id| format!("      \"token-{id:06}\": {id}"))
        .collect();
    text.push_str(&tokens.join(",\n"));
    text.push_str("\n    }\n  }\n}\n");
    case.file("model/tokenizer.json", &text)?;
    Ok(MODEL)
}
