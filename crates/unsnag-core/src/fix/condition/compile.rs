//! From the condition in the TOML to the one that is evaluated.

use json_splice::RawValue;

use super::{
    ComparisonFile, Condition, ConditionFile, Elsewhere, ElsewhereFile, Ordered, PlaceComparison,
    TensorTest, Test,
};
use crate::fix::OneOrMany;
use crate::rule::{Glob, Place};
use crate::target::Row;

impl TryFrom<&ConditionFile> for Condition {
    type Error = String;

    fn try_from(file: &ConditionFile) -> Result<Self, String> {
        let mut found = Vec::new();
        if let Some(at) = &file.at {
            found.push(value(file, at)?);
        } else if value_tests(file) > 0 {
            return Err("a test of a value needs `at`, the place it is about".to_owned());
        }
        if let Some(names) = &file.files {
            found.push(Self::Files {
                names: names.as_slice().to_vec(),
                absent: false,
            });
        }
        if let Some(names) = &file.no_files {
            found.push(Self::Files {
                names: names.as_slice().to_vec(),
                absent: true,
            });
        }
        if let Some(names) = &file.tensors {
            let ask = match (&file.dtype, &file.without) {
                (None, None) => TensorTest::Stored,
                (Some(dtypes), None) => TensorTest::Dtype(dtypes.as_slice().to_vec()),
                (None, Some(suffixes)) => TensorTest::Without(suffixes.as_slice().to_vec()),
                (Some(_), Some(_)) => {
                    return Err("`dtype` and `without` cannot stand in one condition".to_owned());
                }
            };
            found.push(Self::Tensors {
                names: names.as_slice().to_vec(),
                ask,
                label: file.label.clone(),
            });
        } else if file.dtype.is_some() || file.without.is_some() {
            return Err("`dtype` and `without` need `tensors`".to_owned());
        }
        if let Some(names) = &file.no_tensors {
            found.push(Self::Tensors {
                names: names.as_slice().to_vec(),
                ask: TensorTest::Absent,
                label: file.label.clone(),
            });
        }
        if let Some(patterns) = &file.text {
            let file = file.file.clone().ok_or("`text` needs `file`")?;
            found.push(Self::Text {
                file,
                patterns: patterns.as_slice().to_vec(),
            });
        }
        if let Some(state) = &file.state {
            const STATES: [&str; 5] = ["missing", "json", "broken", "lfs-pointer", "text"];
            if !STATES.contains(&state.as_str()) {
                return Err(format!(
                    "`{state}` is not a state of a file; expected one of {}",
                    STATES.join(", ")
                ));
            }
            let file = file.file.clone().ok_or("`state` needs `file`")?;
            found.push(Self::State {
                file,
                state: state.clone(),
            });
        }
        if let Some(intent) = &file.intent {
            found.push(Self::Intent(intent.parse()?));
        }
        if let Some(rows) = &file.target {
            found.push(Self::Target(
                rows.iter().map(Row::try_from).collect::<Result<_, _>>()?,
            ));
        }
        if let Some(parts) = &file.any {
            found.push(Self::Any(compile_all(parts)?));
        }
        if let Some(parts) = &file.all {
            found.push(Self::All(compile_all(parts)?));
        }
        if let Some(part) = &file.not {
            found.push(Self::Not(Box::new(Self::try_from(part.as_ref())?)));
        }
        match (found.pop(), found.is_empty()) {
            (Some(only), true) => Ok(only),
            (Some(_), false) => {
                Err("a condition asks one thing; use `all` to join several".to_owned())
            }
            (None, _) => Err("a condition is empty".to_owned()),
        }
    }
}

/// Compiles a list.
pub(crate) fn compile_all(parts: &[ConditionFile]) -> Result<Vec<Condition>, String> {
    parts.iter().map(Condition::try_from).collect()
}

fn value_tests(file: &ConditionFile) -> usize {
    usize::from(file.is.is_some())
        + usize::from(file.equals.is_some())
        + usize::from(file.not_equals.is_some())
        + usize::from(file.matches.is_some())
        + usize::from(file.starts_with.is_some())
        + usize::from(file.contains.is_some())
        + usize::from(file.length.is_some())
        + usize::from(file.value.is_some())
}

