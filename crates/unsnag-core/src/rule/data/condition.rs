//! Evaluating conditions. Cheap ones are asked first: weights and big files only if the others leave the question open.

use json_splice::{Kind, Node, RawValue};

use super::Scope;
use crate::fix::{Condition, Elsewhere, Ordered, TensorTest, Test, ValueKind};
use crate::rule::place::{Found, Place};
use crate::rule::site::Evidence;
use crate::rule::truth::{Gap, Truth};
use crate::rule::{Glob, compare};
use crate::view::Content;

impl<'v> Scope<'_, '_, 'v> {
    /// Whether all hold, collecting what their labels show.
    pub(super) fn all(
        &self,
        conditions: &[Condition],
        evidence: Option<&mut Vec<Evidence>>,
    ) -> Truth {
        let mut order: Vec<&Condition> = conditions.iter().collect();
        order.sort_by_key(|condition| self.price(condition));
        let mut parts = Vec::with_capacity(order.len());
        for condition in order {
            let part = self.holds(condition, None);
            if part.is_no() {
                return Truth::No;
            }
            parts.push(part);
        }
        if let Some(evidence) = evidence {
            for condition in conditions {
                self.holds(condition, Some(evidence));
            }
        }
        Truth::all(parts)
    }

    /// How much an answer may cost: 0 the target, 1 small files, 2 big files, 3 tensor names, 4 headers.
    fn price(&self, condition: &Condition) -> u8 {
        let of = |file: &str| if self.look.view().is_big(file) { 2 } else { 1 };
        match condition {
            Condition::Intent(_) | Condition::Target(_) | Condition::Files { .. } => 0,
            Condition::Value { file, .. } => of(file.as_deref().unwrap_or(self.file)),
            Condition::Text { file, .. } | Condition::State { file, .. } => of(file),
            Condition::Tensors {
                ask: TensorTest::Dtype(_),
                ..
            } => 4,
            Condition::Tensors { .. } => 3,
            Condition::Any(parts) | Condition::All(parts) => {
                parts.iter().map(|part| self.price(part)).max().unwrap_or(0)
            }
            Condition::Not(part) => self.price(part),
        }
    }

    /// Whether one holds; with `evidence`, what its label shows is added where it does.
    pub(super) fn holds(
        &self,
        condition: &Condition,
        mut evidence: Option<&mut Vec<Evidence>>,
    ) -> Truth {
        match condition {
            Condition::Value {
                file,
                at,
                every,
                test,
                label,
            } => self.value(
                file.as_deref().unwrap_or(self.file),
                at,
                *every,
                test,
                label.as_deref(),
                evidence,
            ),
            Condition::Files { names, absent } => {
                let there = self
                    .look
                    .view()
                    .files()
                    .any(|file| names.iter().any(|name| name.matches(file)));
                Truth::from(there != *absent)
            }
            Condition::Tensors { names, ask, label } => {
                let truth = self.tensors(names, ask);
                if let (Truth::Yes, Some(label), Some(evidence)) =
                    (&truth, label, evidence.as_deref_mut())
                {
                    let file = self.look.weights().source().unwrap_or_default();
                    evidence.push(Evidence::file(file, self.captures.fill(label)));
                }
                truth
            }
            Condition::Text { file, patterns } => match self.look.view().text(file) {
                Ok(None) => Truth::No,
                Ok(Some(text)) => Truth::from(patterns.iter().any(|pattern| pattern.matches(text))),
                Err(reason) => Truth::unknown(Gap::directory(file.as_str(), reason)),
            },
            Condition::State { file, state } => {
                let content = match self.look.view().content(file) {
                    Content::Missing => "missing",
                    Content::Json(_) => "json",
                    Content::Broken(_) => "broken",
                    Content::LfsPointer => "lfs-pointer",
                    Content::Text(_) => "text",
                    Content::Unreadable(error) => {
                        return Truth::unknown(Gap::directory(file.as_str(), error.to_string()));
                    }
                };
                Truth::from(content == state)
            }
            Condition::Intent(intent) => Truth::from(self.look.target().wants(*intent)),
            Condition::Target(rows) => self.look.target().fits_any(rows),
            Condition::Any(parts) => {
                let truth = Truth::any(parts.iter().map(|part| self.holds(part, None)));
                if let Some(evidence) = evidence {
                    for part in parts {
                        self.holds(part, Some(&mut *evidence));
                    }
                }
                truth
            }
            Condition::All(parts) => self.all(parts, evidence),
            Condition::Not(part) => !self.holds(part, None),
        }
    }

