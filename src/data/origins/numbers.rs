//! Sets of numbers in versions, and the patterns for them.

use std::collections::{BTreeMap, BTreeSet};

/// A set of numbers: some, and all from one on.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Numbers {
    some: BTreeSet<u64>,
    /// All numbers from this one on. It is larger than all of `some`, with a gap between.
    from: Option<u64>,
}

/// The largest number that has to be told apart from others. Real patches have two digits.
pub(super) const LARGEST: u64 = 999;

impl Numbers {
    pub(super) fn new(some: impl IntoIterator<Item = u64>, from: Option<u64>) -> Self {
        let mut numbers = Self { some: some.into_iter().collect(), from };
        if let Some(from) = &mut numbers.from {
            numbers.some.retain(|number| number < from);
            while *from > 0 && numbers.some.remove(&(*from - 1)) {
                *from -= 1;
            }
        }
        numbers
    }

    pub(super) fn is_all(&self) -> bool {
        self.from == Some(0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.some.is_empty() && self.from.is_none()
    }

    pub(super) fn is_open(&self) -> bool {
        self.from.is_some()
    }

    pub(super) fn contains(&self, number: u64) -> bool {
        self.from.is_some_and(|from| number >= from) || self.some.contains(&number)
    }

    pub(super) fn union(&self, other: &Self) -> Self {
        let from = self.from.into_iter().chain(other.from).min();
        Self::new(self.some.iter().chain(&other.some).copied(), from)
    }

    pub(super) fn without(&self, other: &Self) -> Self {
        let (from, end) = match (self.from, other.from) {
            (Some(_), Some(end)) => (None, end),
            (Some(from), None) => {
                let end = other.some.last().map_or(from, |last| from.max(last + 1));
                (Some(end), end)
            }
            (None, _) => (None, LARGEST + 1),
        };
        Self::new((0..end).filter(|n| self.contains(*n) && !other.contains(*n)), from)
    }

    /// The alternatives of a pattern for these numbers. If no number is larger than `most`, none
    /// has more digits than it.
    pub(super) fn alternatives(&self, most: u64) -> Vec<String> {
        match self.from {
            Some(0) => return vec!["[0-9]+".to_owned()],
            Some(1) if self.some.is_empty() => return vec!["[1-9][0-9]*".to_owned()],
            _ => {}
        }
        let longest = self.some.last().copied().max(self.from).unwrap_or_default();
        let digits = digits_of(longest);
        let end = 10_u64.saturating_pow(digits);
        let mut alternatives = of_some(&(0..end).filter(|number| self.contains(*number)).collect());
        if self.is_open() && digits_of(most) > digits {
            alternatives.push(format!("[0-9]{{{},}}", digits + 1));
        }
        alternatives
    }
}

fn digits_of(number: u64) -> u32 {
    number.checked_ilog10().unwrap_or_default() + 1
}

/// The alternatives of a pattern for some numbers, without leading zeros.
fn of_some(numbers: &BTreeSet<u64>) -> Vec<String> {
    let of_width = |width: u32| -> BTreeSet<u64> {
        numbers.iter().copied().filter(|number| digits_of(*number) == width).collect()
    };
    let one = of_width(1);
    let two = by_first_digit(&of_width(2), 2);
    let all: BTreeSet<u64> = (0..10).collect();
    let mut alternatives = Vec::new();
    // A group of numbers with two digits can share a text with all those with one digit.
    let shared = two.iter().position(|(_, rest)| *rest == one);
    let begun = two.iter().position(|(first, rest)| *first == one && *rest == all);
    match (shared, begun) {
        (Some(at), _) => alternatives.push(format!("{}?{}", class(&two[at].0), class(&one))),
        (None, Some(_)) => alternatives.push(format!("{}[0-9]?", class(&one))),
        (None, None) if one.is_empty() => {}
        (None, None) => alternatives.push(class(&one)),
    }
    let others = two.iter().enumerate().filter(|(at, _)| shared.or(begun) != Some(*at));
    alternatives.extend(others.map(|(_, (first, rest))| class(first) + &class(rest)));
    let longest = numbers.last().copied().map_or(1, digits_of);
    for width in 3..=longest {
        for (first, rest) in by_first_digit(&of_width(width), width) {
            alternatives.push(class(&first) + &either(&of_width_exactly(&rest, width - 1)));
        }
    }
    alternatives
}

/// The alternatives of a pattern for numbers with this many digits, of which the first can be zero.
fn of_width_exactly(numbers: &BTreeSet<u64>, width: u32) -> Vec<String> {
    if width == 1 {
        return vec![class(numbers)];
    }
    if numbers.len() as u64 == 10_u64.pow(width) {
        return vec!["[0-9]".repeat(width as usize)];
    }
    let groups = by_first_digit(numbers, width);
    let text = |(first, rest): &(BTreeSet<u64>, BTreeSet<u64>)| {
        class(first) + &either(&of_width_exactly(rest, width - 1))
    };
    groups.iter().map(text).collect()
}

/// The numbers by their first digit. First digits with the same remaining digits are in one group.
fn by_first_digit(numbers: &BTreeSet<u64>, width: u32) -> Vec<(BTreeSet<u64>, BTreeSet<u64>)> {
    let unit = 10_u64.pow(width - 1);
    let mut by_digit: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for number in numbers {
        by_digit.entry(number / unit).or_default().insert(number % unit);
    }
    let mut groups: Vec<(BTreeSet<u64>, BTreeSet<u64>)> = Vec::new();
    for (digit, rest) in by_digit {
        match groups.iter_mut().find(|(_, known)| *known == rest) {
            Some((digits, _)) => drop(digits.insert(digit)),
            None => groups.push((BTreeSet::from([digit]), rest)),
        }
    }
    groups
}

/// One of some digits: `3`, `[12]`, `[0-9]`.
fn class(digits: &BTreeSet<u64>) -> String {
    if let (Some(only), 1) = (digits.first(), digits.len()) {
        return only.to_string();
    }
    let digits: Vec<u64> = digits.iter().copied().collect();
    let runs = digits.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [first, _, .., last] => format!("{first}-{last}"),
        few => few.iter().map(u64::to_string).collect(),
    });
    format!("[{}]", runs.collect::<String>())
}

