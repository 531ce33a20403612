//! The updates to draw, in a compact form: a release is its index among the members of the channel,
//! and the look of an update is an index, too.

use std::sync::Arc;

use crate::domain::HashMap;
use crate::graph::{Knowledge, ReasonId, Served, State};

use super::picture::UpdateKind;
use super::request::PictureRequest;

/// An update to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// The index of the origin.
    pub from: usize,
    /// The index of the target.
    pub to: usize,
    /// How it looks, as an index into [`Links::looks`].
    pub look: usize,
    pub is_uncertain: bool,
}

/// What a picture shows of an update. Updates with the same look can share an arrow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Look {
    pub kind: UpdateKind,
    /// The names of its risks in alphabetical order, as indices into [`Links::names`].
    pub risks: Vec<usize>,
}

/// Every update to draw, and a summary of the others.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// The links, sorted by target and then by origin.
    pub list: Vec<Link>,
    pub looks: Vec<Look>,
    /// The names of risks, in alphabetical order.
    pub names: Vec<Arc<str>>,
    /// How many updates there are of each kind, drawn or not, in the order of [`UpdateKind::ALL`].
    pub totals: [usize; 3],
    /// How many uncertain updates are unlikely. These are never drawn.
    pub doubted: usize,
    /// For each release, the newest target of its served updates.
    pub furthest: Vec<Option<usize>>,
}

impl Links {
    pub(super) fn of(served: &Served<'_>, request: &PictureRequest) -> Self {
        let mut places = vec![0; served.whole.graph.node_count()];
        for (place, node) in served.members.iter().enumerate() {
            places[node.index()] = place;
        }
        let doubted = served.whole.unlikely.iter();
        let mut links = Self {
            names: risk_names(served),
            doubted: doubted.filter(|(from, to)| served.holds(*from) && served.holds(*to)).count(),
            furthest: vec![None; served.members.len()],
            ..Self::default()
        };
        let mut known = KnownLooks::default();
        for update in served.updates() {
            let look = known.index_of(&mut links, served, update.edge.reason);
            let kind = links.looks[look].kind;
            links.totals[kind as usize] += 1;
            let (from, to) = (places[update.from.index()], places[update.to.index()]);
            if kind != UpdateKind::Blocked {
                links.furthest[from] = links.furthest[from].max(Some(to));
            }
            if request.includes(kind, update.from, update.to) {
                let is_uncertain = update.edge.knowledge == Knowledge::Uncertain;
                links.list.push(Link { from, to, look, is_uncertain });
            }
        }
        links
    }

    /// For each release, whether it is the origin or target of a drawn update.
    pub(super) fn linked(&self) -> Vec<bool> {
        let mut linked = vec![false; self.furthest.len()];
        for link in &self.list {
            linked[link.from] = true;
            linked[link.to] = true;
        }
        linked
    }

    /// How many updates of a kind there are, drawn or not.
    pub(super) fn total(&self, kind: UpdateKind) -> usize {
        self.totals[kind as usize]
    }
}

/// The distinct names of risks, in alphabetical order.
fn risk_names(served: &Served<'_>) -> Vec<Arc<str>> {
    let risks = served.whole.risks.iter();
    let mut names: Vec<Arc<str>> = risks.map(|risk| Arc::clone(&risk.name)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The looks found so far. Many updates share a reason, and many reasons share a look.
#[derive(Default)]
struct KnownLooks {
    of_reason: HashMap<ReasonId, usize>,
    indices: HashMap<Look, usize>,
}

impl KnownLooks {
    fn index_of(&mut self, links: &mut Links, served: &Served<'_>, reason: ReasonId) -> usize {
        *self.of_reason.entry(reason).or_insert_with(|| {
            let look = look(&links.names, served, reason);
            *self.indices.entry(look).or_insert_with_key(|look| {
                links.looks.push(look.clone());
                links.looks.len() - 1
            })
        })
    }
}

fn look(names: &[Arc<str>], served: &Served<'_>, reason: ReasonId) -> Look {
    let state = &served.whole.reasons[reason].state;
    let kind = match state {
        State::Open => UpdateKind::Open,
        State::Conditional(_) => UpdateKind::Conditional,
        State::Blocked => UpdateKind::Blocked,
    };
    let risks = served.whole.risk_names(state).into_iter();
    let index = |name: &str| names.binary_search_by(|known| (**known).cmp(name)).ok();
    Look { kind, risks: risks.filter_map(index).collect() }
}
