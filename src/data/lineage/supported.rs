//! Decides which releases are supported. Supported releases must have an exit path.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use regex::Regex;
use semver::{BuildMetadata, Prerelease, VersionReq};

use crate::domain::time::day;
use crate::domain::{Minor, Product, Version, is_general};
use crate::graph_data::GraphData;
use crate::text::words::counted;

use super::enabled::{DAY, Enabled};
use super::lifecycle::{Lifecycle, SupportStage};
use super::{Lineage, Past};

/// A rule for supported releases.
#[derive(Clone, Debug, PartialEq)]
pub enum Support {
    /// Releases of minors that the life cycle supports. Of minors that it does not know, those with
    /// a release that is at most [`RECENT`] days old.
    Lifecycle(Arc<Lifecycle>),
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
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ages {
    /// None for a graph without a history.
    newest: Option<BTreeMap<Minor, i64>>,
    today: i64,
    /// The current day as a date. None without a history: then, times are only an order.
    date: Option<String>,
    /// Whether the times are estimates, because the history is not complete.
    is_estimate: bool,
}

/// How many days old the newest release of a supported minor is at most, if nothing else is known.
const RECENT: u32 = 90;

impl Default for Support {
    fn default() -> Self {
        Self::Lifecycle(Lifecycle::built_in())
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
            Self::Lifecycle(table) => format!("releases of minors in support by {}", table.name),
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
    /// Applies a policy to a repository. If it is unknown when releases were enabled, rules about
    /// ages support all releases that are generally available.
    pub fn of(data: &GraphData, lineage: &Lineage, past: &Past, policy: Policy) -> Self {
        Self { policy, ages: Ages::of(data, lineage, past) }
    }

    pub fn with(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// Takes another day than that of the revision: seconds since 1970.
    pub fn on(self, today: i64) -> Self {
        let ages = match self.ages {
            // Without a history, times are no dates, and the age of a minor stays what it is.
            Some(ages) if ages.is_estimate => Ages { date: Some(day(today)), ..ages },
            Some(ages) => Ages { today, date: Some(day(today)), ..ages },
            None => Ages { newest: None, today, date: Some(day(today)), is_estimate: false },
        };
        Self { ages: Some(ages), ..self }
    }

    /// Whether another state of the repository, with the same policy, surely supports the same
    /// releases of a minor.
    #[cfg(feature = "lsp")]
    pub(crate) fn is_surely_as(&self, other: &Self, minor: Minor) -> bool {
        match (&self.ages, &other.ages) {
            (Some(own), Some(other)) => own.are_alike(other, minor),
            (own, other) => own == other,
        }
    }

    /// Whether it is known on which day the releases must be supported.
    pub fn is_dated(&self) -> bool {
        self.date().is_some()
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
            Support::Lifecycle(table) => match self.stage(table, version) {
                SupportStage::Unknown => self.is_recent(version, RECENT),
                SupportStage::Supported { .. } => true,
                SupportStage::Announced(_) | SupportStage::Ended(_) => false,
            },
            Support::Days(days) => self.is_recent(version, *days),
            Support::Range(range) => is_in(range, version),
        }
    }

    /// What the life cycle says of the minor of a release, on the day of the revision. It is that
    /// of OpenShift: nothing is published about OKD.
    fn stage<'l>(&self, table: &'l Lifecycle, version: &Version) -> SupportStage<'l> {
        match self.date().filter(|_| Product::of(version) == Product::OpenShift) {
            Some(date) => table.stage(Minor::of(version), date),
            None => SupportStage::Unknown,
        }
    }

    fn knows_ages(&self) -> bool {
        self.ages.as_ref().is_some_and(|ages| ages.newest.is_some())
    }

    fn date(&self) -> Option<&str> {
        self.ages.as_ref()?.date.as_deref()
    }

    /// Whether the newest release of a minor is at most this many days old. True if no ages are
    /// known at all.
    fn is_recent(&self, version: &Version, days: u32) -> bool {
        let age = || self.ages.as_ref()?.days(Minor::of(version));
        !self.knows_ages() || age().is_some_and(|age| age <= i64::from(days))
    }

    /// A note if ages are unknown or estimated, or if the life cycle does not know some of these
    /// minors, and the policy uses them.
    pub fn note(&self, minors: &BTreeSet<Minor>) -> Option<String> {
        let channels = self.policy.channels.iter().map(|(_, support)| support);
        let mut rules = channels.chain([&self.policy.usual]);
        let by_age = rules.find(|one| matches!(one, Support::Days(_) | Support::Lifecycle(_)))?;
        match (&self.ages, by_age) {
            (None, _) | (Some(Ages { newest: None, .. }), Support::Days(_)) => Some(
                "without a git history, the age of releases is unknown: all releases count as supported"
                    .to_owned(),
            ),
            (Some(ages), Support::Lifecycle(table)) if ages.date.is_some() => {
                let newer = table.not_known_yet(minors)?;
                let rule = match ages.newest {
                    Some(_) => format!("if it has a release in the last {RECENT} days"),
                    None => "because the age of its releases is unknown".to_owned(),
                };
                Some(format!(
                    "{} does not know {newer}: a minor that it does not know counts as supported {rule}",
                    table.name
                ))
            }
            (Some(ages), _) if ages.is_estimate => Some(
                "without the whole git history, the age of releases is estimated from the order of internal-channels/candidate.yaml"
                    .to_owned(),
            ),
            (Some(_), _) => None,
        }
    }

