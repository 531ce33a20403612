//! The declarations of risks by target, and where their files say that they are fixed.

use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;

use crate::domain::{Minor, Version};
use crate::graph_data::{BlockedEdge, GraphData, ReleaseId, tombstones_by_version};

use super::fixed_in_version;

/// The declarations by target, and the risks that are not only on pre-releases.
pub(in crate::rules::risk) struct RiskIndex<'a> {
    pub(in crate::rules::risk) on: HashMap<ReleaseId, Vec<&'a BlockedEdge>>,
    /// The risks that have a generally available target.
    pub(in crate::rules::risk) general: BTreeSet<&'a str>,
    /// Where the files of a risk say that it is fixed.
    fixes: HashMap<&'a str, BTreeSet<Version>>,
}

impl<'a> RiskIndex<'a> {
    pub(in crate::rules::risk) fn of(data: &'a GraphData) -> Self {
        let mut risks =
            Self { on: HashMap::new(), general: BTreeSet::new(), fixes: HashMap::new() };
        // The bot does not look at the files of tombstones.
        let withdrawn = tombstones_by_version(data);
        for edge in &data.blocked_edges {
            let (Some(name), Some(target)) = (&edge.name, &edge.target) else { continue };
            if !withdrawn.contains_key(target) {
                risks.fixes.entry(&name.value).or_default().extend(fixed_in_version(edge));
            }
            if target.pre.is_empty() {
                risks.general.insert(&name.value);
            }
            if let Some(release) = data.releases.find(target) {
                risks.on.entry(release).or_default().push(edge);
            }
        }
        risks
    }

    pub(in crate::rules::risk) fn is_on(&self, name: &str, release: ReleaseId) -> bool {
        let on = self.on.get(&release).into_iter().flatten();
        on.filter_map(|edge| edge.name.as_ref()).any(|other| other.value == name)
    }

    /// The fix of a declaration in a minor: its own or, because some channels do not have the last
    /// release with the bug, the next fix in the other files of the risk.
    pub(in crate::rules::risk) fn fix(&self, edge: &BlockedEdge, minor: Minor) -> Option<Version> {
        let is_of_minor = |fixed: &&Version| Minor::of(fixed) == minor;
        let own = fixed_in_version(edge).filter(|fixed| is_of_minor(&fixed));
        own.or_else(|| {
            let target = edge.target.clone()?;
            let fixes = self.fixes.get(edge.name.as_ref()?.value.as_str())?;
            let mut later = fixes.range((Bound::Excluded(target), Bound::Unbounded));
            later.find(is_of_minor).cloned()
        })
    }
}
