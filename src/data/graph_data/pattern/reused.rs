//! What one state of a repository knows of a pattern is also true in another one, unless it must be
//! tested with other releases.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::graph_data::{ReleaseId, ReleasePairs};

use super::{Compiled, Pattern, PatternError, Reach, Reached};

impl Compiled {
    /// The same pattern for other ranges of possible origins, in another state of the repository.
    /// None if it must be tested again.
    pub(super) fn reused(&self, origins: &[Range<usize>], pairs: &ReleasePairs) -> Option<Self> {
        let pattern = match &self.pattern {
            // Whether a pattern is too costly depends on the others.
            Err(PatternError::TooCostly) => return None,
            Err(error @ PatternError::Invalid { .. }) => Err(error.clone()),
            Ok(pattern) => {
                let was_tested = |origin: usize| {
                    let before = pairs.before[ReleaseId::at(origin)].map(ReleaseId::index);
                    before
                        .is_some_and(|before| self.origins.iter().any(|all| all.contains(&before)))
                };
                if !origins.iter().cloned().flatten().all(was_tested) {
                    return None;
                }
                let reach = pattern.reach.moved(origins, pairs)?;
                Ok(if reach == pattern.reach && pairs.are_all() {
                    Arc::clone(pattern)
                } else {
                    let Pattern { syntax, walk, .. } = &**pattern;
                    let (syntax, walk) = (syntax.clone(), walk.clone());
                    Arc::new(Pattern { syntax, walk, reach, meant: OnceLock::new() })
                })
            }
        };
        Some(Self { origins: origins.to_vec(), cost: self.cost, pattern })
    }
}

impl Reach {
    /// The same matches for other ranges of possible origins, all of them tested, in another state
    /// of the repository. None if it is unknown whether the pattern matches any release there.
    fn moved(&self, origins: &[Range<usize>], pairs: &ReleasePairs) -> Option<Self> {
        let moved = self.origins.iter().filter_map(|reached| {
            let release = pairs.after[reached.release]?;
            let is_possible = origins.iter().any(|range| range.contains(&release.index()));
            is_possible.then_some(Reached { release, ..*reached })
        });
        let moved: Vec<Reached> = moved.collect();
        let changing = if self.any { pairs.gone().next() } else { pairs.added().next() };
        let any = if moved.is_empty() { changing.is_none().then_some(self.any)? } else { true };
        Some(Self { origins: moved, any })
    }
}
