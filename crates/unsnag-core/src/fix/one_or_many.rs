//! One thing or a list of them, in TOML.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{SeqAccessDeserializer, StrDeserializer};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// One or several of a thing that is written as text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(untagged))]
pub enum OneOrMany<T> {
    /// A single one.
    One(T),
    /// A list.
    Many(Vec<T>),
}

impl<T> OneOrMany<T> {
    /// As a list.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }
}

/// By hand, since what serde derives says of a wrong value only that it is neither.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Either(PhantomData))
    }
}

struct Either<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Either<T> {
    type Value = OneOrMany<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a string or a list of strings")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        T::deserialize(StrDeserializer::new(text)).map(OneOrMany::One)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(OneOrMany::Many)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Vec<String>, String> {
        let found: Result<OneOrMany<String>, _> = serde_json::from_str(json);
        found
            .map(|found| found.as_slice().to_vec())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn one_and_many_are_lists() {
        assert_eq!(read(r#""a\n""#), Ok(vec!["a\n".to_owned()]));
        assert_eq!(read(r#"["a", "b"]"#), Ok(vec!["a".into(), "b".into()]));
        assert_eq!(read("[]"), Ok(vec![]));
    }

    #[test]
    fn anything_else_is_named() {
        let error = read("3").unwrap_err();
        assert!(
            error.starts_with("invalid type: integer `3`, expected a string or a list of strings"),
            "{error}"
        );
        let error = read(r#"["a", 3]"#).unwrap_err();
        assert!(
            error.starts_with("invalid type: integer `3`, expected a string"),
            "{error}"
        );
    }
}
