//! Decides which releases are supported. Supported releases must have an exit path.

use std::collections::BTreeMap;

use regex::Regex;
use semver::{BuildMetadata, Prerelease, VersionReq};

use crate::domain::{Minor, Version, is_general};
use crate::graph_data::GraphData;
use crate::text::words::counted;

use super::enabled::{DAY, Enabled};
use super::{Lineage, Past};

/// A rule for supported releases.
#[derive(Clone, Debug, PartialEq)]
pub enum Support {
    /// Releases of minors whose newest release is at most this many days old.
    Days(u32),
    /// Releases in a range.
    Range(VersionReq),
    /// All releases that are generally available.
    General,
    /// All releases, pre-releases included.
    Every,
}

/// The rules for supported releases, from the config or the user.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    pub usual: Support,
    /// Rules for channels by name pattern. The first matching pattern is used.
    pub channels: Vec<(Regex, Support)>,
}

/// A policy, applied to a repository.
#[derive(Clone, Debug)]
pub struct Supported {
    policy: Policy,
    ages: Option<Ages>,
}

/// When the newest release of each minor was enabled, and the current day: seconds since 1970.
#[derive(Clone, Debug)]
struct Ages {
    newest: BTreeMap<Minor, i64>,
    today: i64,
    /// Whether the times are estimates, because the history is not complete.
    is_estimate: bool,
}

impl Default for Support {
    fn default() -> Self {
        Self::Days(90)
    }
}

impl Support {
    /// Reads a range: `>=4.16, <4.20`, or `*` for every release.
    pub fn range(text: &str) -> Result<Self, semver::Error> {
        let range = VersionReq::parse(text)?;
        Ok(if range == VersionReq::STAR { Self::Every } else { Self::Range(range) })
    }

    pub fn in_words(&self) -> String {
        match self {
            Self::Days(days) => {
                format!("releases of minors with a release in the last {days} days")
            }
            Self::Range(range) => format!("releases in {range}"),
            Self::General => "every generally available release".to_owned(),
            Self::Every => "every release".to_owned(),
        }
    }
}

impl Policy {
    pub fn everywhere(usual: Support) -> Self {
        Self { usual, channels: Vec::new() }
    }

    fn of(&self, channel: &str) -> &Support {
        let own = self.channels.iter().find(|(pattern, _)| pattern.is_match(channel));
        own.map_or(&self.usual, |(_, support)| support)
    }
}

impl Supported {
    /// Applies a policy to a repository. If it is unknown when releases were enabled, all releases
    /// are supported.
    pub fn of(data: &GraphData, lineage: &Lineage, past: &Past, policy: Policy) -> Self {
        Self { policy, ages: Ages::of(data, lineage, past) }
    }

    pub fn with(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// Applies a policy to a graph without a repository.
    pub fn without_past(policy: Policy) -> Self {
        Self { policy, ages: None }
    }

    pub fn holds(&self, channel: &str, version: &Version) -> bool {
        match self.policy.of(channel) {
            Support::Every => true,
            _ if !is_general(version) => false,
            Support::General => true,
            Support::Days(days) => {
                let age = self.ages.as_ref().map(|ages| ages.days(Minor::of(version)));
                age.is_none_or(|age| age.is_some_and(|age| age <= i64::from(*days)))
            }
            Support::Range(range) => is_in(range, version),
        }
    }

    /// A note if ages are unknown or estimated, and the policy uses them.
    pub fn note(&self) -> Option<String> {
        let channels = self.policy.channels.iter().map(|(_, support)| support);
        let is_by_age = |support: &Support| matches!(support, Support::Days(_));
        channels.chain([&self.policy.usual]).find(|support| is_by_age(support))?;
        match &self.ages {
            None => Some(
                "without a git history, the age of releases is unknown: all releases count as supported"
                    .to_owned(),
            ),
            Some(ages) if ages.is_estimate => Some(
                "without the whole git history, the age of releases is estimated from the order of internal-channels/candidate.yaml"
                    .to_owned(),
            ),
            Some(_) => None,
        }
    }

    pub fn in_words(&self) -> String {
        let usual = match &self.policy.usual {
            Support::Days(_) if self.ages.is_none() => {
                "every release, because their age is unknown without a git history".to_owned()
            }
            usual @ Support::Days(_) if self.ages.as_ref().is_some_and(|ages| ages.is_estimate) => {
                format!("{} (estimated, without the whole git history)", usual.in_words())
            }
            usual => usual.in_words(),
        };
        match self.policy.channels.len() {
            0 => usual,
            _ => format!("{usual}; exitpath.toml has other rules for some channels"),
        }
    }

    pub fn why(&self, channel: &str, version: &Version) -> String {
        let Minor { major, minor } = Minor::of(version);
        match (self.policy.of(channel), &self.ages) {
            (Support::General | Support::Days(_) | Support::Range(_), _)
                if !is_general(version) =>
            {
                "it is a pre-release".to_owned()
            }
            (Support::Days(_), None) => {
                "without a git history, all releases are checked".to_owned()
            }
            (Support::Days(days), Some(ages)) => match ages.days(Minor::of(version)) {
                None => format!("{major}.{minor} has no release in any channel"),
                Some(age) => format!(
                    "the newest release of {major}.{minor} is {} old (limit {days})",
                    counted(usize::try_from(age).unwrap_or_default(), "day")
                ),
            },
            (Support::Range(range), _) => {
                let is = if is_in(range, version) { "is" } else { "is not" };
                format!("it {is} in the range `{range}`")
            }
            (Support::General, _) => "every generally available release is checked".to_owned(),
            (Support::Every, _) => "every release is checked".to_owned(),
        }
    }
}

/// Whether a release is in a range. A general release of OKD is in `>=4.16` like one of OpenShift,
/// although its version is a pre-release, unless the range names pre-releases.
fn is_in(range: &VersionReq, version: &Version) -> bool {
    let names_prereleases = range.comparators.iter().any(|one| !one.pre.is_empty());
    let pre = if names_prereleases { version.pre.clone() } else { Prerelease::EMPTY };
    range.matches(&Version { pre, build: BuildMetadata::EMPTY, ..version.clone() })
}

impl Ages {
    fn of(data: &GraphData, lineage: &Lineage, past: &Past) -> Option<Self> {
        let history = past.history.as_deref();
        let newest = lineage.newest.clone();
        let newest = newest.unwrap_or_else(|| Enabled::of(data, history).newest(data));
        let Some(history) = history else {
            // Without a history, times are estimates from the order of enabling, so the current day
            // is the newest of these.
            let today = *newest.values().max()?;
            let is_known = Enabled::has_order(data);
            return is_known.then_some(Self { newest, today, is_estimate: true });
        };
        let today = past.today(history);
        Some(Self { newest, today, is_estimate: !history.is_whole })
    }

    /// The age of a minor's newest release in days, on the day of the revision.
    fn days(&self, minor: Minor) -> Option<i64> {
        // Rounds up: 90 days and one hour are more than 90 days.
        let seconds = self.today - self.newest.get(&minor)?;
        Some(seconds.div_euclid(DAY) + i64::from(seconds.rem_euclid(DAY) > 0))
    }
}
