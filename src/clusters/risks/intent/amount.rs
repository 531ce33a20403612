//! Numbers in words: `at least 4`.

use super::condition::{Comparison, Condition, Has, Selection};

/// A condition on a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Amount {
    pub(super) comparison: Comparison,
    pub(super) number: f64,
}

impl Amount {
    /// What belongs in the place of an amount.
    pub(super) const FORMS: &str =
        "a number, or `at least`, `more than`, `at most`, or `fewer than` with a number";

    pub(super) fn read(text: &str) -> Option<Self> {
        const FORMS: [(&str, Comparison); 5] = [
            ("at least ", Comparison::AtLeast),
            ("more than ", Comparison::MoreThan),
            ("at most ", Comparison::AtMost),
            ("fewer than ", Comparison::LessThan),
            ("less than ", Comparison::LessThan),
        ];
        let text = text.trim();
        let form = FORMS.iter().find_map(|(words, form)| Some((text.strip_prefix(words)?, *form)));
        let (number, comparison) = form.unwrap_or((text, Comparison::Equal));
        let is_plain = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
        let number = number.trim();
        let number: f64 = number.parse().ok().filter(|_| number.chars().all(is_plain))?;
        Some(Self { comparison, number })
    }

    /// The condition that the number of things is within this amount. The number is 0 if a cluster
    /// has no series.
    pub(super) fn of_things(self, sources: &[Selection]) -> Condition {
        let has =
            |comparison| Condition::Has(Has::of(sources.to_vec(), Some((comparison, self.number))));
        let is_held_by_none = match self.comparison {
            Comparison::AtLeast | Comparison::Equal => self.number <= 0.0,
            _ => self.number < 0.0,
        };
        match self.comparison {
            Comparison::AtLeast | Comparison::MoreThan if is_held_by_none => Condition::Always,
            Comparison::AtLeast | Comparison::MoreThan => has(self.comparison),
            Comparison::AtMost => Condition::not(has(Comparison::MoreThan)),
            Comparison::LessThan => Condition::not(has(Comparison::AtLeast)),
            Comparison::Equal => {
                let not_more = Condition::not(has(Comparison::MoreThan));
                if is_held_by_none {
                    not_more
                } else {
                    Condition::All(vec![has(Comparison::AtLeast), not_more])
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_numbers_with_words() {
        let read = |text| Amount::read(text).map(|one| (one.comparison, one.number));
        assert_eq!(read("4"), Some((Comparison::Equal, 4.0)));
        assert_eq!(read("at least 4"), Some((Comparison::AtLeast, 4.0)));
        assert_eq!(read("more than 120"), Some((Comparison::MoreThan, 120.0)));
        assert_eq!(read("fewer than 3"), Some((Comparison::LessThan, 3.0)));
        assert_eq!(read("at most 0.5"), Some((Comparison::AtMost, 0.5)));
        for wrong in ["", "four", "at least", "at least four", "inf", "NaN", "1e3", "least 4"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
