//! What is known about a number: its bounds, whether it is whole, and whether it can be NaN.

use crate::promql::{self, Operator};

use super::source::Source;

/// Far more than any count or time on a cluster. All whole numbers up to this one are exact as
/// floating-point numbers.
const GREATEST: f64 = 9_007_199_254_740_992.0;

/// A number that is only partly known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    /// The lower bound. It is greater than `hi` if the number can only be NaN.
    pub(super) lo: f64,
    pub(super) hi: f64,
    /// Whether it is infinite or a whole number, unless it is NaN.
    pub(super) is_whole: bool,
    pub(super) can_be_nan: bool,
    /// Numbers with the same name are equal.
    pub(super) name: Option<Source>,
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Less,
    Equal,
    Greater,
    /// One of the numbers is NaN.
    Unordered,
}

impl Relation {
    /// Whether a comparison is true for numbers with this relation.
    pub(super) fn satisfies(self, op: Operator) -> bool {
        match op {
            Operator::Equal => self == Self::Equal,
            Operator::NotEqual => self != Self::Equal,
            Operator::Less => self == Self::Less,
            Operator::LessOrEqual => matches!(self, Self::Less | Self::Equal),
            Operator::Greater => self == Self::Greater,
            Operator::GreaterOrEqual => matches!(self, Self::Greater | Self::Equal),
            _ => false,
        }
    }

    /// The relation of the second number to the first one.
    pub(super) fn reversed(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::Greater => Self::Less,
            same => same,
        }
    }
}

impl Number {
    pub(super) fn exactly(value: f64) -> Self {
        if value.is_nan() {
            return Self::nan();
        }
        Self { is_whole: is_whole(value), ..Self::between(value, value) }
    }

    pub(super) fn nan() -> Self {
        Self { can_be_nan: true, ..Self::between(f64::INFINITY, f64::NEG_INFINITY) }
    }

    pub(super) fn between(lo: f64, hi: f64) -> Self {
        Self { lo, hi, is_whole: false, can_be_nan: false, name: None }
    }

    pub(super) fn whole(lo: f64, hi: f64) -> Self {
        Self { is_whole: true, ..Self::between(lo, hi) }
    }

    /// A number that is 0 or 1.
    pub(super) fn flag() -> Self {
        Self::whole(0.0, 1.0)
    }

    /// A whole number, 0 or more.
    pub(super) fn count() -> Self {
        Self::whole(0.0, GREATEST)
    }

    /// A time in seconds since 1970.
    pub(super) fn time() -> Self {
        Self::between(0.0, GREATEST)
    }

    /// Any number that is not extremely large.
    pub(super) fn finite() -> Self {
        Self::between(-GREATEST, GREATEST)
    }

    /// Any number, including infinity and NaN.
    pub(super) fn any() -> Self {
        Self { can_be_nan: true, ..Self::between(f64::NEG_INFINITY, f64::INFINITY) }
    }

    pub(super) fn one_of(values: impl IntoIterator<Item = f64>) -> Self {
        let all = values.into_iter().map(Self::exactly);
        all.reduce(Self::or).unwrap_or_else(Self::any)
    }