fn value(file: &ConditionFile, at: &OneOrMany<String>) -> Result<Condition, String> {
    if value_tests(file) != 1 {
        return Err(
            "a condition with `at` needs one of is, equals, not-equals, matches, starts-with, contains, length, value".to_owned()
        );
    }
    let test = if let Some(kinds) = &file.is {
        Test::Is(kinds.as_slice().to_vec())
    } else if let Some(values) = &file.equals {
        Test::Equals(json(values)?)
    } else if let Some(values) = &file.not_equals {
        Test::NotEquals(json(values)?)
    } else if let Some(patterns) = &file.matches {
        Test::Matches(patterns.as_slice().to_vec())
    } else if let Some(starts) = &file.starts_with {
        Test::Matches(
            starts
                .as_slice()
                .iter()
                .map(|start| Glob::new(format!("{start}*")))
                .collect(),
        )
    } else if let Some(values) = &file.contains {
        Test::Contains(json(values)?)
    } else if let Some(length) = &file.length {
        match comparison(length)? {
            Compared::Number(order, number) => Test::Length(order, number),
            Compared::Place(order, place) => Test::LengthAgainst(order, place),
            Compared::Sum(place, plus) => Test::LengthSum(place, plus),
        }
    } else {
        match comparison(file.value.as_ref().ok_or("`value` is missing")?)? {
            Compared::Number(order, number) => Test::Number(order, number),
            Compared::Place(order, place) => Test::Against(order, place),
            Compared::Sum(..) => return Err("value: plus belongs to a length".to_owned()),
        }
    };
    let places = at
        .as_slice()
        .iter()
        .map(|place| Place::parse(place))
        .collect::<Result<_, _>>()?;
    Ok(Condition::Value {
        file: file.file.clone(),
        at: places,
        every: file.every,
        test,
        label: file.label.clone(),
    })
}

fn json(values: &OneOrMany<String>) -> Result<Vec<RawValue>, String> {
    values.as_slice().iter().map(|text| raw(text)).collect()
}

/// JSON text from the TOML.
pub(crate) fn raw(text: &str) -> Result<RawValue, String> {
    text.parse::<RawValue>()
        .map_err(|error| format!("`{text}` is not JSON text: {error}"))
}

enum Compared {
    Number(Ordered, RawValue),
    Place(Ordered, Elsewhere),
    Sum(Elsewhere, Elsewhere),
}

fn comparison(file: &ComparisonFile) -> Result<Compared, String> {
    match file {
        ComparisonFile::Number(text) => {
            let split = text
                .find(|c: char| !"<>=! ".contains(c))
                .unwrap_or(text.len());
            let (order, number) = text.split_at(split);
            let order = match order.trim() {
                "==" | "=" | "" => Ordered::Equal,
                "!=" => Ordered::Unequal,
                "<" => Ordered::Less,
                ">" => Ordered::More,
                "<=" => Ordered::AtMost,
                ">=" => Ordered::AtLeast,
                _ => {
                    return Err(format!(
                        "`{text}` is not a comparison; expected something like \"> 3\""
                    ));
                }
            };
            Ok(Compared::Number(order, raw(number.trim())?))
        }
        ComparisonFile::Place(place) => {
            let PlaceComparison {
                equal_to,
                unequal_to,
                more_than,
                less_than,
                plus,
            } = place.as_ref();
            let given = [
                (Ordered::Equal, equal_to),
                (Ordered::Unequal, unequal_to),
                (Ordered::More, more_than),
                (Ordered::Less, less_than),
            ];
            let mut given = given
                .into_iter()
                .filter_map(|(order, place)| place.as_ref().map(|place| (order, place)));
            match (given.next(), given.next(), plus) {
                (Some((order, place)), None, None) => Ok(Compared::Place(order, elsewhere(place)?)),
                (Some((Ordered::Equal, place)), None, Some(plus)) => {
                    Ok(Compared::Sum(elsewhere(place)?, elsewhere(plus)?))
                }
                (_, _, Some(_)) => Err("plus goes with equal-to".to_owned()),
                _ => Err("expected one of equal-to, unequal-to, more-than, less-than".to_owned()),
            }
        }
    }
}

fn elsewhere(file: &ElsewhereFile) -> Result<Elsewhere, String> {
    Ok(match file {
        ElsewhereFile::Here(at) => Elsewhere {
            file: None,
            at: Place::parse(at)?,
        },
        ElsewhereFile::There(there) => Elsewhere {
            file: there.file.clone(),
            at: Place::parse(&there.at)?,
        },
    })
}
