//! RFC 6901 pointers.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// An RFC 6901 JSON pointer: the tokens that lead from the root to a value.
///
/// ```
/// use json_splice::Pointer;
///
/// let pointer: Pointer = "/weight_map/a~1b".parse()?;
/// assert_eq!(pointer.tokens(), ["weight_map", "a/b"]);
/// assert_eq!(pointer.to_string(), "/weight_map/a~1b");
/// # Ok::<(), json_splice::PointerError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Pointer {
    tokens: Vec<String>,
}

/// Why a text is not an RFC 6901 pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointerError {
    /// A pointer is empty or starts with `/`.
    NoLeadingSlash,
    /// `~` at this offset (in bytes) is followed by neither `0` nor `1`.
    BadEscape {
        /// Where the `~` stands.
        offset: usize,
    },
}

impl Pointer {
    /// The pointer to the whole document, written as the empty string.
    pub fn root() -> Pointer {
        Pointer::default()
    }

    /// A pointer from unescaped tokens.
    pub fn from_tokens<I>(tokens: I) -> Pointer
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        Pointer {
            tokens: tokens.into_iter().map(Into::into).collect(),
        }
    }

    /// The tokens, unescaped, from the root down.
    pub fn tokens(&self) -> &[String] {
        &self.tokens
    }

    /// Whether this is the pointer to the whole document.
    pub fn is_root(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Adds one unescaped token.
    pub fn push(&mut self, token: impl Into<String>) {
        self.tokens.push(token.into());
    }

    /// This pointer with one more unescaped token.
    #[must_use]
    pub fn join(&self, token: impl Into<String>) -> Pointer {
        let mut joined = self.clone();
        joined.push(token);
        joined
    }

    /// The pointer to what holds this place; `None` for the root.
    pub fn parent(&self) -> Option<Pointer> {
        let (_, init) = self.tokens.split_last()?;
        Some(Pointer::from_tokens(init))
    }

    /// The last token; `None` for the root.
    pub fn last(&self) -> Option<&str> {
        self.tokens.last().map(String::as_str)
    }

    /// Whether `other` is this place or one below it.
    pub fn is_prefix_of(&self, other: &Pointer) -> bool {
        other.tokens.starts_with(&self.tokens)
    }
}

/// The array index that a token spells: digits without leading zeros (RFC 6901 section 4).
pub(crate) fn array_index(token: &str) -> Option<usize> {
    let canonical = token == "0"
        || (!token.is_empty()
            && !token.starts_with('0')
            && token.bytes().all(|b| b.is_ascii_digit()));
    if canonical { token.parse().ok() } else { None }
}

impl FromStr for Pointer {
    type Err = PointerError;

    fn from_str(text: &str) -> Result<Pointer, PointerError> {
        if text.is_empty() {
            return Ok(Pointer::root());
        }
        let Some(rest) = text.strip_prefix('/') else {
            return Err(PointerError::NoLeadingSlash);
        };
        let mut tokens = vec![String::new()];
        let mut characters = rest.char_indices();
        while let Some((at, c)) = characters.next() {
            let plain = match c {
                '/' => {
                    tokens.push(String::new());
                    continue;
                }
                '~' => match characters.next() {
                    Some((_, '0')) => '~',
                    Some((_, '1')) => '/',
                    _ => return Err(PointerError::BadEscape { offset: at + 1 }),
                },
                other => other,
            };
            if let Some(token) = tokens.last_mut() {
                token.push(plain);
            }
        }
        Ok(Pointer { tokens })
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for token in &self.tokens {
            write!(f, "/{}", token.replace('~', "~0").replace('/', "~1"))?;
        }
        Ok(())
    }
}

impl fmt::Display for PointerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PointerError::NoLeadingSlash => {
                f.write_str("a JSON pointer is empty or starts with '/'")
            }
            PointerError::BadEscape { offset } => write!(
                f,
                "'~' at byte {offset} of the pointer: write '~0' for '~' and '~1' for '/'"
            ),
        }
    }
}

impl Error for PointerError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_the_rfc_6901_examples() {
        // RFC 6901 section 5
        let cases: [(&str, &[&str]); 7] = [
            ("", &[]),
            ("/foo/0", &["foo", "0"]),
            ("/", &[""]),
            ("/a~1b", &["a/b"]),
            ("/c%d", &["c%d"]),
            ("/m~0n", &["m~n"]),
            ("/~01", &["~1"]),
        ];
        for (text, tokens) in cases {
            let pointer: Pointer = text.parse().unwrap();
            assert_eq!(pointer.tokens(), tokens);
            assert_eq!(pointer.to_string(), text);
        }
    }

    #[test]
    fn bad_pointers_are_refused() {
        assert_eq!("a".parse::<Pointer>(), Err(PointerError::NoLeadingSlash));
        assert_eq!(
            "/a/~2".parse::<Pointer>(),
            Err(PointerError::BadEscape { offset: 3 })
        );
        assert_eq!(
            "/~".parse::<Pointer>(),
            Err(PointerError::BadEscape { offset: 1 })
        );
    }

    #[test]
    fn indices_have_no_leading_zeros_or_signs() {
        assert_eq!(array_index("10"), Some(10));
        assert_eq!(array_index("0"), Some(0));
        for bad in ["", "00", "01", "-1", "+1", "1e0", "-", " 1"] {
            assert_eq!(array_index(bad), None, "{bad}");
        }
    }
}
