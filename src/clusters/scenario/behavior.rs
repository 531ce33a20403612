//! How a service misbehaves.

use std::ops::RangeInclusive;
use std::time::Duration;

/// How the answers for a channel differ from good ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Behavior {
    pub delay: Option<RangeInclusive<Duration>>,
    pub status: Option<u16>,
    pub content_type: Option<String>,
    pub body: Option<String>,
    /// The connection breaks after this many bytes of the body.
    pub cut_after: Option<usize>,
    /// The percentage of requests that are affected.
    pub percent: u8,
    pub(super) seed: u64,
}

/// How the answer to one request differs from a good one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AnswerChanges<'b> {
    pub delay: Duration,
    pub status: Option<u16>,
    pub content_type: Option<&'b str>,
    pub body: Option<&'b str>,
    pub cut_after: Option<usize>,
}

impl Behavior {
    /// The answer to a request, by its number. Equal numbers always get equal answers.
    pub(crate) fn answer(&self, nth: u64) -> AnswerChanges<'_> {
        let random = mixed(self.seed ^ mixed(nth));
        if random % 100 >= u64::from(self.percent) {
            return AnswerChanges::default();
        }
        AnswerChanges {
            delay: self.delay.as_ref().map_or(Duration::ZERO, |range| within(range, random)),
            status: self.status,
            content_type: self.content_type.as_deref(),
            body: self.body.as_deref(),
            cut_after: self.cut_after,
        }
    }
}

impl AnswerChanges<'_> {
    /// Whether the answer itself is changed, and not only its delivery.
    pub(crate) fn changes_answer(&self) -> bool {
        self.status.is_some()
            || self.content_type.is_some()
            || self.body.is_some()
            || self.cut_after.is_some()
    }
}

fn within(range: &RangeInclusive<Duration>, random: u64) -> Duration {
    let (least, most) = (range.start().as_millis(), range.end().as_millis());
    let more = u128::from(random >> 8) % (most.saturating_sub(least) + 1);
    Duration::from_millis(u64::try_from(least + more).unwrap_or(u64::MAX))
}

/// The finalizer of SplitMix64: pseudorandom numbers that are the same on every machine.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::Behavior;

    #[test]
    fn about_the_given_share_of_requests_fails_and_always_the_same() {
        let behavior = Behavior { status: Some(503), percent: 30, seed: 7, ..Behavior::default() };
        let fails = |nth: u64| behavior.answer(nth).status == Some(503);
        let failed: Vec<u64> = (0..1000).filter(|nth| fails(*nth)).collect();
        assert!((250..350).contains(&failed.len()), "{}", failed.len());
        assert!(failed.iter().all(|nth| fails(*nth)));
        let other = Behavior { seed: 8, ..behavior.clone() };
        assert!((0..1000).any(|nth| other.answer(nth) != behavior.answer(nth)));
    }

    #[test]
    fn by_default_all_requests_are_affected() {
        let behavior = Behavior { status: Some(500), percent: 100, ..Behavior::default() };
        assert!((0..100).all(|nth| behavior.answer(nth).status == Some(500)));
    }
}
