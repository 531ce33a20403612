//! What clusters see of an update.

use crate::domain::{Arena, HashMap, ids};
use crate::graph::{ReasonId, State, UpdateGraph};

ids! {
    /// An entry of the `SeenTable` of one comparison.
    SeenId;
}

/// What clusters see of an update.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seen {
    /// There is no such update, at all or in this channel.
    Nothing,
    /// It is blocked.
    Blocked,
    /// All clusters can take it.
    Open,
    /// Clusters that none of these risks affects can take it. Names of risks, sorted.
    Conditional(Vec<String>),
}

impl Seen {
    /// Whether the service offers it to clusters.
    pub fn is_served(&self) -> bool {
        matches!(self, Self::Open | Self::Conditional(_))
    }

    /// The names of its risks, sorted.
    pub fn risks(&self) -> &[String] {
        match self {
            Self::Conditional(risks) => risks,
            _ => &[],
        }
    }
}

/// All distinct values of [`Seen`] in a comparison.
#[derive(Debug)]
pub(super) struct SeenTable {
    pub(super) list: Arena<SeenId, Seen>,
    ids: HashMap<Seen, SeenId>,
}

impl Default for SeenTable {
    fn default() -> Self {
        let mut table = Self { list: Arena::default(), ids: HashMap::default() };
        table.id(Seen::Nothing);
        table
    }
}

impl SeenTable {
    /// The id of [`Seen::Nothing`].
    pub(super) fn nothing() -> SeenId {
        SeenId::at(0)
    }

    /// Adds the states of a graph. Returns what clusters see for each reason.
    pub(super) fn add(&mut self, graph: &UpdateGraph) -> Arena<ReasonId, SeenId> {
        let seen = |state: &State| match state {
            State::Open => Seen::Open,
            State::Blocked => Seen::Blocked,
            State::Conditional(_) => {
                let names = graph.risk_names(state);
                Seen::Conditional(names.into_iter().map(str::to_owned).collect())
            }
        };
        graph.reasons.iter().map(|reason| self.id(seen(&reason.state))).collect()
    }

    fn id(&mut self, seen: Seen) -> SeenId {
        let list = &mut self.list;
        *self.ids.entry(seen).or_insert_with_key(|seen| list.push(seen.clone()))
    }

    pub(super) fn get(&self, id: SeenId) -> &Seen {
        &self.list[id]
    }
}