    /// Which releases of a graph with these minors are supported.
    pub fn in_words(&self, minors: &BTreeSet<Minor>) -> String {
        let without_ages =
            || "every release, because their age is unknown without a git history".to_owned();
        let usual = match &self.policy.usual {
            Support::Days(_) if !self.knows_ages() => without_ages(),
            Support::Lifecycle(_) if self.ages.is_none() => without_ages(),
            Support::Lifecycle(_) if self.date().is_none() => {
                let by_age = Support::Days(RECENT).in_words();
                format!("{by_age} (estimated, without the whole git history)")
            }
            usual @ Support::Days(_) if self.ages.as_ref().is_some_and(|ages| ages.is_estimate) => {
                format!("{} (estimated, without the whole git history)", usual.in_words())
            }
            usual @ Support::Lifecycle(table) => match table.not_known_yet(minors) {
                Some(newer) => format!("{}, which does not know {newer}", usual.in_words()),
                None => usual.in_words(),
            },
            usual => usual.in_words(),
        };
        match self.policy.channels.len() {
            0 => usual,
            _ => format!("{usual}; exitpath.toml has other rules for some channels"),
        }
    }

    pub fn why(&self, channel: &str, version: &Version) -> String {
        let minor = Minor::of(version);
        match (self.policy.of(channel), &self.ages) {
            (Support::Every, _) => "every release is checked".to_owned(),
            _ if !is_general(version) => "it is a pre-release".to_owned(),
            (Support::Days(_) | Support::Lifecycle(_), None) => {
                "without a git history, all releases are checked".to_owned()
            }
            (Support::Days(days), Some(ages)) => ages.in_words(minor, *days),
            (Support::Lifecycle(table), Some(ages)) => match self.stage(table, version) {
                SupportStage::Unknown => ages.in_words(minor, RECENT),
                SupportStage::Announced(day) => format!("{minor} becomes available on {day}"),
                SupportStage::Supported { phase, until } => {
                    format!("{minor} is supported until {until} ({phase})")
                }
                SupportStage::Ended(day) => format!("the support of {minor} ended on {day}"),
            },
            (Support::Range(range), _) => {
                let is = if is_in(range, version) { "is" } else { "is not" };
                format!("it {is} in the range `{range}`")
            }
            (Support::General, _) => "every generally available release is checked".to_owned(),
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
    #[cfg(feature = "lsp")]
    fn are_alike(&self, other: &Self, minor: Minor) -> bool {
        let newest = |ages: &Self| ages.newest.as_ref().map(|newest| newest.get(&minor).copied());
        let Self { newest: _, today, date, is_estimate } = self;
        (*today, date, *is_estimate) == (other.today, &other.date, other.is_estimate)
            && newest(self) == newest(other)
    }

    fn of(data: &GraphData, lineage: &Lineage, past: &Past) -> Option<Self> {
        let history = past.history.as_deref();
        let newest = lineage.newest.clone();
        let newest = newest.unwrap_or_else(|| Enabled::of(data, history).newest(data));
        let Some(history) = history else {
            // Without a history, times are estimates from the order of enabling. Ages are counted
            // up to the newest of these times.
            let newest = Some(newest).filter(|_| Enabled::has_order(data));
            let today = newest.iter().flat_map(BTreeMap::values).max().copied();
            let is_known = today.is_some() || past.date.is_some();
            return is_known.then(|| Self {
                newest,
                today: today.unwrap_or_default(),
                date: past.date.map(day),
                is_estimate: true,
            });
        };
        let today = past.today(history);
        Some(Self {
            newest: Some(newest),
            today,
            date: Some(day(today)),
            is_estimate: !history.is_whole,
        })
    }

    /// The age of a minor's newest release in days, on the day of the revision.
    fn days(&self, minor: Minor) -> Option<i64> {
        // Rounds up: 90 days and one hour are more than 90 days.
        let seconds = self.today - self.newest.as_ref()?.get(&minor)?;
        Some(seconds.div_euclid(DAY) + i64::from(seconds.rem_euclid(DAY) > 0))
    }

    fn in_words(&self, minor: Minor, limit: u32) -> String {
        match self.days(minor) {
            None if self.newest.is_none() => {
                format!("the age of the releases of {minor} is unknown")
            }
            None => format!("{minor} has no release in any channel"),
            Some(age) => format!(
                "the newest release of {minor} is {} old (limit {limit})",
                counted(usize::try_from(age).unwrap_or_default(), "day")
            ),
        }
    }
}
