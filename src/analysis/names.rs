//! Risks by their names, which is how clusters and maintainers know them.

use std::collections::BTreeMap;

use crate::graph::{Risk, State, UpdateGraph};

/// The names of a graph's risks, in alphabetical order; a name's place is its id.
#[derive(Clone, Debug, Default)]
pub struct Names {
    list: Vec<String>,
    always: Vec<bool>,
    of_reason: Vec<Closing>,
}

/// What closes an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Closing {
    /// Nothing.
    Nothing,
    /// Any of these risks.
    Risks(Vec<u32>),
    /// Clusters never see it: it is blocked, or they drop it whatever the risks.
    Everything,
}

/// Which risks are taken to affect a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Removal {
    /// All of them.
    #[default]
    All,
    /// Those that no cluster escapes.
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
            State::Open => Closing::Nothing,
            State::Blocked => Closing::Everything,
            state if !graph.is_understood(state) => Closing::Everything,
            State::Conditional(risks) => {
                let ids = risks.iter().filter_map(|risk| ids[risk.0 as usize]);
                let mut ids: Vec<u32> = ids.collect();
                ids.sort_unstable();
                ids.dedup();
                Closing::Risks(ids)
            }
        };
        let of_reason = graph.reasons.iter().map(|reason| closing(&reason.state)).collect();
        let always = always.into_values().collect();
        Self { list: names, always, of_reason }
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
        let is_removed = |(at, name): (usize, &String)| match removal {
            Removal::All => true,
            Removal::Always => self.always[at],
            Removal::Only(only) => only.contains(name),
            Removal::AllBut(kept) => !kept.contains(name),
        };
        self.list.iter().enumerate().map(is_removed).collect()
    }

    /// The ids of the risks of a state, in order.
    #[must_use]
    pub fn of_state(&self, graph: &UpdateGraph, state: &State) -> Vec<u32> {
        graph.risk_names(state).into_iter().filter_map(|name| self.id(name)).collect()
    }

    /// What closes the updates of a reason.
    pub(super) fn closing(&self, reason: crate::graph::ReasonId) -> &Closing {
        &self.of_reason[reason.0 as usize]
    }
}
