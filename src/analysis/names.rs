//! Risks by their names, which is how clusters and maintainers know them.

use std::collections::BTreeMap;

use crate::graph::{Reason, ReasonId, Risk, State, UpdateGraph};

/// The names of a graph's risks, in alphabetical order; a name's place is its id.
#[derive(Clone, Debug, Default)]
pub struct Names {
    list: Vec<String>,
    always: Vec<bool>,
    /// By reason, the risks of its updates; none where clusters never see them: they are blocked,
    /// or dropped whatever the risks.
    of_reason: Vec<Option<Vec<u32>>>,
    /// By reason, whether its updates are taken away once they bear no risk any more.
    hides_block: Vec<bool>,
}

/// Which risks are taken to affect a cluster.
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

impl Names {
    /// The names of a graph's risks.
    #[must_use]
    pub fn of(graph: &UpdateGraph) -> Self {
        let mut always: BTreeMap<&str, bool> = BTreeMap::new();
        for risk in &graph.risks {
            *always.entry(&risk.name).or_default() |= risk.is_always();
        }
        let names: Vec<String> = always.keys().map(|name| (*name).to_owned()).collect();
        let id = |name: &str| names.binary_search_by(|known| known.as_str().cmp(name)).ok();
        let id_of = |risk: &Risk| id(&risk.name).and_then(|id| u32::try_from(id).ok());
        let ids: Vec<Option<u32>> = graph.risks.iter().map(id_of).collect();
        let closing = |state: &State| match state {
            State::Open => Some(Vec::new()),
            State::Blocked => None,
            state if !graph.is_understood(state) => None,
            State::Conditional(risks) => {
                let ids = risks.iter().filter_map(|risk| ids[risk.0 as usize]);
                let mut ids: Vec<u32> = ids.collect();
                ids.sort_unstable();
                ids.dedup();
                Some(ids)
            }
        };
        let of_reason = graph.reasons.iter().map(|reason| closing(&reason.state)).collect();
        let always = always.into_values().collect();
        let hides_block = graph.reasons.iter().map(|reason| hides_block(graph, reason)).collect();
        Self { list: names, always, of_reason, hides_block }
    }

    /// A name.
    #[must_use]
    pub fn name(&self, id: u32) -> &str {
        &self.list[id as usize]
    }

    /// The id of a name.
    #[must_use]
    pub fn id(&self, name: &str) -> Option<u32> {
        let place = self.list.binary_search_by(|known| known.as_str().cmp(name)).ok()?;
        u32::try_from(place).ok()
    }

    /// Whether no cluster escapes a risk of that name.
    #[must_use]
    pub fn is_always(&self, id: u32) -> bool {
        self.always[id as usize]
    }

    /// For each name, whether a removal takes away what bears it.
    #[must_use]
    pub fn removed(&self, removal: &Removal) -> Vec<bool> {
        let is_chosen = |(at, name): (usize, &String)| match &removal.chosen {
            Chosen::All => true,
            Chosen::Always => self.always[at],
            Chosen::Only(only) => only.contains(name),
            Chosen::AllBut(kept) => !kept.contains(name),
        };
        let is_removed =
            |one: (usize, &String)| is_chosen(one) && !removal.accepted.contains(one.1);
        self.list.iter().enumerate().map(is_removed).collect()
    }

    /// The ids of the risks of a state, in order.
    #[must_use]
    pub fn of_state(&self, graph: &UpdateGraph, state: &State) -> Vec<u32> {
        graph.risk_names(state).into_iter().filter_map(|name| self.id(name)).collect()
    }

    /// The risks of a reason's updates, in order; none of open ones.
    #[must_use]
    pub fn risks(&self, reason: ReasonId) -> &[u32] {
        self.of_reason[reason.0 as usize].as_deref().unwrap_or_default()
    }

    /// Whether no cluster sees the updates of a reason, whatever the risks.
    pub(super) fn closes_for_all(&self, reason: ReasonId) -> bool {
        self.of_reason[reason.0 as usize].is_none()
    }

    /// Whether updates are taken away once they bear no risk any more: of updates that bear one,
    /// the service ignores a block.
    #[must_use]
    pub fn hides_block(&self, reason: ReasonId) -> bool {
        self.hides_block[reason.0 as usize]
    }

    /// Whether the updates of a reason are open when some risks are taken to affect a cluster,
    /// and one has ended.
    pub(super) fn is_open_without(&self, reason: ReasonId, removed: &[bool], ended: u32) -> bool {
        let risks = self.risks(reason);
        let is_block_left = risks == [ended] && self.hides_block(reason);
        !is_block_left && risks.iter().all(|risk| *risk == ended || !removed[*risk as usize])
    }

    /// For each reason, whether its updates are open when some risks, by their ids, are taken to
    /// affect a cluster.
    pub(super) fn open(&self, removed: &[bool]) -> Vec<bool> {
        let is_open = |risks: &Option<Vec<u32>>| {
            risks.as_ref().is_some_and(|risks| !risks.iter().any(|risk| removed[*risk as usize]))
        };
        self.of_reason.iter().map(is_open).collect()
    }
}

impl From<Chosen> for Removal {
    fn from(chosen: Chosen) -> Self {
        Self { chosen, accepted: Vec::new() }
    }
}

/// Whether more than the risks of a conditional update hits it.
fn hides_block(graph: &UpdateGraph, reason: &Reason) -> bool {
    let names = graph.risk_names(&reason.state);
    let mut declarations = reason.declarations.iter();
    let is_other = |name: Option<&str>| name.is_none_or(|name| !names.contains(&name));
    matches!(reason.state, State::Conditional(_))
        && (reason.metadata_key.is_some()
            || declarations.any(|id| is_other(graph.declarations[id.0 as usize].name.as_deref())))
}
