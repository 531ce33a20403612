//! Whether a cluster can be updated within its own minor version, and to the next one. If not, what
//! holds it.

use std::collections::BTreeSet;

use super::answer::{Node, ServiceAnswer};
use super::object::{Condition, ConditionalUpdate, ObjectRisk, condition, newest_first};
use super::operator::Stored;
use crate::domain::channel_name::phase_rank;
use crate::domain::{ChannelName, Minor, Version, by_age, version};
use crate::graph::CHANNELS_KEY;

/// A minor version that the cluster may be updated to, and what holds those updates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MinorOutlook {
    pub(crate) minor: Minor,
    /// Whether it is the cluster's own minor version.
    pub(crate) is_own: bool,
    pub(crate) state: ForwardState,
    /// The condition because of which the operator refuses all updates to this minor version.
    pub(crate) refusal: Option<Condition>,
}

/// Whether updates to a minor version are recommended. If not, what holds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ForwardState {
    Recommended,
    /// The cluster runs the newest release of its minor version in the channel.
    Newest,
    /// The channel has no release of it. `others` are channels that have the cluster's release, and
    /// releases of this or a later minor version. The nearest and best supported channels come
    /// first.
    NotInChannel {
        others: Vec<String>,
    },
    /// The cluster has no update to it.
    NoUpdate {
        /// The newest release of this minor version in the channel.
        newest: String,
        /// The newest release of the cluster's own minor version that has an update to it.
        after: Option<String>,
    },
    /// Risks hold all updates.
    Held {
        /// The targets, newest first.
        targets: Vec<String>,
        /// The names of risks that apply, or may apply.
        risks: Vec<String>,
        /// Whether none of the risks is known to apply, because the cluster cannot tell.
        is_unknown: bool,
    },
}

impl MinorOutlook {
    /// The state of a cluster that runs `running`. `stored` is what its operator stored of the
    /// answer. Empty if the answer does not have that version.
    pub(crate) fn all(answer: &ServiceAnswer, running: &str, stored: &Stored) -> Vec<Self> {
        let Some(version) = version::parse(running) else { return Vec::new() };
        let Some(node) = answer.nodes.iter().find(|node| is_same(&node.version, &version)) else {
            return Vec::new();
        };
        let chart = KnownUpdates { answer, stored, running: &version, node };
        let own = Minor::of(&version);
        let minors: BTreeSet<Minor> =
            answer.nodes.iter().map(|node| Minor::of(&node.version)).collect();
        let next = minors.into_iter().find(|minor| *minor > own);
        let next = next.map_or_else(|| chart.elsewhere(own), |next| chart.forward(next));
        vec![chart.forward(own), next]
    }
}

/// What is known about the updates of a cluster.
struct KnownUpdates<'a> {
    answer: &'a ServiceAnswer,
    stored: &'a Stored,
    running: &'a Version,
    node: &'a Node,
}

impl KnownUpdates<'_> {
    fn forward(&self, minor: Minor) -> MinorOutlook {
        let is_own = minor == Minor::of(self.running);
        let later =
            self.answer.nodes.iter().map(|node| &node.version).filter(|version| {
                Minor::of(version) == minor && by_age(version, self.running).is_gt()
            });
        let state = match later.max_by(|a, b| by_age(a, b)) {
            None => ForwardState::Newest,
            Some(newest) => self.state(minor, newest),
        };
        MinorOutlook { minor, is_own, state, refusal: self.refusal(is_own) }
    }

    fn state(&self, minor: Minor, newest: &Version) -> ForwardState {
        let is_of = |text: &str| version::parse(text).is_some_and(|it| Minor::of(&it) == minor);
        if self.stored.available_updates.iter().any(|release| is_of(&release.version)) {
            return ForwardState::Recommended;
        }
        let updates = self.stored.conditional_updates.iter();
        let held: Vec<&ConditionalUpdate> =
            updates.filter(|update| is_of(&update.release.version)).collect();
        if held.is_empty() {
            return ForwardState::NoUpdate { newest: newest.to_string(), after: self.after(minor) };
        }
        let recommended = |update: &&ConditionalUpdate| {
            condition(&update.conditions, "Recommended").map(|one| one.status.clone())
        };
        let is_unknown = held.iter().all(|update| recommended(update).as_deref() != Some("False"));
        let mut targets: Vec<String> =
            held.iter().map(|update| update.release.version.clone()).collect();
        targets.sort_by(|a, b| newest_first(a, b));
        let risks: BTreeSet<String> = held.iter().flat_map(|update| holding(update)).collect();
        ForwardState::Held { targets, risks: risks.into_iter().collect(), is_unknown }
    }

    /// The newest release of the cluster's own minor version that has an update to `minor`.
    fn after(&self, minor: Minor) -> Option<String> {
        let own = Minor::of(self.running);
        if own == minor {
            return None;
        }
        let is_from =
            |version: &Version| Minor::of(version) == own && by_age(version, self.running).is_gt();
        let nodes = &self.answer.nodes;
        let node = |at: i64| usize::try_from(at).ok().and_then(|at| nodes.get(at));
        let plain = self.answer.edges.iter().filter_map(|(from, to)| {
            Some((node(*from)?.version.clone(), Minor::of(&node(*to)?.version)))
        });
        let groups = self.answer.conditional_edges.iter();
        let conditional = groups.flat_map(|group| &group.edges).filter_map(|(from, to)| {
            Some((version::parse(from)?, Minor::of(&version::parse(to)?)))
        });
        let found = plain.chain(conditional).filter(|(from, to)| is_from(from) && *to == minor);
        found.map(|(from, _)| from).max_by(by_age).map(|version| version.to_string())
    }

    /// The state of the next minor version if the channel does not have it.
    fn elsewhere(&self, own: Minor) -> MinorOutlook {
        let channels = self.node.metadata.get(CHANNELS_KEY).and_then(|value| value.as_str());
        let later = channels.unwrap_or_default().split(',').filter_map(|name| {
            let minor = ChannelName::parse(name)?.minor;
            (minor > own).then(|| (minor, phase_rank(name), name.to_owned()))
        });
        let later: BTreeSet<(Minor, usize, String)> = later.collect();
        let minor =
            later.first().map_or(Minor { minor: own.minor + 1, ..own }, |(minor, ..)| *minor);
        let others = later.into_iter().map(|(.., name)| name).collect();
        let state = ForwardState::NotInChannel { others };
        MinorOutlook { minor, is_own: false, state, refusal: self.refusal(false) }
    }

    fn refusal(&self, is_own: bool) -> Option<Condition> {
        let upgradeable = condition(&self.stored.conditions, "Upgradeable");
        upgradeable.filter(|one| one.status == "False" && !is_own).cloned()
    }
}

/// The risks that the condition of a target mentions.
fn holding(update: &ConditionalUpdate) -> Vec<String> {
    let Some(verdict) = condition(&update.conditions, "Recommended") else { return Vec::new() };
    update.risks.iter().flatten().filter(|risk| speaks_of(verdict, risk)).map(name).collect()
}

fn name(risk: &ObjectRisk) -> String {
    risk.name.clone()
}

/// Whether a condition `Recommended` mentions a risk.
pub(crate) fn speaks_of(verdict: &Condition, risk: &ObjectRisk) -> bool {
    verdict.reason == risk.name
        || verdict.message.contains(&format!("{} {}", risk.message, risk.url))
        || verdict.message.contains(&format!(" {} (", risk.name))
        || verdict.message.contains(&format!("Exposure to {} is unknown", risk.name))
}

fn is_same(a: &Version, b: &Version) -> bool {
    version::without_build(a) == version::without_build(b)
}
