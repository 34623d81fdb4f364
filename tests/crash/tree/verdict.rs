//! Whether a tree is exactly what it was before, exactly what it should be after, or something worse.

use std::fmt;

use super::{Body, Tree};

/// The name of the state folder.
const STATE: &str = ".unsnag";
/// Files of the state folder that hold the time of the operation, so that two runs never agree.
const DATED: [&str; 2] = ["state", "twin"];

/// Both states that may be left, from the fixture and from a run that nothing broke.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    pub(crate) before: Tree,
    pub(crate) after: Tree,
    /// A third one whose files may be met on the way: what a recovery begins with.
    pub(crate) on_the_way: Tree,
    /// Whether the state after has the times of the reference run, as originals that came back have.
    pub(crate) timed: bool,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Exactly the state before, times included.
    Before,
    /// Exactly the state after.
    After,
    /// One of both, with entries that should not be there, or without state that should.
    Litter(String),
    /// Each file is its old or its new version, mixed.
    Half(String),
    /// A file is neither version.
    Torn(String),
    /// The contents are right; mode, owner, time, link count or attributes are not.
    Meta(String),
}

impl Verdict {
    /// Whether the state is one of the two.
    pub(crate) fn is_good(&self) -> bool {
        matches!(self, Self::Before | Self::After)
    }

    /// The word for it in the counts.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
            Self::Litter(_) => "litter",
            Self::Half(_) => "half",
            Self::Torn(_) => "torn",
            Self::Meta(_) => "meta",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            Self::Before | Self::After => Ok(()),
            Self::Litter(why) | Self::Half(why) | Self::Torn(why) | Self::Meta(why) => {
                write!(f, " ({why})")
            }
        }
    }
}

/// Whether a path lies in a state folder, or is one.
fn is_state(path: &str) -> bool {
    // A twin in the making stands beside its place, under a name of its own.
    let making = |part: &str| {
        part.starts_with('.') && (part.ends_with(".unsnag-new") || part.ends_with(".unsnag-old"))
    };
    path.split('/').any(|part| part == STATE || making(part))
}

/// Whether a path is the space that a state folder sets aside: it holds nothing, and a full disk uses it up.
fn is_reserve(path: &str, want: &Tree) -> bool {
    let folder = path
        .strip_suffix("/reserve")
        .filter(|folder| is_state(folder));
    folder.is_some_and(|folder| want.get(folder).is_some())
}

fn is_dated(path: &str) -> bool {
    is_state(path)
        && path
            .rsplit('/')
            .next()
            .is_some_and(|name| DATED.contains(&name))
}

impl Expected {
    fn paths<'a>(&'a self, now: &'a Tree) -> impl Iterator<Item = &'a String> {
        let mut paths: Vec<&String> = self.before.0.keys().collect();
        paths.extend(self.after.0.keys());
        paths.extend(now.0.keys());
        paths.sort();
        paths.dedup();
        paths.into_iter()
    }

    /// Judges a tree.
    pub(crate) fn judge(&self, now: &Tree) -> Verdict {
        let same_files = |want: &Tree| {
            self.paths(now)
                .filter(|path| !is_state(path))
                .all(|path| now.body(path) == want.body(path))
        };
        // A step that changes nothing but the state folder (a twin's first entry, `forget`) is told apart by it.
        let before = same_files(&self.before).then(|| self.exactly(now, &self.before, true));
        let after = same_files(&self.after).then(|| self.exactly(now, &self.after, false));
        match (before, after) {
            (Some(Verdict::Before), _) => Verdict::Before,
            (_, Some(Verdict::After)) => Verdict::After,
            (Some(worse), _) | (None, Some(worse)) => worse,
            (None, None) => self.worse(now),
        }
    }

    fn exactly(&self, now: &Tree, want: &Tree, is_before: bool) -> Verdict {
        let name = if is_before { "before" } else { "after" };
        for path in self.paths(now) {
            let (is, wanted) = (now.get(path), want.get(path));
            if is_reserve(path, want) {
                continue;
            }
            match (is, wanted) {
                (Some(_), None) => return Verdict::Litter(format!("{name}, and {path}")),
                (None, Some(_)) => return Verdict::Litter(format!("{name}, without {path}")),
                (Some(is), Some(wanted)) => {
                    let dated = !is_before && is_dated(path);
                    let kept = self.before.get(path).map(|entry| entry.mtime) == Some(wanted.mtime);
                    let same = if dated {
                        (is.mode, is.uid, is.gid) == (wanted.mode, wanted.uid, wanted.gid)
                    } else if is_before || ((kept || self.timed) && !is_state(path)) {
                        is == wanted
                    } else {
                        is.is_like(wanted)
                    };
                    if !same {
                        let what = is.difference(wanted);
                        return Verdict::Meta(format!("{name}, but {path}: {what}"));
                    }
                }
                (None, None) => {}
            }
        }
        if is_before {
            Verdict::Before
        } else {
            Verdict::After
        }
    }

    fn worse(&self, now: &Tree) -> Verdict {
        if let Some(torn) = self.torn(now, &|_| false) {
            return Verdict::Torn(torn);
        }
        let done: Vec<&str> = self
            .paths(now)
            .filter(|path| !is_state(path) && self.before.body(path) != self.after.body(path))
            .filter(|path| now.body(path) == self.after.body(path))
            .map(String::as_str)
            .collect();
        Verdict::Half(format!("only {} done", done.join(", ")))
    }

    /// The first file that is neither its old nor its new version, where there is one.
    pub(crate) fn torn(&self, now: &Tree, but: &dyn Fn(&str) -> bool) -> Option<String> {
        let bad = self.paths(now).find(|path| {
            let body = now.body(path);
            !is_state(path)
                && !but(path)
                && body != self.before.body(path)
                && body != self.after.body(path)
                && (self.on_the_way.0.is_empty() || body != self.on_the_way.body(path))
        })?;
        Some(match now.body(bad) {
            None => format!("{bad} is missing"),
            Some(Body::File(0, _)) => format!("{bad} is empty"),
            Some(_) if self.before.get(bad).is_none() && self.after.get(bad).is_none() => {
                format!("{bad} should not be there")
            }
            Some(_) => format!("{bad} is neither version"),
        })
    }

    /// Whether some file is already the new version and some other still the old one.
    pub(crate) fn is_half(&self, now: &Tree) -> bool {
        let changing = || {
            self.paths(now)
                .filter(|path| !is_state(path) && self.before.body(path) != self.after.body(path))
        };
        changing().any(|path| now.body(path) == self.after.body(path))
            && changing().any(|path| now.body(path) != self.after.body(path))
    }
}

/// Whether an operation waits: its journal is there.
pub(crate) fn is_pending(tree: &Tree) -> bool {
    let waits = |path: &String| is_state(path) && path.ends_with(&format!("{STATE}/journal"));
    tree.0.keys().any(waits)
}

/// Whether any state folder is there.
pub(crate) fn has_state(tree: &Tree) -> bool {
    tree.0.keys().any(|path| is_state(path))
}
