//! Which releases the bot promotes from the feeders of channels, and what holds back the others.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::domain::version::{parse, text_of};
use crate::domain::{Arch, Minor, Version};
use crate::graph::{Knowledge, Served, Update, UpdateGraph};
use crate::graph_data::{BlockedEdge, Channel, Feeder, GraphData, ListedVersion};
use crate::lineage::ChannelAges;
use crate::text::words::listed;

use super::delay::Delay;
use super::fixed_in_version;

/// A release that waits in the feeder of a channel.
#[derive(Debug)]
pub(crate) struct Promotion<'d> {
    pub channel: &'d Channel,
    pub feeder: &'d str,
    pub version: &'d str,
    /// When it joined the feeder, in seconds since 1970. None if git does not know.
    pub since: Option<i64>,
    pub outlook: PromotionOutlook,
}

/// Whether a release is promoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PromotionOutlook {
    Promoted(WhyPromoted),
    /// Risks of the release before, that are neither declared for this one nor fixed before it.
    Risks(Vec<UnfinishedRisk>),
    /// No update leads to the minor of the channel.
    NoPath(Minor),
    /// Only updates that may not exist lead there.
    UncertainPath(Minor),
    /// The delay is not over, or the erratum is not public.
    Waits {
        /// When the delay ends, in seconds since 1970. None if there is no delay.
        until: Option<i64>,
        /// Whether a public erratum ends the wait, too. Only the network knows.
        for_erratum: bool,
    },
    /// It is unknown since when it is in the feeder.
    UnknownAge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhyPromoted {
    DelayIsOver,
    ErratumIsPublic,
}

/// A risk that stops a promotion.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct UnfinishedRisk {
    /// Its name, or the file of a block without a name.
    pub name: String,
    /// The release before, which has the risk.
    pub on: String,
    /// The later release in which it is fixed.
    pub fixed_in: Option<String>,
}

/// What decides about promotions.
#[derive(Debug)]
pub(crate) struct PromotionQuestion<'q> {
    pub data: &'q GraphData,
    pub graph: &'q UpdateGraph,
    pub ages: &'q ChannelAges,
    /// In seconds since 1970.
    pub now: i64,
    /// The releases whose errata are public.
    pub public_errata: &'q BTreeSet<String>,
    /// The names of channels. Empty for all.
    pub channels: &'q [String],
}

/// A channel with what feeds it.
struct Fed<'d> {
    channel: &'d Channel,
    feeder: &'d Feeder,
    source: &'d Channel,
    /// The versions that can be promoted.
    candidates: BTreeSet<&'d Version>,
}

