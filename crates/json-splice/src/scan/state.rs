//! The states of the grammar.

use super::nest::Nest;

/// Where in the grammar the next byte stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// The very start: a byte order mark may come.
    Start,
    /// A value must come.
    Value,
    /// After `[`: a value or `]`.
    FirstElement,
    /// After `{`: a name or `}`.
    FirstName,
    /// After `,` in an object: a name.
    Name,
    /// After a name.
    Colon,
    /// After a value in a container: `,` or the closing bracket.
    AfterValue,
    /// After the root value.
    Done,
    /// Inside a string.
    Text,
    /// After `\` in a string.
    Escape,
    /// In `\uXXXX`, so many digits to come.
    Hex(u8),
    /// In a number.
    Minus,
    Zero,
    Digits,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
    /// In a word such as `true`, so many bytes of it seen.
    Word(&'static [u8], usize),
}

impl State {
    /// Whether no token has begun: the fast half of the machine can go on from here.
    #[inline(always)]
    pub(super) fn is_between_tokens(self) -> bool {
        matches!(
            self,
            State::Value
                | State::FirstElement
                | State::FirstName
                | State::Name
                | State::Colon
                | State::AfterValue
        )
    }

    /// The state after a value that lies in the innermost container of `nest`.
    #[inline(always)]
    pub(super) fn after_value(nest: &Nest) -> State {
        if nest.depth() == 0 {
            State::Done
        } else {
            State::AfterValue
        }
    }

    /// What would be right here; `nest` are the containers around.
    pub(super) fn expected(self, nest: &Nest) -> &'static str {
        match self {
            State::Start | State::Value => "a value",
            State::FirstElement => "a value or ']'",
            State::FirstName => "a member's name in double quotes or '}'",
            State::Name => "a member's name in double quotes",
            State::Colon => "':'",
            State::AfterValue if nest.in_object() => "',' or '}'",
            State::AfterValue => "',' or ']'",
            State::Done => "nothing but white space after the document",
            State::Text => "the rest of a string (control characters are written as escapes)",
            State::Escape => "one of \" \\ / b f n r t u after a backslash",
            State::Hex(_) => "four hexadecimal digits after \\u",
            State::Minus => "a digit or 'Infinity' after '-'",
            State::Point => "a digit after the decimal point",
            State::Exponent => "a digit or a sign after the exponent's 'e'",
            State::ExponentSign => "a digit in the exponent",
            State::Zero | State::Digits | State::Fraction | State::ExponentDigits => {
                match (nest.depth(), nest.in_object()) {
                    (0, _) => "the end of the number",
                    (_, true) => "the end of the number, ',' or '}'",
                    (_, false) => "the end of the number, ',' or ']'",
                }
            }
            State::Word(b"true", _) => "the word true",
            State::Word(b"false", _) => "the word false",
            State::Word(b"null", _) => "the word null",
            State::Word(b"NaN", _) => "the word NaN",
            State::Word(..) => "the word Infinity",
        }
    }
}
