//! Numbers compared as decimals, never as floating point.

/// Whether two JSON numbers are numerically equal (RFC 6902 section 4.6). The literals `NaN`,
/// `Infinity` and `-Infinity` are each equal to themselves only.
pub(crate) fn same_number(a: &str, b: &str) -> bool {
    a == b || (Decimal::read(a)).is_some_and(|a| Decimal::read(b).is_some_and(|b| a.same(&b)))
}

/// `0.DIGITS` times ten to the power of `exponent`, plus `shift` more.
struct Decimal {
    negative: bool,
    /// Without zeros at either end; empty for zero.
    digits: Vec<u8>,
    exponent: Exponent,
    shift: i64,
}

/// An exponent as written, of any length.
#[derive(Default)]
struct Exponent {
    negative: bool,
    digits: Vec<u8>,
}

impl Decimal {
    fn read(text: &str) -> Option<Decimal> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(text) => (true, text),
            None => (false, text),
        };
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, ""));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        let leading = all.iter().take_while(|digit| **digit == b'0').count();
        let trailing = all.iter().rev().take_while(|digit| **digit == b'0').count();
        let digits = all
            .get(leading..all.len().saturating_sub(trailing))
            .unwrap_or_default()
            .to_vec();
        let shift = i64::try_from(whole.len()).ok()? - i64::try_from(leading).ok()?;
        Some(Decimal {
            negative,
            digits,
            exponent: Exponent::read(exponent),
            shift,
        })
    }

    fn same(&self, other: &Decimal) -> bool {
        if self.digits.is_empty() || other.digits.is_empty() {
            return self.digits.is_empty() && other.digits.is_empty();
        }
        self.negative == other.negative
            && self.digits == other.digits
            && self
                .exponent
                .exceeds(&other.exponent, other.shift - self.shift)
    }
}

impl Exponent {
    fn read(text: &str) -> Exponent {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        Exponent {
            negative,
            digits: digits.trim_start_matches('0').bytes().collect(),
        }
    }

    /// Whether this exponent is `other` plus `difference`.
    fn exceeds(&self, other: &Exponent, difference: i64) -> bool {
        match (self.small(), other.small()) {
            (Some(this), Some(other)) => this - other == i128::from(difference),
            _ if self.negative == other.negative => {
                let difference = if self.negative {
                    -difference
                } else {
                    difference
                };
                let (larger, smaller, step) = if difference >= 0 {
                    (self, other, difference.unsigned_abs())
                } else {
                    (other, self, difference.unsigned_abs())
                };
                smaller.plus(step) == larger.digits
            }
            // A long exponent and one of the other sign lie further apart than the lengths of two
            // texts in memory.
            _ => false,
        }
    }

    /// The value, when it has at most 36 digits.
    fn small(&self) -> Option<i128> {
        if self.digits.len() > 36 {
            return None;
        }
        let size = self
            .digits
            .iter()
            .fold(0, |size, digit| size * 10 + i128::from(digit - b'0'));
        Some(if self.negative { -size } else { size })
    }

    /// The digits of this exponent's size plus `step`.
    fn plus(&self, step: u64) -> Vec<u8> {
        let mut sum = self.digits.clone();
        let mut carry = step;
        for digit in sum.iter_mut().rev() {
            carry += u64::from(*digit - b'0');
            *digit = b'0' + (carry % 10) as u8;
            carry /= 10;
        }
        while carry > 0 {
            sum.insert(0, b'0' + (carry % 10) as u8);
            carry /= 10;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers() {
        let long = "1".repeat(40);
        let longer = format!("{}2", "1".repeat(39));
        for (a, b) in [
            ("1", "1.0"),
            ("100", "1e2"),
            ("1E+3", "1000"),
            ("-0.0", "0"),
            ("0e99999999999999999999999999999999999999999", "0"),
            ("1e-06", "0.000001"),
            ("0.1000", "1e-1"),
            ("1e999999999", "10e999999998"),
            ("NaN", "NaN"),
            ("-Infinity", "-Infinity"),
            (&*format!("10e{long}"), &*format!("1e{longer}")),
            (&*format!("1e-{long}"), &*format!("10e-{longer}")),
        ] {
            assert!(same_number(a, b), "{a} {b}");
            assert!(same_number(b, a), "{b} {a}");
        }
    }

    #[test]
    fn unequal_numbers() {
        for (a, b) in [
            (
                "1000000000000000019884624838656",
                "1000000000000000019884624838657",
            ),
            ("9007199254740993", "9007199254740992"),
            ("1", "-1"),
            ("1e400", "1e401"),
            ("1e999999999", "1e-999999999"),
            ("NaN", "0"),
            ("NaN", "Infinity"),
            ("Infinity", "-Infinity"),
            ("0.1", "1"),
        ] {
            assert!(!same_number(a, b), "{a} {b}");
        }
    }
}