impl<'q> PromotionQuestion<'q> {
    /// The releases that wait, by channel and version.
    pub(crate) fn promotions(&self) -> Vec<Promotion<'q>> {
        let mut channels: Vec<&Channel> = self.data.channels.iter().collect();
        channels.sort_by_key(|channel| channel.name());
        let is_named = |channel: &&Channel| {
            self.channels.is_empty() || self.channels.iter().any(|name| name == channel.name())
        };
        let fed = channels.into_iter().filter(is_named).filter_map(|channel| self.fed(channel));
        fed.flat_map(|fed| self.of_channel(&fed)).collect()
    }

    fn fed(&self, channel: &'q Channel) -> Option<Fed<'q>> {
        let feeder = channel.feeder.as_ref()?;
        let name = feeder.name.as_ref()?.value.as_str();
        let source = self.data.channels.iter().find(|one| one.name() == name)?;
        let filter = feeder.filter();
        let withdrawn: HashSet<&str> = texts(&source.tombstones).collect();
        let members: HashSet<&str> = texts(&channel.versions).collect();
        let is_candidate = |member: &&ListedVersion| {
            let text = member.text.value.as_str();
            !members.contains(text) && !withdrawn.contains(text) && filter.allows(text)
        };
        let candidates = source.versions.iter().filter(is_candidate);
        let candidates = candidates.filter_map(|member| member.version.as_ref()).collect();
        Some(Fed { channel, feeder, source, candidates })
    }

    fn of_channel(&self, fed: &Fed<'q>) -> Vec<Promotion<'q>> {
        let source_path = self.data.path(fed.source.file);
        let in_source: BTreeMap<&Version, &'q str> = fed
            .source
            .versions
            .iter()
            .filter_map(|member| Some((member.version.as_ref()?, member.text.value.as_str())))
            .collect();
        let promotion = |version: &&'q Version| {
            let text = *in_source.get(*version)?;
            let since = self.ages.joined(source_path, text).map(|(joined, _)| joined);
            Some(Promotion {
                channel: fed.channel,
                feeder: fed.source.name(),
                version: text,
                since,
                outlook: self.outlook(fed, version, since),
            })
        };
        fed.candidates.iter().filter_map(promotion).collect()
    }

    fn outlook(&self, fed: &Fed<'_>, version: &Version, since: Option<i64>) -> PromotionOutlook {
        let unfinished = self.unfinished_risks(fed, version);
        if !unfinished.is_empty() {
            return PromotionOutlook::Risks(unfinished);
        }
        match self.path_out(fed.channel, version) {
            PathOut::Exists => {}
            PathOut::Uncertain(minor) => return PromotionOutlook::UncertainPath(minor),
            PathOut::Missing(minor) => return PromotionOutlook::NoPath(minor),
        }
        let for_erratum = fed.feeder.errata.is_some();
        if for_erratum && self.public_errata.contains(&text_of(version)) {
            return PromotionOutlook::Promoted(WhyPromoted::ErratumIsPublic);
        }
        let delay = fed.feeder.delay.as_ref().and_then(|delay| Delay::parse(&delay.value));
        let Some(delay) = delay else {
            return PromotionOutlook::Waits { until: None, for_erratum };
        };
        let Some(since) = since else { return PromotionOutlook::UnknownAge };
        let until = since.saturating_add(delay.seconds());
        if self.now > until {
            return PromotionOutlook::Promoted(WhyPromoted::DelayIsOver);
        }
        PromotionOutlook::Waits { until: Some(until), for_erratum }
    }

    /// The risks that stop the bot. It looks only at the files of the release before, among those
    /// that the channel has or could get.
    fn unfinished_risks(&self, fed: &Fed<'_>, version: &Version) -> Vec<UnfinishedRisk> {
        let members = fed.channel.versions.iter().filter_map(|member| member.version.as_ref());
        let before = members.chain(fed.candidates.iter().copied()).filter(|other| {
            Minor::of(other) == Minor::of(version) && other.cmp_precedence(version).is_lt()
        });
        let Some(before) = before.max_by(|a, b| a.cmp_precedence(b)) else { return Vec::new() };
        let key = |edge: &BlockedEdge| match &edge.name {
            Some(name) => name.value.to_string(),
            None => self.data.path(edge.file).to_owned(),
        };
        let edges_of = |target: &Version| {
            let target = target.clone();
            let edges = self.data.blocked_edges.iter();
            edges.filter(move |edge| edge.target.as_ref() == Some(&target))
        };
        let own: BTreeSet<String> = edges_of(version).map(key).collect();
        let unfinished = edges_of(before).filter_map(|edge| {
            let name = key(edge);
            let fixed = fixed_in_version(edge);
            let is_fixed =
                fixed.as_ref().is_some_and(|fixed| fixed.cmp_precedence(version).is_le());
            (!is_fixed && !own.contains(&name)).then(|| UnfinishedRisk {
                name,
                on: text_of(before),
                fixed_in: fixed.as_ref().map(text_of),
            })
        });
        let unfinished: BTreeSet<UnfinishedRisk> = unfinished.collect();
        unfinished.into_iter().collect()
    }

    /// Whether a path leads to the minor of a channel from a release of another minor. The bot
    /// looks at the candidate channels of the minors between them, and only at members of the
    /// channel.
    fn path_out(&self, channel: &Channel, version: &Version) -> PathOut {
        let Some(parts) = channel.parts() else { return PathOut::Exists };
        let (goal, own) = (parts.minor, Minor::of(version));
        if parts.phase == "candidate" || goal == own || goal.major != own.major {
            return PathOut::Exists;
        }
        if self
            .reaches(channel, version, goal, |update| update.edge.knowledge != Knowledge::Uncertain)
        {
            PathOut::Exists
        } else if self.reaches(channel, version, goal, |_| true) {
            PathOut::Uncertain(goal)
        } else {
            PathOut::Missing(goal)
        }
    }

    fn reaches(
        &self,
        channel: &Channel,
        version: &Version,
        goal: Minor,
        counts: fn(&Update<'_>) -> bool,
    ) -> bool {
        let own = Minor::of(version);
        let members: HashSet<&str> = texts(&channel.versions).collect();
        let text = text_of(version);
        let mut updates: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for minor in own.minor + 1..=goal.minor {
            let name = format!("candidate-{}", Minor { major: goal.major, minor });
            let Some(id) = self.graph.channel(&name) else { continue };
            let served = Served::of(self.graph, id, Arch::default());
            let known = served.updates().filter(|update| update.is_served() && counts(update));
            for update in known {
                let (from, to) = (served.version(update.from), served.version(update.to));
                if members.contains(&*to) && (*from == *text || members.contains(&*from)) {
                    updates.entry(from.into_owned()).or_default().push(to.into_owned());
                }
            }
        }
        let mut seen: HashSet<String> = HashSet::new();
        let mut next = vec![text];
        while let Some(release) = next.pop() {
            let targets = updates.get(&release).into_iter().flatten();
            for target in targets.filter(|target| seen.insert((*target).clone())) {
                if parse(target).is_some_and(|one| Minor::of(&one) == goal) {
                    return true;
                }
                next.push(target.clone());
            }
        }
        false
    }
}

/// Whether updates lead from a release to the minor of a channel.
enum PathOut {
    Exists,
    Uncertain(Minor),
    Missing(Minor),
}

fn texts(members: &[ListedVersion]) -> impl Iterator<Item = &str> {
    members.iter().map(|member| member.text.value.as_str())
}

impl Promotion<'_> {
    pub(crate) fn is_promoted(&self) -> bool {
        matches!(self.outlook, PromotionOutlook::Promoted(_))
    }

    /// Whether only a change of the data lets it through.
    pub(crate) fn is_stopped(&self) -> bool {
        matches!(self.outlook, PromotionOutlook::Risks(_))
    }

    pub(crate) fn waits_for_erratum(&self) -> bool {
        matches!(self.outlook, PromotionOutlook::Waits { for_erratum: true, .. })
    }
}

