//! Finds risks that never affect the same cluster, according to their queries.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::RiskNameId;
use crate::graph::{MatchingRule, Risk, UpdateGraph};
use crate::promql::{self, Conflict, Needs};

use super::risk_names::RiskNames;

/// Pairs of risks that never affect the same cluster, and why.
#[derive(Debug, Default)]
pub struct Contradictions(BTreeMap<(RiskNameId, RiskNameId), Conflict>);

/// The most pairs to look at. Real releases have far fewer risks.
const MOST_PAIRS: usize = 500;

impl Contradictions {
    /// The contradictions within some sets of risks.
    pub fn within<'s>(
        graph: &UpdateGraph,
        names: &RiskNames,
        sets: impl Iterator<Item = &'s Vec<RiskNameId>>,
    ) -> Self {
        let mut together: BTreeSet<(RiskNameId, RiskNameId)> = BTreeSet::new();
        for set in sets {
            let pairs = set.iter().enumerate();
            together.extend(pairs.flat_map(|(at, a)| set[at + 1..].iter().map(|b| (*a, *b))));
            if together.len() > MOST_PAIRS {
                break;
            }
        }
        if together.is_empty() {
            return Self::default();
        }
        let mut needs: BTreeMap<RiskNameId, Needs> = BTreeMap::new();
        for risk in &graph.risks {
            let Some(name) = names.id(&risk.name) else { continue };
            if together.iter().any(|(a, b)| *a == name || *b == name) {
                let needs = needs.entry(name).or_insert_with(Needs::impossible);
                *needs = std::mem::replace(needs, Needs::impossible()).or(&needs_of(risk));
            }
        }
        let conflict = |(a, b): (RiskNameId, RiskNameId)| {
            let conflict = needs.get(&a)?.conflict(needs.get(&b)?)?;
            Some(((a, b), conflict))
        };
        Self(together.into_iter().take(MOST_PAIRS).filter_map(conflict).collect())
    }

    /// Whether it is known that no cluster has all risks of a set: if so, two of the risks, and the
    /// conflict of their queries.
    pub fn of(&self, set: &[RiskNameId]) -> Option<(RiskNameId, RiskNameId, &Conflict)> {
        let pairs = set.iter().enumerate();
        let mut pairs = pairs.flat_map(|(at, a)| set[at + 1..].iter().map(|b| (*a, *b)));
        pairs.find_map(|(a, b)| self.0.get(&(a, b)).map(|conflict| (a, b, conflict)))
    }
}

/// What a cluster needs for a risk to affect it. Clusters use the first rule that has an answer,
/// which may be any rule.
fn needs_of(risk: &Risk) -> Needs {
    let needs = |rule: &MatchingRule| {
        let query = rule.promql.as_ref().and_then(|text| promql::parse(text).ok());
        query.map_or_else(Needs::nothing, |query| Needs::of(&query))
    };
    let understood = risk.matching_rules.iter().filter(|rule| rule.is_understood());
    understood.map(needs).fold(Needs::impossible(), |all, one| all.or(&one))
}
