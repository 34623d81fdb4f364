//! Names with `*` and `?`, as fixes and exclude lists write them; matched in linear time, nothing compiled.

use serde::Deserialize;

/// A pattern in which `*` stands for any text and `?` for one character.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
pub struct Glob {
    pattern: String,
    /// A `*` and plain text after it: by far the most, and asked of every tensor.
    is_end: bool,
}

impl From<String> for Glob {
    fn from(pattern: String) -> Self {
        let end = pattern.strip_prefix('*');
        let is_end = end.is_some_and(|end| !end.contains(['*', '?']));
        Self { pattern, is_end }
    }
}

impl Glob {
    /// Takes the pattern as it is written.
    #[must_use]
    pub fn new(pattern: impl Into<String>) -> Self {
        pattern.into().into()
    }

    /// The pattern.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.pattern
    }

    /// Whether the whole text fits.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let pattern = self.pattern.as_bytes();
        if self.is_end {
            return text
                .as_bytes()
                .ends_with(pattern.get(1..).unwrap_or_default());
        }
        wildcard(pattern, text.as_bytes())
    }
}

/// Greedy matching with one point to go back to: linear in practice, quadratic at worst.
fn wildcard(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while let Some(byte) = text.get(t) {
        match pattern.get(p) {
            Some(b'*') => {
                back = Some((p, t));
                p += 1;
            }
            Some(b'?') => {
                p += 1;
                t += 1;
                while text.get(t).is_some_and(|byte| byte & 0xC0 == 0x80) {
                    t += 1;
                }
            }
            Some(expected) if expected == byte => {
                p += 1;
                t += 1;
            }
            _ => match back {
                Some((star, from)) => {
                    back = Some((star, from + 1));
                    p = star + 1;
                    t = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern
        .get(p..)
        .is_none_or(|rest| rest.iter().all(|byte| *byte == b'*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, text, expected) in [
            ("*.weight", "model.layers.0.weight", true),
            ("*.weight", "model.weight_scale", false),
            ("model.layers.*.mlp.gate", "model.layers.12.mlp.gate", true),
            ("a*b*c", "aXbXbc", true),
            ("a*b*c", "aXbXb", false),
            (
                "consolidated*.safetensors",
                "consolidated.safetensors",
                true,
            ),
            ("?é?", "aéb", true),
            ("?", "é", true),
            ("", "", true),
            ("", "x", false),
            ("**", "anything", true),
        ] {
            assert_eq!(
                Glob::new(pattern).matches(text),
                expected,
                "{pattern} on {text}"
            );
        }
    }
}
