//! A GPU by vendor and architecture, and the sets that a fix names.

use std::fmt;
use std::str::FromStr;

use super::gpu_names;
use super::suggest::nearest;

/// A GPU architecture: NVIDIA compute capability or AMD gfx name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gpu {
    /// NVIDIA, as ten times the compute capability: 12.0 is 120.
    Sm(u16),
    /// AMD, such as `gfx1100`. Never compared with a compute capability.
    Gfx(String),
}

/// The text names no GPU that is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{word}` is not a GPU that is known; expected smN (sm90, sm120), gfxN (gfx1100, gfx942), or a name such as {known}"
)]
pub struct GpuError {
    /// What was asked for.
    pub word: String,
    /// The nearest known name.
    pub near: Option<&'static str>,
    /// Some known names.
    pub known: String,
}

impl FromStr for Gpu {
    type Err = GpuError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let word = text.trim().to_lowercase();
        if let Some(gpu) = architecture(&word) {
            return Ok(gpu);
        }
        if let Some(sm) = gpu_names::lookup(&word) {
            return Ok(sm);
        }
        Err(GpuError {
            near: nearest(&word, gpu_names::names()),
            known: gpu_names::names().step_by(6).collect::<Vec<_>>().join(", "),
            word: text.to_owned(),
        })
    }
}

/// `sm120`, `sm_120`, `sm120a`, `12.0`, `gfx1100`.
fn architecture(word: &str) -> Option<Gpu> {
    if let Some(digits) = word.strip_prefix("gfx") {
        let valid =
            digits.len() >= 3 && digits.len() <= 5 && digits.chars().all(|c| c.is_ascii_hexdigit());
        return valid.then(|| Gpu::Gfx(word.to_owned()));
    }
    if let Some((major, minor)) = word.split_once('.') {
        let (major, minor): (u16, u16) = (major.parse().ok()?, minor.parse().ok()?);
        return (major < 100 && minor < 10).then(|| Gpu::Sm(major * 10 + minor));
    }
    let digits = word
        .strip_prefix("sm")?
        .trim_start_matches('_')
        .trim_end_matches(['a', 'f']);
    let number = digits.parse().ok().filter(|n| (10..1000).contains(n))?;
    digits
        .chars()
        .all(|c| c.is_ascii_digit())
        .then_some(Gpu::Sm(number))
}

impl fmt::Display for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sm(number) => write!(f, "sm{number}"),
            Self::Gfx(name) => f.write_str(name),
        }
    }
}

/// A set of GPUs as a fix writes it: `sm120`, `<sm89`, `>=sm90`, `sm120..sm121`, `gfx1100`, `gfx11*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GpuSet {
    /// NVIDIA from one compute capability to another, both included.
    Sm {
        /// The lowest in the set.
        from: u16,
        /// The highest in the set.
        to: u16,
    },
    /// AMD architectures that begin so; the whole name unless `prefix`.
    Gfx {
        /// The name, or its beginning.
        name: String,
        /// Whether longer names belong to the set.
        prefix: bool,
    },
}

impl GpuSet {
    /// Whether `gpu` is in the set.
    #[must_use]
    pub fn contains(&self, gpu: &Gpu) -> bool {
        match (self, gpu) {
            (Self::Sm { from, to }, Gpu::Sm(number)) => from <= number && number <= to,
            (Self::Gfx { name, prefix }, Gpu::Gfx(gfx)) => {
                gfx == name || (*prefix && gfx.starts_with(name.as_str()))
            }
            _ => false,
        }
    }
}

impl FromStr for GpuSet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || {
            format!(
                "`{text}` is not a set of GPUs; expected sm120, <sm89, >=sm90, sm120..sm121, gfx1100 or gfx11*"
            )
        };
        let sm = |word: &str| match architecture(word.trim()) {
            Some(Gpu::Sm(number)) => Ok(number),
            _ => Err(bad()),
        };
        if let Some(name) = text
            .strip_suffix('*')
            .filter(|name| name.starts_with("gfx"))
        {
            return Ok(Self::Gfx {
                name: name.to_owned(),
                prefix: true,
            });
        }
        if let Some((from, to)) = text.split_once("..") {
            return Ok(Self::Sm {
                from: sm(from)?,
                to: sm(to)?,
            });
        }
        let after = |prefix: &str| text.strip_prefix(prefix);
        if let Some(word) = after("<=") {
            Ok(Self::Sm {
                from: 0,
                to: sm(word)?,
            })
        } else if let Some(word) = after(">=") {
            Ok(Self::Sm {
                from: sm(word)?,
                to: u16::MAX,
            })
        } else if let Some(word) = after("<") {
            Ok(Self::Sm {
                from: 0,
                to: sm(word)?.saturating_sub(1),
            })
        } else if let Some(word) = after(">") {
            Ok(Self::Sm {
                from: sm(word)?.saturating_add(1),
                to: u16::MAX,
            })
        } else {
            match architecture(text).ok_or_else(bad)? {
                Gpu::Sm(number) => Ok(Self::Sm {
                    from: number,
                    to: number,
                }),
                Gpu::Gfx(name) => Ok(Self::Gfx {
                    name,
                    prefix: false,
                }),
            }
        }
    }
}

impl fmt::Display for GpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sm { from, to } if from == to => write!(f, "sm{from}"),
            Self::Sm { from: 0, to } => write!(f, "up to sm{to}"),
            Self::Sm { from, to: u16::MAX } => write!(f, "sm{from} and above"),
            Self::Sm { from, to } => write!(f, "sm{from} to sm{to}"),
            Self::Gfx { name, prefix } => write!(f, "{name}{}", if *prefix { "*" } else { "" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_and_names() {
        for (word, expected) in [
            ("sm120", Gpu::Sm(120)),
            ("SM_90a", Gpu::Sm(90)),
            ("12.0", Gpu::Sm(120)),
            ("8.6", Gpu::Sm(86)),
            ("gfx1100", Gpu::Gfx("gfx1100".into())),
            ("RTX PRO 6000", Gpu::Sm(120)),
            ("h100", Gpu::Sm(90)),
            ("A100", Gpu::Sm(80)),
            ("NVIDIA GeForce RTX 4090", Gpu::Sm(89)),
            ("NVIDIA RTX PRO 6000 Blackwell Server Edition", Gpu::Sm(120)),
            ("NVIDIA A100-SXM4-80GB", Gpu::Sm(80)),
        ] {
            assert_eq!(word.parse::<Gpu>().unwrap(), expected, "{word}");
        }
    }

    #[test]
    fn unknown_names_come_with_near_ones() {
        assert_eq!("h10".parse::<Gpu>().unwrap_err().near, Some("h100"));
        assert!("sm".parse::<Gpu>().is_err());
        assert!("smx".parse::<Gpu>().is_err());
        assert!("gfx".parse::<Gpu>().is_err());
    }

    #[test]
    fn a_gfx_name_is_no_compute_capability() {
        let below: GpuSet = "<sm89".parse().unwrap();
        let above: GpuSet = ">=sm90".parse().unwrap();
        let gfx1100 = Gpu::Gfx("gfx1100".into());
        assert!(!below.contains(&gfx1100) && !above.contains(&gfx1100));
        assert!("gfx11*".parse::<GpuSet>().unwrap().contains(&gfx1100));
        assert!(below.contains(&Gpu::Sm(86)) && !below.contains(&Gpu::Sm(89)));
    }
}
