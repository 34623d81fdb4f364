//! A place in a document: an RFC 6901 pointer pattern with wildcards and captures.

use json_splice::{Kind, Node, Pointer};

/// How deep `**` goes: no published config nests deeper than a handful of levels, and a hostile one must not cost the stack.
const DEEPEST: usize = 32;

/// A pointer pattern such as `<cfg:**>/quantization_config` or `/config_groups/*/weights`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    parts: Vec<Part>,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Key(String),
    One {
        of: Option<Vec<String>>,
        capture: Option<String>,
    },
    Any {
        capture: Option<String>,
    },
    Captured(String),
}

/// What captures stand for: names with the tokens they took.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Captures(Vec<(String, Vec<String>)>);

impl Captures {
    /// The tokens that a capture took.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[String]> {
        self.0
            .iter()
            .rev()
            .find(|(known, _)| known == name)
            .map(|(_, tokens)| tokens.as_slice())
    }

    /// With one more capture.
    #[must_use]
    pub fn with(&self, name: &str, tokens: Vec<String>) -> Self {
        let mut more = self.clone();
        more.0.push((name.to_owned(), tokens));
        more
    }

    /// Replaces `{name}` by what the capture took, for texts.
    #[must_use]
    pub fn fill(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, tokens)| {
            text.replace(&format!("{{{name}}}"), &tokens.join("/"))
        })
    }
}

/// A place that was found.
#[derive(Debug, Clone)]
pub struct Found<'d> {
    /// Where it is.
    pub pointer: Pointer,
    /// What the captures took on the way.
    pub captures: Captures,
    /// What stands there.
    pub node: Node<'d>,
}

impl Place {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        if !(text.is_empty() || text.starts_with(['/', '<', '*'])) {
            return Err(format!(
                "the place `{text}` must begin with `/` or a capture"
            ));
        }
        let parts = text.strip_prefix('/').unwrap_or(text);
        let parts = if text.is_empty() {
            Vec::new()
        } else {
            parts.split('/').map(part).collect::<Result<_, _>>()?
        };
        Ok(Self {
            parts,
            text: text.to_owned(),
        })
    }

    /// The pattern as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The names that the pattern captures.
    pub fn captures(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::One { capture, .. } | Part::Any { capture } => capture.as_deref(),
            Part::Key(_) | Part::Captured(_) => None,
        })
    }

    /// The captures that the pattern uses without making them.
    pub fn uses(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Captured(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The one pointer that it stands for; none where it has wildcards.
    #[must_use]
    pub fn pointer(&self, captures: &Captures) -> Option<Pointer> {
        let mut tokens: Vec<String> = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            match part {
                Part::Key(key) => tokens.push(key.clone()),
                Part::Captured(name) => tokens.extend(captures.get(name)?.iter().cloned()),
                Part::One { .. } | Part::Any { .. } => return None,
            }
        }
        Some(Pointer::from_tokens(tokens))
    }

    /// Every place in `root` that fits, in document order.
    #[must_use]
    pub fn find<'d>(&self, root: Node<'d>, captures: &Captures) -> Vec<Found<'d>> {
        let mut found = Vec::new();
        walk(&self.parts, root, &mut Vec::new(), captures, &mut found);
        found
    }
}

fn part(text: &str) -> Result<Part, String> {
    let alternatives = |text: &str| -> Option<Vec<String>> {
        let inner = text.strip_prefix('{')?.strip_suffix('}')?;
        Some(
            inner
                .split(',')
                .map(|alternative| unescape(alternative.trim()))
                .collect(),
        )
    };
    if let Some(inner) = text
        .strip_prefix('<')
        .and_then(|text| text.strip_suffix('>'))
    {
        return match inner.split_once(':') {
            None => Ok(Part::Captured(inner.to_owned())),
            Some((name, "*")) => Ok(Part::One {
                of: None,
                capture: Some(name.to_owned()),
            }),
            Some((name, "**")) => Ok(Part::Any {
                capture: Some(name.to_owned()),
            }),
            Some((name, set)) => match alternatives(set) {
                Some(of) => Ok(Part::One {
                    of: Some(of),
                    capture: Some(name.to_owned()),
                }),
                None => Err(format!(
                    "the capture `{text}` must be <name:*>, <name:**> or <name:{{a,b}}>"
                )),
            },
        };
    }
    Ok(match text {
        "*" => Part::One {
            of: None,
            capture: None,
        },
        "**" => Part::Any { capture: None },
        _ => alternatives(text).map_or_else(
            || Part::Key(unescape(text)),
            |of| Part::One {
                of: Some(of),
                capture: None,
            },
        ),
    })
}

fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