    fn value(
        &self,
        file: &str,
        places: &[Place],
        every: bool,
        test: &Test,
        label: Option<&str>,
        evidence: Option<&mut Vec<Evidence>>,
    ) -> Truth {
        let mut found = Vec::new();
        for place in places {
            match self.look.find(file, place, self.captures) {
                Ok(more) => found.extend(more),
                Err(gap) => return Truth::unknown(gap),
            }
        }
        if found.is_empty() {
            return self.test(file, None, test);
        }
        let answers: Vec<Truth> = found
            .iter()
            .map(|found| self.test(file, Some(found), test))
            .collect();
        if let (Some(label), Some(evidence)) = (label, evidence)
            && let Some(shown) = found
                .iter()
                .zip(&answers)
                .find(|(_, answer)| answer.is_yes())
                .map(|(found, _)| found)
        {
            evidence.push(
                self.look
                    .evidence(file, &shown.pointer, shown.captures.fill(label)),
            );
        }
        if every {
            Truth::all(answers)
        } else {
            Truth::any(answers)
        }
    }

    fn test(&self, file: &str, found: Option<&Found<'v>>, test: &Test) -> Truth {
        let node = found.map(|found| found.node);
        let equal = |values: &[RawValue]| {
            node.is_some_and(|node| values.iter().any(|value| same(node, value)))
        };
        match test {
            Test::Is(kinds) => Truth::from(kinds.iter().any(|kind| is(node, *kind))),
            Test::Equals(values) => Truth::from(equal(values)),
            Test::NotEquals(values) => Truth::from(node.is_some() && !equal(values)),
            Test::Matches(patterns) => {
                Truth::from(node.and_then(|node| node.as_str()).is_some_and(|text| {
                    patterns.iter().any(|pattern: &Glob| pattern.matches(&text))
                }))
            }
            Test::Contains(values) => Truth::from(node.is_some_and(|node| {
                node.kind() == Kind::Array
                    && node
                        .elements()
                        .any(|element| values.iter().any(|value| same(element, value)))
            })),
            Test::Length(order, number) => Truth::from(length(node).is_some_and(|length| {
                ordered(compare(&length.to_string(), number.as_str()), *order)
            })),
            Test::LengthAgainst(order, place) => self.against(file, place, found, |other| {
                length(node).is_some_and(|length| {
                    ordered(compare(&length.to_string(), other.literal()), *order)
                })
            }),
            Test::LengthSum(place, plus) => self.against(file, place, found, |one| {
                let sum = |other: Node<'v>| {
                    let number = |node: Node<'v>| node.literal().parse::<usize>().ok();
                    length(node).is_some_and(|length| {
                        number(one)
                            .zip(number(other))
                            .is_some_and(|(one, other)| one.checked_add(other) == Some(length))
                    })
                };
                self.against(file, plus, found, sum).is_yes()
            }),
            Test::Number(order, number) => Truth::from(
                node.is_some_and(|node| ordered(compare(node.literal(), number.as_str()), *order)),
            ),
            Test::Against(order, place) => self.against(file, place, found, |other| {
                node.is_some_and(|node| match order {
                    Ordered::Equal => node.same_value(other),
                    Ordered::Unequal => !node.same_value(other),
                    order => ordered(compare(node.literal(), other.literal()), *order),
                })
            }),
        }
    }

    /// Asks about the value at another place; missing there is no.
    fn against(
        &self,
        file: &str,
        place: &Elsewhere,
        found: Option<&Found<'v>>,
        ask: impl Fn(Node<'v>) -> bool,
    ) -> Truth {
        let captures = found.map_or(self.captures, |found| &found.captures);
        match self
            .look
            .find(place.file.as_deref().unwrap_or(file), &place.at, captures)
        {
            Ok(others) => Truth::from(others.iter().any(|other| ask(other.node))),
            Err(gap) => Truth::unknown(gap),
        }
    }

    fn tensors(&self, patterns: &[Glob], ask: &TensorTest) -> Truth {
        let weights = self.look.weights();
        let fits = |name: &str| patterns.iter().any(|pattern| pattern.matches(name));
        match ask {
            TensorTest::Stored => weights
                .names()
                .map_or_else(Truth::unknown, |names| Truth::from(names.any(fits))),
            TensorTest::Absent => weights
                .names()
                .map_or_else(Truth::unknown, |names| Truth::from(!names.any(fits))),
            TensorTest::Without(suffixes) => weights.names().map_or_else(Truth::unknown, |names| {
                let bare = |name: &&str| {
                    fits(name)
                        && suffixes
                            .iter()
                            .all(|suffix| !names.has(&sibling(name, suffix)))
                };
                Truth::from(names.iter().any(|name| bare(&name)))
            }),
            TensorTest::Dtype(dtypes) => {
                match weights.names() {
                    Ok(names) if !names.any(fits) => return Truth::No,
                    _ => {}
                }
                weights.tensors().map_or_else(Truth::unknown, |tensors| {
                    let mut of_dtype = tensors
                        .iter()
                        .filter(|(name, _)| fits(name))
                        .map(|(_, tensor)| dtypes.contains(&tensor.dtype))
                        .peekable();
                    Truth::from(of_dtype.peek().is_some() && of_dtype.all(|fits| fits))
                })
            }
        }
    }
}