/// One of some alternatives, in parentheses if there are several.
pub(super) fn either<T: AsRef<str>>(alternatives: &[T]) -> String {
    let texts: Vec<&str> = alternatives.iter().map(AsRef::as_ref).collect();
    if let [only] = texts.as_slice() {
        (*only).to_owned()
    } else {
        format!("({})", texts.join("|"))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::{Numbers, either};

    fn pattern(numbers: &Numbers, most: u64) -> String {
        either(&numbers.alternatives(most))
    }

    #[test]
    fn patterns_are_those_that_people_write() {
        let upto = |last| pattern(&Numbers::new(0..=last, None), 99);
        assert_eq!(upto(6), "[0-6]");
        assert_eq!(upto(14), "([0-9]|1[0-4])");
        assert_eq!(upto(19), "1?[0-9]");
        assert_eq!(upto(28), "(1?[0-9]|2[0-8])");
        assert_eq!(upto(46), "([1-3]?[0-9]|4[0-6])");
        let from = |first, most| pattern(&Numbers::new([], Some(first)), most);
        assert_eq!(from(0, 99), "[0-9]+");
        assert_eq!(from(23, 90), "(2[3-9]|[3-9][0-9])");
        assert_eq!(from(23, 120), "(2[3-9]|[3-9][0-9]|[0-9]{3,})");
        assert_eq!(pattern(&Numbers::new([16, 17], None), 99), "1[67]");
        assert_eq!(pattern(&Numbers::new([1].into_iter().chain(10..20), None), 99), "1[0-9]?");
    }

    proptest! {
        #[test]
        fn a_pattern_matches_these_numbers_and_no_others(
            some in prop::collection::btree_set(0..130_u64, 0..40),
            from in prop::option::of(0..140_u64),
        ) {
            let numbers = Numbers::new(some.iter().copied(), from);
            prop_assume!(!numbers.is_empty());
            let regex = Regex::new(&format!("^{}$", pattern(&numbers, 999))).unwrap();
            for number in 0..1000 {
                let is_wanted = some.contains(&number) || from.is_some_and(|from| number >= from);
                prop_assert_eq!(regex.is_match(&number.to_string()), is_wanted, "{} {}", regex, number);
            }
        }

        #[test]
        fn sets_are_joined_and_subtracted(
            a in (prop::collection::btree_set(0..60_u64, 0..20), prop::option::of(0..70_u64)),
            b in (prop::collection::btree_set(0..60_u64, 0..20), prop::option::of(0..70_u64)),
        ) {
            let [a, b] = [a, b].map(|(some, from)| Numbers::new(some, from));
            let (union, difference) = (a.union(&b), a.without(&b));
            for number in 0..100 {
                let (in_a, in_b) = (a.contains(number), b.contains(number));
                prop_assert_eq!(union.contains(number), in_a || in_b);
                prop_assert_eq!(difference.contains(number), in_a && !in_b);
            }
        }
    }
}