fn walk<'d>(
    parts: &[Part],
    node: Node<'d>,
    path: &mut Vec<String>,
    captures: &Captures,
    found: &mut Vec<Found<'d>>,
) {
    let Some((part, rest)) = parts.split_first() else {
        found.push(Found {
            pointer: Pointer::from_tokens(path.iter().cloned()),
            captures: captures.clone(),
            node,
        });
        return;
    };
    match part {
        Part::Key(key) => descend(node, key, rest, path, captures, found),
        Part::Captured(name) => {
            let Some(tokens) = captures.get(name) else {
                return;
            };
            let keys: Vec<Part> = tokens
                .iter()
                .cloned()
                .map(Part::Key)
                .chain(rest.iter().cloned())
                .collect();
            walk(&keys, node, path, captures, found);
        }
        Part::One {
            of: Some(keys),
            capture,
        } => {
            for key in keys {
                let captures = captured(captures, capture.as_deref(), || vec![key.clone()]);
                descend(node, key, rest, path, &captures, found);
            }
        }
        Part::One { of: None, capture } => {
            for (token, child) in children(node, |_| true) {
                let captures = captured(captures, capture.as_deref(), || vec![token.clone()]);
                path.push(token);
                walk(rest, child, path, &captures, found);
                path.pop();
            }
        }
        Part::Any { capture } => {
            let from = path.len();
            deep(rest, capture.as_deref(), node, from, path, captures, found);
        }
    }
}

/// `**`: here, then below; not into quantization configs, which have places of their own, nor into arrays of scalars.
fn deep<'d>(
    rest: &[Part],
    capture: Option<&str>,
    node: Node<'d>,
    from: usize,
    path: &mut Vec<String>,
    captures: &Captures,
    found: &mut Vec<Found<'d>>,
) {
    let here = captured(captures, capture, || {
        path.get(from..).unwrap_or_default().to_vec()
    });
    walk(rest, node, path, &here, found);
    if path.len() >= DEEPEST {
        return;
    }
    for (token, child) in children(node, is_container) {
        if token != "quantization_config" {
            path.push(token);
            deep(rest, capture, child, from, path, captures, found);
            path.pop();
        }
    }
}

fn captured(
    captures: &Captures,
    name: Option<&str>,
    tokens: impl FnOnce() -> Vec<String>,
) -> Captures {
    name.map_or_else(|| captures.clone(), |name| captures.with(name, tokens()))
}

fn descend<'d>(
    node: Node<'d>,
    key: &str,
    rest: &[Part],
    path: &mut Vec<String>,
    captures: &Captures,
    found: &mut Vec<Found<'d>>,
) {
    if let Some(child) = child(node, key) {
        path.push(key.to_owned());
        walk(rest, child, path, captures, found);
        path.pop();
    }
}

fn child<'d>(node: Node<'d>, token: &str) -> Option<Node<'d>> {
    match node.kind() {
        Kind::Object => node.get(token),
        Kind::Array => token.parse().ok().and_then(|index| node.element(index)),
        _ => None,
    }
}

/// What stands in it with its tokens; only what is kept gets one.
fn children(node: Node<'_>, keep: fn(Node<'_>) -> bool) -> Vec<(String, Node<'_>)> {
    match node.kind() {
        Kind::Object => node
            .members()
            .filter(|member| keep(member.value()))
            .map(|member| (member.name().into_owned(), member.value()))
            .collect(),
        Kind::Array => node
            .elements()
            .enumerate()
            .filter(|(_, value)| keep(*value))
            .map(|(index, value)| (index.to_string(), value))
            .collect(),
        _ => Vec::new(),
    }
}

fn is_container(node: Node<'_>) -> bool {
    matches!(node.kind(), Kind::Object | Kind::Array)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &[u8] =
        br#"{"rope": 1, "text_config": {"rope": 2, "quantization_config": {"rope": 3}},
        "groups": {"a": {"weights": 1}, "b": {"weights": 2}}, "list": [{"x": 1}, {"x": 2}]}"#;

    fn found(place: &str) -> Vec<String> {
        let document = json_splice::Document::parse(CONFIG).unwrap();
        Place::parse(place)
            .unwrap()
            .find(document.root(), &Captures::default())
            .into_iter()
            .map(|found| format!("{}={}", found.pointer, found.node.literal()))
            .collect()
    }

    #[test]
    fn wildcards() {
        assert_eq!(
            found("/groups/*/weights"),
            ["/groups/a/weights=1", "/groups/b/weights=2"]
        );
        assert_eq!(found("<cfg:**>/rope"), ["/rope=1", "/text_config/rope=2"]);
        assert_eq!(
            found("/text_config/quantization_config/rope"),
            ["/text_config/quantization_config/rope=3"]
        );
        assert_eq!(found("/{rope,list}/0/x"), ["/list/0/x=1"]);
        assert_eq!(found("/list/*/x"), ["/list/0/x=1", "/list/1/x=2"]);
        assert_eq!(found("/absent"), [""; 0]);
    }

    #[test]
    fn captures_are_used_in_other_places() {
        let document = json_splice::Document::parse(CONFIG).unwrap();
        let first = Place::parse("<cfg:**>/quantization_config").unwrap();
        let captures = first
            .find(document.root(), &Captures::default())
            .remove(0)
            .captures;
        let second = Place::parse("<cfg>/rope_theta").unwrap();
        assert_eq!(
            second.pointer(&captures).unwrap().to_string(),
            "/text_config/rope_theta"
        );
        assert_eq!(captures.fill("in {cfg}"), "in text_config");
    }

    #[test]
    fn refuses_malformed() {
        assert!(Place::parse("rope").is_err());
        assert!(Place::parse("/<cfg:oops>").is_err());
    }
}