/// The name with its last part replaced: `a.weight` and `.weight_scale` give `a.weight_scale`.
fn sibling(name: &str, suffix: &str) -> String {
    let stem = name
        .rfind('.')
        .and_then(|dot| name.get(..dot))
        .unwrap_or(name);
    format!(
        "{stem}{}{suffix}",
        if suffix.starts_with('.') { "" } else { "." }
    )
}

pub(super) fn same(node: Node<'_>, value: &RawValue) -> bool {
    json_splice::Document::parse(value.as_str().as_bytes())
        .is_ok_and(|document| node.same_value(document.root()))
}

fn length(node: Option<Node<'_>>) -> Option<usize> {
    let node = node?;
    match node.kind() {
        Kind::Array | Kind::Object => Some(node.len()),
        Kind::String => node.as_str().map(|text| text.chars().count()),
        _ => None,
    }
}

fn is(node: Option<Node<'_>>, kind: ValueKind) -> bool {
    let Some(node) = node else {
        return kind == ValueKind::Missing;
    };
    match kind {
        ValueKind::Missing => false,
        ValueKind::Null => node.kind() == Kind::Null,
        ValueKind::Present => node.kind() != Kind::Null,
        ValueKind::Object => node.kind() == Kind::Object,
        ValueKind::Array => node.kind() == Kind::Array,
        ValueKind::String => node.kind() == Kind::String,
        ValueKind::Bool => node.kind() == Kind::Bool,
        ValueKind::Number => node.kind() == Kind::Number,
        ValueKind::Integer => node.kind() == Kind::Number && is_integer(node.literal()),
        ValueKind::Float => node.kind() == Kind::Number && !is_integer(node.literal()),
    }
}

fn is_integer(literal: &str) -> bool {
    literal
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-')
}

fn ordered(ordering: Option<std::cmp::Ordering>, order: Ordered) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match (order, ordering) {
        (_, None) => false,
        (Ordered::Equal, Some(ordering)) => ordering == Equal,
        (Ordered::Unequal, Some(ordering)) => ordering != Equal,
        (Ordered::Less, Some(ordering)) => ordering == Less,
        (Ordered::More, Some(ordering)) => ordering == Greater,
        (Ordered::AtMost, Some(ordering)) => ordering != Greater,
        (Ordered::AtLeast, Some(ordering)) => ordering != Less,
    }
}
