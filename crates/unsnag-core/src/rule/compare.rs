//! How JSON numbers lie to each other, as decimals and without building floats.

use std::cmp::Ordering;

/// Compares two JSON number literals by value: `4` and `4.0` and `40e-1` are equal, `1e999` is larger than `1e998`.
#[must_use]
pub fn compare(a: &str, b: &str) -> Option<Ordering> {
    let (a, b) = (Decimal::read(a)?, Decimal::read(b)?);
    Some(match (a.sign(), b.sign()) {
        (x, y) if x != y => x.cmp(&y),
        (0, _) => Ordering::Equal,
        (1, _) => a.magnitude(&b),
        _ => b.magnitude(&a),
    })
}

struct Decimal {
    negative: bool,
    /// Significant digits without zeros at either end; empty for zero.
    digits: Vec<u8>,
    /// Power of ten of the first digit.
    power: i64,
}

impl Decimal {
    fn read(literal: &str) -> Option<Self> {
        let (negative, rest) = literal
            .strip_prefix('-')
            .map_or((false, literal), |rest| (true, rest));
        let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let exponent: i64 = match exponent.parse() {
            Ok(exponent) => exponent,
            Err(_)
                if exponent
                    .trim_start_matches(['+', '-'])
                    .bytes()
                    .all(|b| b.is_ascii_digit()) =>
            {
                if exponent.starts_with('-') {
                    i64::MIN / 4
                } else {
                    i64::MAX / 4
                }
            }
            Err(_) => return None,
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty()
            || !whole
                .bytes()
                .chain(fraction.bytes())
                .all(|b| b.is_ascii_digit())
        {
            return None;
        }
        let all: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        let leading = all.iter().take_while(|digit| **digit == b'0').count();
        let digits: Vec<u8> = all.iter().skip(leading).copied().collect();
        let trailing = digits
            .iter()
            .rev()
            .take_while(|digit| **digit == b'0')
            .count();
        let kept = digits.len() - trailing;
        let whole_digits = i64::try_from(whole.len()).ok()? - i64::try_from(leading).ok()?;
        let power = exponent.clamp(i64::MIN / 4, i64::MAX / 4) + whole_digits;
        Some(Self {
            negative,
            digits: digits.into_iter().take(kept).collect(),
            power,
        })
    }

    fn sign(&self) -> i8 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    fn magnitude(&self, other: &Self) -> Ordering {
        self.power
            .cmp(&other.power)
            .then_with(|| self.digits.cmp(&other.digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals() {
        for (a, b, expected) in [
            ("4", "4.0", Ordering::Equal),
            ("40e-1", "4", Ordering::Equal),
            ("0", "-0.0", Ordering::Equal),
            ("1e999", "1e998", Ordering::Greater),
            ("-2", "1", Ordering::Less),
            ("-2", "-3", Ordering::Greater),
            (
                "1000000000000000019884624838656",
                "9223372036854775807",
                Ordering::Greater,
            ),
            ("0.5", "0.25", Ordering::Greater),
            ("12", "9", Ordering::Greater),
            ("1e999999999999999999999", "1", Ordering::Greater),
        ] {
            assert_eq!(compare(a, b), Some(expected), "{a} and {b}");
        }
        assert_eq!(compare("NaN", "1"), None);
        assert_eq!(compare("\"4\"", "4"), None);
    }
}
