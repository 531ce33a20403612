//! Compares two answers of update services, update by update.

mod read;

pub(crate) use read::{TheirAnswer, read};

use std::collections::{BTreeMap, BTreeSet};

use petgraph::graph::NodeIndex;

use crate::domain::version::without_build;
use crate::domain::{HashSet, Version};
use crate::graph::{Knowledge, Risk, Served, State};

/// How the answers for one channel and architecture differ. Versions are without architectures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Differences {
    /// Whether the service has no release of the channel, but we have some.
    pub lack_everything: bool,
    /// The releases that only the service has, oldest first.
    pub only_theirs: Vec<Version>,
    pub only_ours: Vec<Version>,
    /// Releases with other lists of channels.
    pub other_channels: Vec<Version>,
    /// Releases with other images.
    pub other_images: Vec<Version>,
    /// The updates that differ, in order of target and origin.
    pub updates: Vec<DifferentUpdate>,
    /// The names of risks with other texts or rules.
    pub risks: Vec<String>,
    /// How many updates are omitted because we do not know whether they exist.
    pub uncertain: usize,
}

/// An update that differs between the answers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DifferentUpdate {
    pub to: Version,
    pub from: Version,
    pub theirs: Offered,
    pub ours: Offered,
}

/// How a service offers an update.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Offered {
    #[default]
    Not,
    Open,
    /// It is offered with risks of these names.
    Conditional(BTreeSet<String>),
}

type Updates = BTreeMap<(Version, Version), Offered>;

impl Differences {
    pub(crate) fn between(theirs: &Served<'_>, ours: &Served<'_>) -> Self {
        let (their_releases, our_releases) = (releases(theirs), releases(ours));
        let both = || {
            let shared = their_releases.iter();
            shared.filter_map(|(version, node)| Some((version, *node, *our_releases.get(version)?)))
        };
        let other_images = both().filter(|(_, theirs_at, ours_at)| {
            let theirs = &theirs.whole.release(*theirs_at).payload;
            let ours = &ours.whole.release(*ours_at).payload;
            // An unknown image does not count as a difference.
            theirs.is_some() && ours.is_some() && theirs != ours
        });
        let other_channels = both().filter(|(_, theirs_at, ours_at)| {
            channels(theirs, *theirs_at) != channels(ours, *ours_at)
        });
        let mut differences = Self {
            lack_everything: their_releases.is_empty() && !our_releases.is_empty(),
            only_theirs: missing(&their_releases, &our_releases),
            only_ours: missing(&our_releases, &their_releases),
            other_channels: other_channels.map(|(version, ..)| version.clone()).collect(),
            other_images: other_images.map(|(version, ..)| version.clone()).collect(),
            risks: different_risks(theirs, ours),
            ..Self::default()
        };
        differences.compare_updates(&updates(theirs), &updates(ours), &uncertain(ours));
        differences
    }

    fn compare_updates(
        &mut self,
        theirs: &Updates,
        ours: &Updates,
        uncertain: &HashSet<(Version, Version)>,
    ) {
        let pairs: BTreeSet<&(Version, Version)> = theirs.keys().chain(ours.keys()).collect();
        for pair in pairs {
            let of = |updates: &Updates| updates.get(pair).cloned().unwrap_or_default();
            let (theirs, ours) = (of(theirs), of(ours));
            if theirs == ours {
                continue;
            }
            let exists_in_one = theirs == Offered::Not || ours == Offered::Not;
            if exists_in_one && uncertain.contains(pair) {
                self.uncertain += 1;
            } else {
                let (to, from) = pair.clone();
                self.updates.push(DifferentUpdate { to, from, theirs, ours });
            }
        }
    }

    pub(crate) fn are_none(&self) -> bool {
        self.count() == 0
    }

    pub(crate) fn count(&self) -> usize {
        let releases = self.only_theirs.len() + self.only_ours.len();
        let metadata = self.other_channels.len() + self.other_images.len();
        releases + metadata + self.updates.len() + self.risks.len()
    }

    /// Whether the only differences are releases that the service lacks, with their updates.
    pub(crate) fn lack_only_releases(&self) -> bool {
        let lacked: HashSet<&Version> = self.only_ours.iter().collect();
        let is_explained = |update: &DifferentUpdate| {
            update.theirs == Offered::Not
                && (lacked.contains(&update.from) || lacked.contains(&update.to))
        };
        !self.only_ours.is_empty()
            && self.only_theirs.is_empty()
            && self.other_channels.is_empty()
            && self.other_images.is_empty()
            && self.risks.is_empty()
            && self.updates.iter().all(is_explained)
    }
}

fn releases(served: &Served<'_>) -> BTreeMap<Version, NodeIndex> {
    let of = |node: &NodeIndex| (without_build(&served.whole.release(*node).version), *node);
    served.members.iter().map(of).collect()
}

fn missing(of: &BTreeMap<Version, NodeIndex>, from: &BTreeMap<Version, NodeIndex>) -> Vec<Version> {
    of.keys().filter(|version| !from.contains_key(*version)).cloned().collect()
}

fn channels<'g>(served: &Served<'g>, node: NodeIndex) -> BTreeSet<&'g str> {
    let channels = served.whole.release(node).channels.iter();
    channels.map(|id| served.whole.channels[*id].as_str()).collect()
}

fn updates(served: &Served<'_>) -> Updates {
    let version = |node| without_build(&served.whole.release(node).version);
    let offered = served.updates().filter_map(|update| {
        let offered = match &update.reason.state {
            State::Open => Offered::Open,
            state @ State::Conditional(_) => {
                let names = served.whole.risk_names(state);
                Offered::Conditional(names.into_iter().map(str::to_owned).collect())
            }
            State::Blocked => return None,
        };
        Some(((version(update.to), version(update.from)), offered))
    });
    offered.collect()
}

/// The updates whose prediction is uncertain, as origins and targets.
fn uncertain(served: &Served<'_>) -> HashSet<(Version, Version)> {
    let version = |node| without_build(&served.whole.release(node).version);
    let likely = served.updates().filter(|update| update.edge.knowledge == Knowledge::Uncertain);
    let likely = likely.map(|update| (update.to, update.from));
    let unlikely = served.whole.unlikely.iter().map(|(from, to)| (*to, *from));
    likely.chain(unlikely).map(|(to, from)| (version(to), version(from))).collect()
}

/// The names of risks that both serve, but not with the same texts and rules.
fn different_risks(theirs: &Served<'_>, ours: &Served<'_>) -> Vec<String> {
    let (theirs, ours) = (risks(theirs), risks(ours));
    let both = theirs.iter().filter_map(|(name, risks)| Some((name, risks, ours.get(name)?)));
    both.filter(|(_, theirs, ours)| theirs != ours).map(|(name, ..)| (*name).to_owned()).collect()
}

/// The risks of the served updates, by name.
fn risks<'g>(served: &Served<'g>) -> BTreeMap<&'g str, HashSet<&'g Risk>> {
    let mut risks: BTreeMap<&str, HashSet<&Risk>> = BTreeMap::new();
    for update in served.updates() {
        if let State::Conditional(ids) = &update.reason.state {
            for risk in ids.iter().map(|id| served.whole.risk(*id)) {
                risks.entry(&risk.name).or_default().insert(risk);
            }
        }
    }
    risks
}
