//! Updates that clusters do not take as they are written.

use crate::graph::{DoubleKind, Served, State};

/// An update that clusters do not take as it is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DroppedUpdate {
    /// What clusters make of it.
    pub how: DropReason,
    /// The release that it leads from.
    pub from: String,
    /// The release that it leads to.
    pub to: String,
}

/// What clusters make of an update.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DropReason {
    /// It is listed as open and as conditional: they take the conditional one.
    AlsoOpen,
    /// It is listed in two groups of conditional updates: they drop it.
    Twice,
    /// They understand no rule of this risk: they drop it.
    NoRule(String),
    /// Nothing is known of its target: they drop every update from its origin.
    NoRelease,
}

impl DropReason {
    /// Whether an update is closed by it, whatever the risks.
    #[must_use]
    pub fn closes(&self) -> bool {
        *self != Self::AlsoOpen
    }
}

impl DroppedUpdate {
    /// Those of a channel's graph, in order.
    pub(super) fn of(served: &Served<'_>) -> Vec<Self> {
        let whole = served.whole;
        let text = |node| served.version(node).into_owned();
        let doubles = whole.doubles.iter().filter(|d| served.holds(d.from) && served.holds(d.to));
        let doubles = doubles.map(|double| Self {
            how: match double.kind {
                DoubleKind::EdgeAndConditional => DropReason::AlsoOpen,
                DoubleKind::ConditionalTwice => DropReason::Twice,
            },
            from: text(double.from),
            to: text(double.to),
        });
        let nowhere = whole.dangling.iter().filter(|(from, _)| served.holds(*from));
        let nowhere = nowhere.map(|(from, to)| Self {
            how: DropReason::NoRelease,
            from: text(*from),
            to: to.clone(),
        });
        let mut all: Vec<Self> = doubles.chain(nowhere).collect();
        let not_understood = |state: &State| {
            let State::Conditional(risks) = state else { return None };
            let risks = risks.iter().map(|risk| whole.risk(*risk));
            risks.into_iter().find(|risk| !risk.is_understood())
        };
        // Nearly no graph has any: its few reasons are asked before its many updates.
        if whole.reasons.iter().any(|reason| not_understood(&reason.state).is_some()) {
            all.extend(served.updates().filter_map(|update| {
                let risk = not_understood(&update.reason.state)?;
                let how = DropReason::NoRule(risk.name.to_string());
                Some(Self { how, from: text(update.from), to: text(update.to) })
            }));
        }
        all.sort_unstable();
        all
    }
}
