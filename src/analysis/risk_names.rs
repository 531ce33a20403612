//! Risks by their names, which is how clusters and maintainers know them.

use std::collections::BTreeMap;

use crate::domain::{Arena, ids};
use crate::graph::{Reason, ReasonId, RiskId, State, UpdateGraph};

ids! {
    /// Names a risk's name of one graph: its place in alphabetical order.
    RiskNameId;
}

/// The names of a graph's risks, in alphabetical order.
#[derive(Clone, Debug, Default)]
pub struct RiskNames {
    list: Arena<RiskNameId, String>,
    always: Arena<RiskNameId, bool>,
    /// The risks of each reason's updates; none where clusters never see them: they are blocked,
    /// or dropped in any case.
    of_reason: Arena<ReasonId, Option<Vec<RiskNameId>>>,
    /// Whether the updates of each reason are blocked once they have no risk any more.
    hides_block: Arena<ReasonId, bool>,
}

/// Which risks affect the clusters that are simulated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removal {
    /// These, unless they are accepted.
    pub chosen: Chosen,
    /// The risks that an administrator accepts, by name: updates are offered in spite of them.
    pub accepted: Vec<String>,
}

/// Risks to remove the updates of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Chosen {
    /// All of them.
    #[default]
    All,
    /// Those that affect every cluster.
    Always,
    /// These, by name.
    Only(Vec<String>),
    /// All but these, by name.
    AllBut(Vec<String>),
}

impl RiskNames {
    /// The names of a graph's risks.
    #[must_use]
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

    /// A name.
    #[must_use]
    pub fn name(&self, id: RiskNameId) -> &str {
        &self.list[id]
    }

    /// The id of a name.
    #[must_use]
    pub fn id(&self, name: &str) -> Option<RiskNameId> {
        find(&self.list, name)
    }

    /// Whether a risk of that name affects every cluster.
    #[must_use]
    pub fn is_always(&self, id: RiskNameId) -> bool {
        self.always[id]
    }

    /// For each name, whether a removal removes the updates with it.
    #[must_use]
    pub fn removed(&self, removal: &Removal) -> Arena<RiskNameId, bool> {
        let is_chosen = |id: RiskNameId, name: &String| match &removal.chosen {
            Chosen::All => true,
            Chosen::Always => self.always[id],
            Chosen::Only(only) => only.contains(name),
            Chosen::AllBut(kept) => !kept.contains(name),
        };
        let names = self.list.entries();
        names.map(|(id, name)| is_chosen(id, name) && !removal.accepted.contains(name)).collect()
    }

    /// The ids of the risks of a state, in order.
    #[must_use]
    pub fn of_state(&self, graph: &UpdateGraph, state: &State) -> Vec<RiskNameId> {
        graph.risk_names(state).into_iter().filter_map(|name| self.id(name)).collect()
    }

    /// The risks of a reason's updates, in order; none of open ones.
    #[must_use]
    pub fn risks(&self, reason: ReasonId) -> &[RiskNameId] {
        self.of_reason[reason].as_deref().unwrap_or_default()
    }

    /// Whether no cluster sees the updates of a reason, with or without risks.
    pub(super) fn closes_for_all(&self, reason: ReasonId) -> bool {
        self.of_reason[reason].is_none()
    }

    /// Whether updates are blocked once they have no risk any more: the service ignores a block of
    /// an update that has one.
    #[must_use]
    pub fn hides_block(&self, reason: ReasonId) -> bool {
        self.hides_block[reason]
    }

    /// Whether the updates of a reason are open to a cluster that some risks affect, once one more
    /// risk is no longer declared.
    pub(super) fn is_open_without(
        &self,
        reason: ReasonId,
        removed: &Arena<RiskNameId, bool>,
        ended: RiskNameId,
    ) -> bool {
        let risks = self.risks(reason);
        let is_block_left = risks == [ended] && self.hides_block(reason);
        !is_block_left && risks.iter().all(|risk| *risk == ended || !removed[*risk])
    }

    /// For each reason, whether its updates are open to a cluster that some risks affect.
    pub(super) fn open(&self, removed: &Arena<RiskNameId, bool>) -> Arena<ReasonId, bool> {
        let is_open = |risks: &Option<Vec<RiskNameId>>| {
            risks.as_ref().is_some_and(|risks| !risks.iter().any(|risk| removed[*risk]))
        };
        self.of_reason.iter().map(is_open).collect()
    }
}

fn find(names: &Arena<RiskNameId, String>, name: &str) -> Option<RiskNameId> {
    names.binary_search_by(|known| known.as_str().cmp(name)).ok().map(RiskNameId::at)
}

impl From<Chosen> for Removal {
    fn from(chosen: Chosen) -> Self {
        Self { chosen, accepted: Vec::new() }
    }
}

/// Whether a conditional update is also blocked.
fn hides_block(graph: &UpdateGraph, reason: &Reason) -> bool {
    let names = graph.risk_names(&reason.state);
    let mut declarations = reason.declarations.iter();
    let is_other = |name: Option<&str>| name.is_none_or(|name| !names.contains(&name));
    matches!(reason.state, State::Conditional(_))
        && (reason.metadata_key.is_some()
            || declarations.any(|id| is_other(graph.declarations[*id].name.as_deref())))
}
