//! The declarations of risks by target, and where their files say that they are fixed.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::domain::{HashMap, HashSet, Minor, Version};
use crate::graph_data::{BlockedEdge, GraphData, ReleaseId, tombstones_by_version};

use super::fixed_in_version;

/// The declarations by target, and the risks that are not only on pre-releases.
pub(in crate::checks::rules::risk) struct RiskIndex<'a> {
    pub(in crate::checks::rules::risk) on: HashMap<ReleaseId, Vec<&'a BlockedEdge>>,
    /// Which risks are on which releases.
    declared: HashSet<(ReleaseId, &'a str)>,
    /// The risks that have a generally available target.
    pub(in crate::checks::rules::risk) general: HashSet<&'a str>,
    /// For each risk, the fixes in its files by the target of the file.
    fixes: HashMap<&'a str, BTreeMap<&'a Version, Version>>,
}

impl<'a> RiskIndex<'a> {
    pub(in crate::checks::rules::risk) fn of(data: &'a GraphData) -> Self {
        let mut risks = Self {
            on: HashMap::default(),
            declared: HashSet::default(),
            general: HashSet::default(),
            fixes: HashMap::default(),
        };
        // The bot does not look at the files of tombstones.
        let withdrawn = tombstones_by_version(data);
        for edge in &data.blocked_edges {
            let (Some(name), Some(target)) = (&edge.name, &edge.target) else { continue };
            if let Some(fixed) = fixed_in_version(edge).filter(|_| !withdrawn.contains_key(target))
            {
                risks.fixes.entry(&name.value).or_default().insert(target, fixed);
            }
            if target.pre.is_empty() {
                risks.general.insert(&name.value);
            }
            if let Some(release) = edge.release {
                risks.on.entry(release).or_default().push(edge);
                risks.declared.insert((release, &name.value));
            }
        }
        risks
    }

    pub(in crate::checks::rules::risk) fn is_on(&self, name: &str, release: ReleaseId) -> bool {
        self.declared.contains(&(release, name))
    }

    /// The fix of a declaration in a minor: its own or, because some channels do not have the last
    /// release with the bug, that of the next file of the risk with a fix. The bot does not look at
    /// the files of earlier releases.
    pub(in crate::checks::rules::risk) fn fix(
        &self,
        edge: &BlockedEdge,
        minor: Minor,
    ) -> Option<Version> {
        let is_of_minor = |fixed: &&Version| Minor::of(fixed) == minor;
        let own = fixed_in_version(edge).filter(|fixed| is_of_minor(&fixed));
        own.or_else(|| {
            let target = edge.target.as_ref()?;
            let fixes = self.fixes.get(edge.name.as_ref()?.value.as_str())?;
            let later = fixes.range::<Version, _>((Bound::Excluded(target), Bound::Unbounded));
            later.map(|(_, fixed)| fixed).find(is_of_minor).cloned()
        })
    }
}
