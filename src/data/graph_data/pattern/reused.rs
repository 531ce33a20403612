//! What one state of a repository knows of a pattern is also true in another one, unless it must be
//! tested with other releases.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::domain::each_id;
use crate::graph_data::{ReleaseId, ReleasePairs};

use super::{Compiled, Pattern, PatternError, Reach, Reached};

impl Compiled {
    /// The same pattern for other ranges of possible origins, in another state of the repository.
    /// None if it must be tested again.
    pub(super) fn reused(
        &self,
        origins: &[Range<ReleaseId>],
        pairs: &ReleasePairs,
    ) -> Option<Self> {
        // Whether a pattern is too costly depends on the others.
        if matches!(self.pattern, Err(PatternError::TooCostly)) {
            return None;
        }
        if pairs.is_complete() && self.origins == origins {
            return Some(self.clone());
        }
        let was_tested = |origin: ReleaseId| {
            let before = pairs.before[origin];
            before.is_some_and(|before| self.origins.iter().any(|range| range.contains(&before)))
        };
        if !origins.iter().cloned().flat_map(each_id).all(was_tested) {
            return None;
        }
        let pattern = match &self.pattern {
            Err(error) => Err(error.clone()),
            Ok(pattern) => Ok(Arc::new(pattern.moved(origins, pairs)?)),
        };
        Some(Self { origins: origins.to_vec(), cost: self.cost, pattern })
    }
}

impl Pattern {
    /// The same pattern for other ranges of possible origins, all of them tested, in another state
    /// of the repository. None if it is unknown whether it matches any release there.
    fn moved(&self, origins: &[Range<ReleaseId>], pairs: &ReleasePairs) -> Option<Self> {
        let Self { syntax, walk, reach, meant } = self;
        let moved = reach.origins.iter().filter_map(|reached| {
            let release = pairs.after[reached.release]?;
            let is_possible = origins.iter().any(|range| range.contains(&release));
            is_possible.then_some(Reached { release, ..*reached })
        });
        let moved: Vec<Reached> = moved.collect();
        let changing = if reach.any { &pairs.gone } else { &pairs.added };
        let any = if moved.is_empty() { changing.is_empty().then_some(reach.any)? } else { true };
        let meant = if pairs.is_complete() { meant.clone() } else { OnceLock::new() };
        let reach = Reach { origins: moved, any };
        Some(Self { syntax: syntax.clone(), walk: walk.clone(), reach, meant })
    }
}
