//! A cure that is no edit: an upgrade, an engine's flag, quantizing again.

use super::file::InsteadFile;
use crate::rule::Truth;
use crate::target::{Library, Range, Target, Version};

/// What a person can do instead of an edit.
#[derive(Debug, Clone)]
pub enum Instead {
    /// The first release that needs no cure.
    Upgrade {
        /// Which engine or library.
        library: Library,
        /// From which release on.
        version: Version,
        /// What it keeps or costs.
        note: String,
    },
    /// An engine's flag.
    Flag {
        /// The flag with its value.
        flag: String,
        /// Where it exists.
        on: Vec<(Library, Range)>,
        /// What it keeps or costs.
        note: String,
    },
    /// Quantizing again.
    Requantize(String),
    /// Anything else.
    Note(String),
}

impl Instead {
    /// Whether it is open to this target.
    #[must_use]
    pub fn fits(&self, target: &Target) -> Truth {
        match self {
            Self::Upgrade { library, .. } => Truth::from(
                target.engines().is_empty()
                    || target
                        .engines()
                        .iter()
                        .chain(
                            &target
                                .with()
                                .iter()
                                .map(|(l, v)| (*l, Some(v.clone())))
                                .collect::<Vec<_>>(),
                        )
                        .any(|(engine, _)| engine == library)
                    || !target.runs(*library, &any()).is_no(),
            ),
            Self::Flag { on, .. } if on.is_empty() => Truth::Yes,
            Self::Flag { on, .. } => Truth::any(
                on.iter()
                    .map(|(library, range)| target.runs(*library, range)),
            ),
            Self::Requantize(_) | Self::Note(_) => Truth::Yes,
        }
    }

    /// Whether the engine's own arguments already hold this flag.
    #[must_use]
    pub fn is_given(&self, target: &Target) -> bool {
        let Self::Flag { flag, .. } = self else {
            return false;
        };
        let wanted: Vec<&str> = flag.split_whitespace().collect();
        let given: Vec<String> = target
            .arguments()
            .iter()
            .flat_map(|argument| {
                argument
                    .splitn(2, '=')
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            })
            .collect();
        !wanted.is_empty()
            && given
                .windows(wanted.len())
                .any(|window| window.iter().zip(&wanted).all(|(a, b)| a == b))
    }
}

fn any() -> Range {
    "*".parse()
        .unwrap_or_else(|_| unreachable!("`*` is a range"))
}

impl TryFrom<&InsteadFile> for Instead {
    type Error = String;

    fn try_from(file: &InsteadFile) -> Result<Self, String> {
        let library = |name: &String| {
            Library::named(name)
                .map_err(|_| format!("`{name}` is not an engine or library that is known"))
        };
        let note = file.note.clone().unwrap_or_default();
        match (&file.upgrade, &file.flag, &file.requantize) {
            (Some(upgrade), None, None) => {
                let mut upgrades = upgrade.iter();
                let (Some((name, version)), None) = (upgrades.next(), upgrades.next()) else {
                    return Err("`upgrade` names one engine or library".to_owned());
                };
                let version = version
                    .parse()
                    .map_err(|error: crate::target::VersionError| error.to_string())?;
                Ok(Self::Upgrade {
                    library: library(name)?,
                    version,
                    note,
                })
            }
            (None, Some(flag), None) => {
                let mut on = Vec::new();
                for (name, range) in &file.on {
                    on.push((
                        library(name)?,
                        range
                            .parse()
                            .map_err(|error: crate::target::RangeError| error.to_string())?,
                    ));
                }
                Ok(Self::Flag {
                    flag: flag.clone(),
                    on,
                    note,
                })
            }
            (None, None, Some(how)) => Ok(Self::Requantize(how.clone())),
            (None, None, None) if !note.is_empty() => Ok(Self::Note(note)),
            _ => Err("expected one of upgrade, flag, requantize, note".to_owned()),
        }
    }
}