impl UnfinishedRisk {
    /// What has to be done, in words.
    pub(crate) fn in_words(&self, version: &str) -> String {
        let Self { name, on, fixed_in } = self;
        match fixed_in {
            Some(fixed) => format!(
                "`{name}` is on {on} and is not fixed until {fixed}: extend it to {version}"
            ),
            None => format!(
                "`{name}` is on {on}: extend it to {version}, or say in which release it is fixed"
            ),
        }
    }
}

impl PromotionOutlook {
    /// What holds the release back, in words. None if it is promoted.
    pub(crate) fn hold(&self, version: &str, day: impl Fn(i64) -> String) -> Option<String> {
        Some(match self {
            Self::Promoted(_) => return None,
            Self::Risks(risks) => {
                let words: Vec<String> = risks.iter().map(|risk| risk.in_words(version)).collect();
                listed(&words, "and")
            }
            Self::NoPath(minor) => {
                format!("no path leads from {version} to {minor} in this channel")
            }
            Self::UncertainPath(minor) => {
                format!(
                    "it is uncertain whether a path leads from {version} to {minor} in this channel"
                )
            }
            Self::UnknownAge => "git does not know since when it is in the feeder".to_owned(),
            Self::Waits { until: Some(until), for_erratum: false } => {
                format!("waits until {}", day(*until))
            }
            Self::Waits { until: Some(until), for_erratum: true } => {
                format!("waits until {}, or for its erratum", day(*until))
            }
            Self::Waits { until: None, for_erratum: true } => "waits for its erratum".to_owned(),
            Self::Waits { until: None, for_erratum: false } => {
                "the feeder names neither a delay nor errata".to_owned()
            }
        })
    }
}
