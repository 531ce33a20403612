//! Finds the declarations of risks by target, and the fixes that their files name.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::domain::version::{self, without_build};
use crate::domain::{HashMap, HashSet, Minor, Version, is_general};
use crate::graph_data::{BlockedEdge, GraphData, ReleaseId, tombstones_by_version};

/// The declarations by target, the risks with generally available targets, and the fixes.
#[derive(Debug)]
pub(crate) struct RiskIndex<'a> {
    pub(crate) on: HashMap<ReleaseId, Vec<&'a BlockedEdge>>,
    /// The pairs of a release and a risk that is declared for it.
    declared: HashSet<(ReleaseId, &'a str)>,
    /// The risks that have a generally available target.
    pub(crate) general: HashSet<&'a str>,
    /// For each risk, the `fixedIn` versions of its files by target.
    fixes: HashMap<&'a str, BTreeMap<&'a Version, Version>>,
}

impl<'a> RiskIndex<'a> {
    pub(crate) fn of(data: &'a GraphData) -> Self {
        let mut risks = Self {
            on: HashMap::default(),
            declared: HashSet::default(),
            general: HashSet::default(),
            fixes: HashMap::default(),
        };
        // The promotion bot ignores the files of tombstones.
        let withdrawn = tombstones_by_version(data);
        for edge in &data.blocked_edges {
            let (Some(name), Some(target)) = (&edge.name, &edge.target) else { continue };
            if let Some(fixed) = fixed_in_version(edge).filter(|_| !withdrawn.contains_key(target))
            {
                risks.fixes.entry(&name.value).or_default().insert(target, fixed);
            }
            if is_general(target) {
                risks.general.insert(&name.value);
            }
            if let Some(release) = edge.release {
                risks.on.entry(release).or_default().push(edge);
                risks.declared.insert((release, &name.value));
            }
        }
        risks
    }

    pub(crate) fn is_on(&self, name: &str, release: ReleaseId) -> bool {
        self.declared.contains(&(release, name))
    }

    /// The fix of a declaration in a minor. If its own file has none, it is that of the risk's next
    /// file with one, because some channels lack the last release with the bug. The bot ignores the
    /// files of earlier releases.
    pub(crate) fn fix(&self, edge: &BlockedEdge, minor: Minor) -> Option<Version> {
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

/// The version in the `fixedIn` of a declaration, without an architecture.
pub(crate) fn fixed_in_version(edge: &BlockedEdge) -> Option<Version> {
    version::parse(&edge.fixed_in.as_ref()?.value).map(|fixed| without_build(&fixed))
}
