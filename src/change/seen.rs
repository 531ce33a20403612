//! What clusters see of an update, told alike for two graphs.

use std::collections::HashMap;

use crate::domain::Arena;
use crate::graph::{ReasonId, State, UpdateGraph};

/// What clusters see of an update.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seen {
    /// There is none, or not in this channel.
    Nothing,
    /// It is blocked.
    Blocked,
    /// It is offered to every cluster.
    Open,
    /// It is offered to clusters that none of these risks affects, by name and in order.
    Conditional(Vec<String>),
}

impl Seen {
    /// Whether some cluster is offered it.
    #[must_use]
    pub fn is_served(&self) -> bool {
        matches!(self, Self::Open | Self::Conditional(_))
    }

    /// The names of the risks.
    #[must_use]
    pub fn risks(&self) -> &[String] {
        match self {
            Self::Conditional(risks) => risks,
            _ => &[],
        }
    }
}

/// Every state once, with its place.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) list: Vec<Seen>,
    places: HashMap<Seen, u32>,
}

impl Default for Table {
    fn default() -> Self {
        let mut table = Self { list: Vec::new(), places: HashMap::new() };
        table.place(Seen::Nothing);
        table
    }
}

impl Table {
    /// The place of what there is not.
    pub(super) const NOTHING: u32 = 0;

    /// For each reason of a graph, the place of what clusters see.
    pub(super) fn add(&mut self, graph: &UpdateGraph) -> Arena<ReasonId, u32> {
        let seen = |state: &State| match state {
            State::Open => Seen::Open,
            State::Blocked => Seen::Blocked,
            State::Conditional(_) => {
                let names = graph.risk_names(state);
                Seen::Conditional(names.into_iter().map(str::to_owned).collect())
            }
        };
        graph.reasons.iter().map(|reason| self.place(seen(&reason.state))).collect()
    }

    fn place(&mut self, seen: Seen) -> u32 {
        let next = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        let list = &mut self.list;
        *self.places.entry(seen).or_insert_with_key(|seen| {
            list.push(seen.clone());
            next
        })
    }

    pub(super) fn get(&self, place: u32) -> &Seen {
        &self.list[place as usize]
    }
}
