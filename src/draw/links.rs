//! The updates that are drawn, made small: releases are their places among the members of
//! the channel, and what becomes of an update is a number.

use std::collections::HashMap;
use std::sync::Arc;

use petgraph::graph::NodeIndex;

use crate::graph::{Knowledge, ReasonId, Served, State};

use super::{Kind, Only, Request};

/// An update that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// The place of the release that it leads from.
    pub from: usize,
    /// The place of the release that it leads to.
    pub to: usize,
    /// What becomes of it, as an index into [`Links::looks`].
    pub look: usize,
    /// Whether nobody can be sure of it.
    pub is_uncertain: bool,
}

/// What becomes of an update, as far as a picture tells it apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Look {
    pub kind: Kind,
    /// The names of its risks in alphabetical order, as indices into [`Links::names`].
    pub risks: Vec<usize>,
}

/// Every update that is drawn, and what is known of the others.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// By target and then by origin.
    pub list: Vec<Link>,
    pub looks: Vec<Look>,
    /// The names of risks, in alphabetical order.
    pub names: Vec<Arc<str>>,
    /// How many updates there are of each kind, drawn or not, in the order of [`Kind::ALL`].
    pub totals: [usize; 3],
    /// How many updates there probably are not, of which nobody can be sure either.
    pub doubted: usize,
    /// For each release, the newest that served updates lead to from it.
    pub furthest: Vec<Option<usize>>,
}

impl Links {
    pub(super) fn of(served: &Served<'_>, request: &Request) -> Self {
        let mut places = vec![0; served.whole.graph.node_count()];
        for (place, node) in served.members.iter().enumerate() {
            places[node.index()] = place;
        }
        let doubted = served.whole.doubted.iter();
        let mut links = Self {
            names: names(served),
            doubted: doubted.filter(|(from, to)| served.holds(*from) && served.holds(*to)).count(),
            furthest: vec![None; served.members.len()],
            ..Self::default()
        };
        let mut known = Looks::default();
        for update in served.updates() {
            let look = known.number(&mut links, served, update.edge.reason);
            let kind = links.looks[look].kind;
            links.totals[kind as usize] += 1;
            let (from, to) = (places[update.from.index()], places[update.to.index()]);
            if kind != Kind::Blocked {
                links.furthest[from] = links.furthest[from].max(Some(to));
            }
            if request.wants(kind, update.from, update.to) {
                let is_uncertain = update.edge.knowledge == Knowledge::Uncertain;
                links.list.push(Link { from, to, look, is_uncertain });
            }
        }
        links
    }

    /// Of each release, whether an update that is drawn leads to or from it.
    pub(super) fn touched(&self) -> Vec<bool> {
        let mut touched = vec![false; self.furthest.len()];
        for link in &self.list {
            touched[link.from] = true;
            touched[link.to] = true;
        }
        touched
    }

    /// How many updates of a kind there are, drawn or not.
    pub(super) fn total(&self, kind: Kind) -> usize {
        self.totals[kind as usize]
    }
}

impl Request {
    /// Whether the picture is about a release.
    pub(super) fn is_about(&self, node: NodeIndex) -> bool {
        let is_among = match &self.only {
            Only::Touching(releases) => releases.contains(&node),
            Only::All | Only::Conditional => false,
        };
        is_among || self.around == Some(node)
    }

    fn wants(&self, kind: Kind, from: NodeIndex, to: NodeIndex) -> bool {
        let is_near = self.around.is_none_or(|centre| from == centre || to == centre);
        let matters = match &self.only {
            Only::All => true,
            Only::Conditional => kind == Kind::Conditional,
            Only::Touching(releases) => releases.contains(&from) || releases.contains(&to),
        };
        is_near && matters && (self.blocked || kind != Kind::Blocked)
    }
}

/// The name of every risk, each once, in alphabetical order.
fn names(served: &Served<'_>) -> Vec<Arc<str>> {
    let risks = served.whole.risks.iter();
    let mut names: Vec<Arc<str>> = risks.map(|risk| Arc::clone(&risk.name)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The looks met so far: many updates have one reason, and many reasons look alike.
#[derive(Default)]
struct Looks {
    of_reason: HashMap<ReasonId, usize>,
    numbers: HashMap<Look, usize>,
}

impl Looks {
    fn number(&mut self, links: &mut Links, served: &Served<'_>, reason: ReasonId) -> usize {
        *self.of_reason.entry(reason).or_insert_with(|| {
            let look = look(&links.names, served, reason);
            *self.numbers.entry(look).or_insert_with_key(|look| {
                links.looks.push(look.clone());
                links.looks.len() - 1
            })
        })
    }
}

fn look(names: &[Arc<str>], served: &Served<'_>, reason: ReasonId) -> Look {
    let state = &served.whole.reasons[reason.0 as usize].state;
    let kind = match state {
        State::Open => Kind::Open,
        State::Conditional(_) => Kind::Conditional,
        State::Blocked => Kind::Blocked,
    };
    let risks = served.whole.risk_names(state).into_iter();
    let index = |name: &str| names.binary_search_by(|known| (**known).cmp(name)).ok();
    Look { kind, risks: risks.filter_map(index).collect() }
}
