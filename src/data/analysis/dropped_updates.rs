//! Updates of a graph file that clusters drop, or do not take as they are written.

use crate::graph::{DoubleKind, Risk, Served, State, UpdateGraph};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DroppedUpdate {
    pub how: DropReason,
    pub from: String,
    pub to: String,
}

/// What is wrong with an update, and what clusters do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DropReason {
    /// It is listed as unconditional and as conditional. Clusters take the conditional update.
    AlsoOpen,
    /// It is listed in two groups of conditional updates. Clusters drop it.
    Twice,
    /// Clusters understand no rule of this risk. They drop the update.
    NoRule(String),
    /// The target is not in the graph. Clusters drop all updates from the origin.
    NoRelease,
}

impl DroppedUpdate {
    /// The dropped updates of a channel, sorted. `has_unclear_risks` is what the
    /// [function of this name](has_unclear_risks) says of the whole graph.
    pub(super) fn of(served: &Served<'_>, has_unclear_risks: bool) -> Vec<Self> {
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
        if has_unclear_risks {
            all.extend(served.updates().filter_map(|update| {
                let risk = unclear_risk(whole, &update.reason.state)?;
                let how = DropReason::NoRule(risk.name.to_string());
                Some(Self { how, from: text(update.from), to: text(update.to) })
            }));
        }
        all.sort_unstable();
        all
    }
}

/// Whether an update has a risk of which clusters understand no rule. Hardly any graph has such an
/// update.
pub(super) fn has_unclear_risks(whole: &UpdateGraph) -> bool {
    whole.reasons.iter().any(|reason| unclear_risk(whole, &reason.state).is_some())
}

/// The first risk of which clusters understand no rule.
fn unclear_risk<'g>(whole: &'g UpdateGraph, state: &State) -> Option<&'g Risk> {
    let State::Conditional(risks) = state else { return None };
    risks.iter().map(|risk| whole.risk(*risk)).find(|risk| !risk.is_understood())
}
