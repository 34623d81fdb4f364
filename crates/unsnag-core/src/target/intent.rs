//! What a person wants beyond serving the model; it decides between cures.

use std::fmt;
use std::str::FromStr;

/// A wish that changes which edit is right. One that is not named counts as not wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Intent {
    /// Speculative decoding with the checkpoint's own multi-token-prediction layers.
    Mtp,
    /// Serving adapters.
    Lora,
    /// Loading only the language part of a multimodal model.
    TextOnly,
    /// A KV cache in 16 bit.
    Bf16Kv,
    /// Contexts beyond the trained length.
    LongContext,
}

impl Intent {
    /// Every intent, in the order of their names.
    pub const ALL: [Self; 5] = [
        Self::Mtp,
        Self::Lora,
        Self::TextOnly,
        Self::Bf16Kv,
        Self::LongContext,
    ];

    /// The name on the command line and in fix files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mtp => "mtp",
            Self::Lora => "lora",
            Self::TextOnly => "text-only",
            Self::Bf16Kv => "bf16-kv",
            Self::LongContext => "long-context",
        }
    }
}

impl FromStr for Intent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|intent| intent.name() == text)
            .ok_or_else(|| {
                format!(
                    "`{text}` is not an intent; expected one of {}",
                    Self::ALL.map(Self::name).join(", ")
                )
            })
    }
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