    /// Either this number or the other.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            is_whole: (self.is_whole || self.is_only_nan())
                && (other.is_whole || other.is_only_nan()),
            can_be_nan: self.can_be_nan || other.can_be_nan,
            name: self.name.filter(|_| self.name == other.name),
        }
    }

    /// A number about which both are known.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            lo: self.lo.max(other.lo),
            hi: self.hi.min(other.hi),
            is_whole: self.is_whole || other.is_whole,
            can_be_nan: self.can_be_nan && other.can_be_nan,
            name: self.name.or(other.name),
        }
    }

    pub(super) fn nameless(self) -> Self {
        Self { name: None, ..self }
    }

    pub(super) fn named(self, name: Source) -> Self {
        if self.point().is_some() { self } else { Self { name: Some(name), ..self } }
    }

    /// Whether it can only be NaN.
    fn is_only_nan(self) -> bool {
        self.lo > self.hi
    }

    /// Whether there can be no such number.
    pub(super) fn is_impossible(self) -> bool {
        let is_gap = self.is_whole && self.lo.ceil() > self.hi.floor();
        (self.is_only_nan() || is_gap) && !self.can_be_nan
    }

    /// The number, if only one is possible.
    pub(super) fn point(self) -> Option<f64> {
        (self.lo.total_cmp(&self.hi).is_eq() && !self.can_be_nan).then_some(self.lo)
    }

    pub(super) fn can_be(self, value: f64) -> bool {
        self.lo <= value && value <= self.hi && (!self.is_whole || is_whole(value))
    }

    fn can_be_infinite(self) -> bool {
        self.lo == f64::NEG_INFINITY || self.hi == f64::INFINITY
    }

    /// Whether it can be something other than 0 or 1.
    pub(super) fn can_be_other(self) -> bool {
        self.can_be_nan
            || !self.is_only_nan()
                && (self.lo < 0.0 || self.hi > 1.0 || !self.is_whole && self.lo < self.hi)
            || self.point().is_some_and(|value| !matches!(value, 0.0 | 1.0))
    }

    /// The relations that it may have to another number.
    pub(super) fn relations(self, other: Self) -> Vec<Relation> {
        let is_same = self.name.is_some() && self.name == other.name;
        let has_values = !self.is_only_nan() && !other.is_only_nan();
        let mut relations = Vec::with_capacity(4);
        if has_values && !is_same && self.lo < other.hi {
            relations.push(Relation::Less);
        }
        if has_values && (is_same || !self.and(other).nameless().without_nan().is_impossible()) {
            relations.push(Relation::Equal);
        }
        if has_values && !is_same && self.hi > other.lo {
            relations.push(Relation::Greater);
        }
        if self.can_be_nan || other.can_be_nan {
            relations.push(Relation::Unordered);
        }
        relations
    }

    fn without_nan(self) -> Self {
        Self { can_be_nan: false, ..self }
    }

    /// What is known about the number if it has this relation to another one.
    pub(super) fn where_it_is(self, relation: Relation, other: Self) -> Self {
        let (below, above) = match other.point() {
            Some(point) if self.is_whole => (point.ceil() - 1.0, point.floor() + 1.0),
            _ => (other.hi.next_down(), other.lo.next_up()),
        };
        match relation {
            Relation::Less => Self { hi: self.hi.min(below), ..self.without_nan() },
            Relation::Greater => Self { lo: self.lo.max(above), ..self.without_nan() },
            Relation::Equal => Self { name: self.name, ..self.and(other).without_nan() },
            Relation::Unordered if other.can_be_nan => self,
            Relation::Unordered => Self { name: self.name, ..Self::nan() },
        }
    }

    /// The result of an operator that is not a comparison.
    pub(super) fn calculated(self, op: Operator, other: Self) -> Self {
        if let (Some(one), Some(two)) = (self.point(), other.point()) {
            return Self::exactly(promql::calculated(op, one, two));
        }
        match op {
            Operator::Add => self.plus(other),
            Operator::Subtract => self.plus(other.negated()),
            Operator::Multiply => self.times(other),
            Operator::Divide => self.divided_by(other),
            Operator::Modulo => self.modulo(other),
            Operator::Power => self.to_the_power_of(other),
            Operator::Atan2 => Self {
                can_be_nan: self.can_be_nan || other.can_be_nan,
                ..Self::between(-std::f64::consts::PI, std::f64::consts::PI)
            },
            _ => Self::any(),
        }
    }

    pub(super) fn negated(self) -> Self {
        Self { lo: -self.hi, hi: -self.lo, name: None, ..self }
    }

    fn plus(self, other: Self) -> Self {
        let opposite = self.lo == f64::NEG_INFINITY && other.hi == f64::INFINITY
            || self.hi == f64::INFINITY && other.lo == f64::NEG_INFINITY;
        self.combined(other, opposite, |lo, hi| (lo.0 + lo.1, hi.0 + hi.1))
    }

    fn times(self, other: Self) -> Self {
        let is_nan = self.can_be(0.0) && other.can_be_infinite()
            || other.can_be(0.0) && self.can_be_infinite();
        let product = |one: f64, two: f64| if one == 0.0 || two == 0.0 { 0.0 } else { one * two };
        self.combined(other, is_nan, |lo, hi| {
            let all = [
                product(lo.0, lo.1),
                product(lo.0, hi.1),
                product(hi.0, lo.1),
                product(hi.0, hi.1),
            ];
            hull(&all)
        })
    }

    fn divided_by(self, other: Self) -> Self {
        if other.can_be(0.0) || other.lo < 0.0 && other.hi > 0.0 {
            return Self::any();
        }
        let is_nan = self.can_be_infinite() && other.can_be_infinite();
        let result = self.combined(other, is_nan, |lo, hi| {
            hull(&[lo.0 / lo.1, lo.0 / hi.1, hi.0 / lo.1, hi.0 / hi.1])
        });
        Self { is_whole: self.is_whole && matches!(other.point(), Some(1.0 | -1.0)), ..result }
    }

    fn modulo(self, other: Self) -> Self {
        match other.point() {
            Some(of) if of > 0.0 && of.is_finite() && self.lo >= 0.0 => Self {
                lo: 0.0,
                hi: if self.is_whole && is_whole(of) { of - 1.0 } else { of },
                is_whole: self.is_whole && is_whole(of),
                can_be_nan: self.can_be_nan || self.can_be_infinite(),
                name: None,
            },
            _ => Self::any(),
        }
    }

    fn to_the_power_of(self, other: Self) -> Self {
        if self.lo >= 0.0 && other.lo >= 0.0 && !self.can_be_nan && !other.can_be_nan {
            let is_whole = self.is_whole && other.is_whole;
            return Self { is_whole, ..Self::between(0.0, f64::INFINITY) };
        }
        Self::any()
    }

    /// The result of an operator, from its results at the bounds.
    fn combined(
        self,
        other: Self,
        is_nan: bool,
        ends: impl Fn((f64, f64), (f64, f64)) -> (f64, f64),
    ) -> Self {
        let can_be_nan = self.can_be_nan || other.can_be_nan || is_nan;
        if self.is_only_nan() || other.is_only_nan() {
            return Self::nan();
        }
        let (lo, hi) = ends((self.lo, other.lo), (self.hi, other.hi));
        let lo = if lo.is_nan() { f64::NEG_INFINITY } else { lo };
        let hi = if hi.is_nan() { f64::INFINITY } else { hi };
        Self { lo, hi, is_whole: self.is_whole && other.is_whole, can_be_nan, name: None }
    }

    /// The result of a function that is monotonic and does not turn other numbers into NaN.
    pub(super) fn mapped(self, function: impl Fn(f64) -> f64, is_whole: bool) -> Self {
        if self.is_only_nan() {
            return self.nameless();
        }
        let (lo, hi) = (function(self.lo), function(self.hi));
        Self { lo, hi, is_whole, can_be_nan: self.can_be_nan, name: None }
    }
}

impl std::hash::Hash for Number {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.lo.to_bits(), self.hi.to_bits()).hash(state);
        (self.is_whole, self.can_be_nan, self.name).hash(state);
    }
}

fn is_whole(value: f64) -> bool {
    value.is_infinite() || value.fract() == 0.0
}

fn hull(all: &[f64]) -> (f64, f64) {
    if all.iter().any(|value| value.is_nan()) {
        return (f64::NEG_INFINITY, f64::INFINITY);
    }
    let least = all.iter().copied().fold(f64::INFINITY, f64::min);
    (least, all.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}
