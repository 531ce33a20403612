//! How long a release waits in a feeder: `P1W`, `P4D`, `PT48H`, or `P1DT2H`.

/// A delay in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delay(i64);

const HOUR: i64 = 60 * 60;

impl Delay {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix('P')?;
        let number = |text: &str| text.parse::<u32>().ok().map(i64::from);
        if let Some(weeks) = rest.strip_suffix('W') {
            return Some(Self(number(weeks)? * 7 * 24 * HOUR));
        }
        let (days, hours) = rest.split_once('T').unwrap_or((rest, ""));
        let part = |text: &str, unit: char| match text {
            "" => Some(0),
            some => number(some.strip_suffix(unit)?),
        };
        if days.is_empty() && hours.is_empty() {
            return None;
        }
        Some(Self((part(days, 'D')? * 24 + part(hours, 'H')?) * HOUR))
    }

    pub(super) fn seconds(self) -> i64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Delay, HOUR};

    #[test]
    fn delays_are_those_of_the_bot() {
        let hours = |text| Delay::parse(text).map(|delay| delay.seconds() / HOUR);
        assert_eq!(hours("P1W"), Some(168));
        assert_eq!(hours("P4D"), Some(96));
        assert_eq!(hours("PT48H"), Some(48));
        assert_eq!(hours("PT0H"), Some(0));
        assert_eq!(hours("P1DT2H"), Some(26));
        for other in ["", "P", "1W", "P1M", "PT", "P1WT2H", "PT5M", "P-1D"] {
            assert_eq!(hours(other), None, "{other}");
        }
    }
}
