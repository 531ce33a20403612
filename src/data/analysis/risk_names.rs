//! Risks by name. Clusters and maintainers know risks by name only.

use std::collections::BTreeMap;

use crate::domain::{Arena, ids};
use crate::graph::{Declaration, Reason, ReasonId, RiskId, State, UpdateGraph};

ids! {
    /// The name of a risk of one graph: its place in alphabetical order.
    RiskNameId;
}

/// The names of a graph's risks, in alphabetical order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RiskNames {
    list: Arena<RiskNameId, String>,
    always: Arena<RiskNameId, bool>,
    /// The risks of each reason's updates. None: clusters never take these updates, because they
    /// are blocked or have a risk without a rule that clusters understand.
    of_reason: Arena<ReasonId, Option<Vec<RiskNameId>>>,
    /// For each reason, whether its updates are blocked once all their risks are removed.
    hides_block: Arena<ReasonId, bool>,
}

/// Which risks affect the simulated clusters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AffectingRisks {
    /// The risks that affect them, unless they are accepted.
    pub chosen: ChosenRisks,
    /// The names of risks that an administrator accepts. They close no updates.
    pub accepted: Vec<String>,
}

/// The risks whose updates are removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ChosenRisks {
    /// All risks.
    #[default]
    All,
    /// Risks that affect all clusters.
    Always,
    /// Risks with these names.
    Only(Vec<String>),
    /// All risks except those with these names.
    AllBut(Vec<String>),
}

impl RiskNames {
    /// Collects the names of a graph's risks.
    pub fn of(graph: &UpdateGraph) -> Self {
        let mut always: BTreeMap<&str, bool> = BTreeMap::new();
        for risk in &graph.risks {
            *always.entry(&risk.name).or_default() |= risk.is_always();
        }
        let list: Arena<RiskNameId, String> =
            always.keys().map(|name| (*name).to_owned()).collect();
        let ids: Arena<RiskId, Option<RiskNameId>> =
            graph.risks.iter().map(|risk| find(&list, &risk.name)).collect();
        let closing = |state: &State| match state {
            State::Open => Some(Vec::new()),
            State::Blocked => None,
            state if !graph.is_understood(state) => None,
            State::Conditional(risks) => {
                let ids = risks.iter().filter_map(|risk| ids[*risk]);
                let mut ids: Vec<RiskNameId> = ids.collect();
                ids.sort_unstable();
                ids.dedup();
                Some(ids)
            }
        };
        let of_reason = graph.reasons.iter().map(|reason| closing(&reason.state)).collect();
        let always = always.into_values().collect();
        let hides_block = graph.reasons.iter().map(|reason| hides_block(graph, reason)).collect();
        Self { list, always, of_reason, hides_block }
    }

    /// The name of an id.
    pub fn name(&self, id: RiskNameId) -> &str {
        &self.list[id]
    }

    /// The id of a name. None if the graph has no such risk.
    pub fn id(&self, name: &str) -> Option<RiskNameId> {
        find(&self.list, name)
    }

    /// All names.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(String::as_str)
    }

    /// Whether some risk of that name affects all clusters.
    pub fn is_always(&self, id: RiskNameId) -> bool {
        self.always[id]
    }

    /// Whether each risk that another graph has, too, affects all clusters in both or in neither.
    #[cfg(feature = "lsp")]
    pub(crate) fn affect_as_in(&self, other: &Self) -> bool {
        self.list.entries().all(|(id, name)| {
            other.id(name).is_none_or(|other_id| self.always[id] == other.always[other_id])
        })
    }

    /// For each name, whether the risk affects the simulated clusters.
    pub fn affecting(&self, affecting: &AffectingRisks) -> Arena<RiskNameId, bool> {
        let is_chosen = |id: RiskNameId, name: &String| match &affecting.chosen {
            ChosenRisks::All => true,
            ChosenRisks::Always => self.always[id],
            ChosenRisks::Only(only) => only.contains(name),
            ChosenRisks::AllBut(kept) => !kept.contains(name),
        };
        let names = self.list.entries();
        names.map(|(id, name)| is_chosen(id, name) && !affecting.accepted.contains(name)).collect()
    }

    /// The ids of the risks in a state, sorted.
    pub fn of_state(&self, graph: &UpdateGraph, state: &State) -> Vec<RiskNameId> {
        graph.risk_names(state).into_iter().filter_map(|name| self.id(name)).collect()
    }

    /// The risks of a reason's updates, sorted. Empty if they are open, or if clusters never take
    /// them.
    pub fn risks(&self, reason: ReasonId) -> &[RiskNameId] {
        self.of_reason[reason].as_deref().unwrap_or_default()
    }

    /// Whether no cluster takes the updates of a reason, with or without risks.
    pub(super) fn closes_for_all(&self, reason: ReasonId) -> bool {
        self.of_reason[reason].is_none()
    }

    /// Whether updates are blocked once all their risks are removed. The service ignores a block of
    /// an update that has a risk.
    pub fn hides_block(&self, reason: ReasonId) -> bool {
        self.hides_block[reason]
    }

    /// Whether the updates of a reason are open for clusters that some risks affect, after one of
    /// these risks is removed.
    pub(super) fn is_open_without(
        &self,
        reason: ReasonId,
        affecting: &Arena<RiskNameId, bool>,
        removed_risk: RiskNameId,
    ) -> bool {
        let risks = self.risks(reason);
        let is_block_left = risks == [removed_risk] && self.hides_block(reason);
        !is_block_left && risks.iter().all(|risk| *risk == removed_risk || !affecting[*risk])
    }

    /// For each reason, whether its updates are open for clusters that some risks affect.
    pub(super) fn open(&self, affecting: &Arena<RiskNameId, bool>) -> Arena<ReasonId, bool> {
        let is_open = |risks: &Option<Vec<RiskNameId>>| {
            risks.as_ref().is_some_and(|risks| !risks.iter().any(|risk| affecting[*risk]))
        };
        self.of_reason.iter().map(is_open).collect()
    }
}

fn find(names: &Arena<RiskNameId, String>, name: &str) -> Option<RiskNameId> {
    names.binary_search_by(|known| known.as_str().cmp(name)).ok().map(RiskNameId::at)
}

impl From<ChosenRisks> for AffectingRisks {
    fn from(chosen: ChosenRisks) -> Self {
        Self { chosen, accepted: Vec::new() }
    }
}

/// Whether the updates of a reason are conditional and also blocked.
fn hides_block(graph: &UpdateGraph, reason: &Reason) -> bool {
    let State::Conditional(risks) = &reason.state else { return false };
    let mut declarations = reason.declarations.iter().map(|id| &graph.declarations[*id]);
    // On an architecture for which it is not declared, a risk acts as a block.
    let is_served = |name: &str| risks.iter().any(|risk| *graph.risk(*risk).name == *name);
    let blocks = |one: &Declaration| !one.name.as_deref().is_some_and(is_served);
    reason.metadata_key.is_some() || declarations.any(blocks)
}
