//! The smallest set of releases that unblocks clusters from a mirror.

use std::collections::{BTreeSet, VecDeque};

use crate::domain::HashSet;

/// Clusters that may take the same updates to the same goal. Releases are numbers, the same in all
/// groups, and newer ones have greater numbers.
#[derive(Debug)]
pub(super) struct StuckGroup {
    /// The releases that they run.
    pub(super) from: BTreeSet<usize>,
    pub(super) to: usize,
    /// The targets of each release.
    next: Vec<Vec<usize>>,
    /// The origins of each release.
    before: Vec<Vec<usize>>,
    pub(super) is_mirrored: Vec<bool>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Additional {
    pub(super) releases: BTreeSet<usize>,
    /// Whether it is known that no smaller set unblocks all clusters.
    pub(super) is_smallest: bool,
}

/// Whether all clusters get to their goals with these releases.
pub(super) fn is_enough(groups: &[StuckGroup], has: &impl Fn(usize) -> bool) -> bool {
    groups.iter().all(|group| {
        let mut seen: BTreeSet<usize> =
            [group.to].into_iter().filter(|release| has(*release)).collect();
        let mut open: Vec<usize> = seen.iter().copied().collect();
        while let Some(at) = open.pop() {
            let origins = group.before[at].iter().copied().filter(|origin| has(*origin));
            open.extend(origins.filter(|origin| seen.insert(*origin)));
        }
        group.from.is_subset(&seen)
    })
}

/// The most steps of the search: about a second.
const MOST_STEPS: usize = 200_000_000;
/// The most releases in addition to those that clusters run.
const MOST_RELEASES: usize = 8;

/// The releases to add so that all groups get to their goals. Each group has a path if everything
/// is mirrored.
pub(super) fn smallest(groups: &[StuckGroup]) -> Additional {
    let mut search = Search::new(groups);
    let least = search.worst().map_or(0, |worst| worst.count);
    for size in least..=MOST_RELEASES {
        search.seen.clear();
        match search.add_up_to(size) {
            Ok(true) => return Additional { releases: search.added(), is_smallest: true },
            Ok(false) => {}
            Err(TooMany) => break,
        }
    }
    let mut search = Search::new(groups);
    search.add_greedily();
    Additional { releases: search.added(), is_smallest: false }
}

struct TooMany;

struct Search<'g> {
    groups: &'g [StuckGroup],
    is_added: Vec<bool>,
    /// The sets that were tried, with what was allowed to be added to them.
    seen: HashSet<Vec<usize>>,
    steps: usize,
}

/// For each release, how many releases are missing on the best path to the goal, without itself.
/// None if no path leads there.
type Missing = Vec<Option<usize>>;

/// A cluster that is stuck.
struct Worst {
    group: usize,
    /// The release that it runs.
    from: usize,
    /// How many releases are missing.
    count: usize,
    missing: Missing,
}

impl<'g> Search<'g> {
    /// The releases that clusters run, and their goals, are needed in any case.
    fn new(groups: &'g [StuckGroup]) -> Self {
        let releases = groups.iter().map(|group| group.next.len()).max().unwrap_or(0);
        let mut is_added = vec![false; releases];
        for group in groups {
            for release in group.from.iter().chain([&group.to]) {
                is_added[*release] |= !group.is_mirrored[*release];
            }
        }
        Self { groups, is_added, seen: HashSet::default(), steps: 0 }
    }

    fn added(&self) -> BTreeSet<usize> {
        (0..self.is_added.len()).filter(|release| self.is_added[*release]).collect()
    }

    fn missing(&mut self, group: usize) -> Missing {
        let StuckGroup { to, before, is_mirrored, .. } = &self.groups[group];
        let mut missing: Missing = vec![None; before.len()];
        let mut next = VecDeque::from([(*to, 0)]);
        while let Some((at, count)) = next.pop_front() {
            if missing[at].is_some_and(|known| known <= count) {
                continue;
            }
            missing[at] = Some(count);
            self.steps += before[at].len();
            let is_here = is_mirrored[at] || self.is_added[at];
            for origin in &before[at] {
                if is_here {
                    next.push_front((*origin, count));
                } else {
                    next.push_back((*origin, count + 1));
                }
            }
        }
        missing
    }

    /// The cluster to which most releases are missing. None if all are unblocked.
    fn worst(&mut self) -> Option<Worst> {
        let mut worst: Option<Worst> = None;
        for group in 0..self.groups.len() {
            let missing = self.missing(group);
            let far = |from: &usize| missing[*from].map(|count| (count, *from));
            let Some((count, from)) = self.groups[group].from.iter().filter_map(far).max() else {
                continue;
            };
            if count > 0 && worst.as_ref().is_none_or(|worst| count > worst.count) {
                worst = Some(Worst { group, from, count, missing });
            }
        }
        worst
    }

    /// Whether all clusters are unblocked after adding `size` releases or fewer.
    fn add_up_to(&mut self, size: usize) -> Result<bool, TooMany> {
        if self.steps > MOST_STEPS {
            return Err(TooMany);
        }
        let Some(worst) = self.worst() else { return Ok(true) };
        if worst.count > size || !self.seen.insert(self.added().into_iter().collect()) {
            return Ok(false);
        }
        // Whatever unblocks the cluster has one of these.
        for release in self.border(&worst, size) {
            self.is_added[release] = true;
            if self.add_up_to(size - 1)? {
                return Ok(true);
            }
            self.is_added[release] = false;
        }
        Ok(false)
    }

    /// The first missing releases on the paths of a cluster that miss at most `size` releases,
    /// newest first.
    fn border(&self, worst: &Worst, size: usize) -> Vec<usize> {
        let StuckGroup { next, is_mirrored, .. } = &self.groups[worst.group];
        let mut seen = BTreeSet::from([worst.from]);
        let mut open = vec![worst.from];
        let mut border = BTreeSet::new();
        while let Some(at) = open.pop() {
            for target in &next[at] {
                if !is_mirrored[*target] && !self.is_added[*target] {
                    border.insert(*target);
                } else if seen.insert(*target) {
                    open.push(*target);
                }
            }
        }
        let is_useful = |release: &usize| worst.missing[*release].is_some_and(|more| more < size);
        border.into_iter().rev().filter(is_useful).collect()
    }

    /// Adds what the worst cluster needs until all are unblocked, and then removes what is not
    /// needed.
    fn add_greedily(&mut self) {
        let needed = self.added();
        while let Some(worst) = self.worst() {
            let border = self.border(&worst, worst.count);
            let Some(release) = border.first() else { break };
            self.is_added[*release] = true;
        }
        for release in self.added().difference(&needed) {
            self.is_added[*release] = false;
            if self.worst().is_some() {
                self.is_added[*release] = true;
            }
        }
    }
}

impl StuckGroup {
    /// `next` has the targets of each release.
    pub(super) fn new(
        from: BTreeSet<usize>,
        to: usize,
        next: Vec<Vec<usize>>,
        is_mirrored: Vec<bool>,
    ) -> Self {
        let mut before = vec![Vec::new(); next.len()];
        for (origin, targets) in next.iter().enumerate() {
            for target in targets {
                before[*target].push(origin);
            }
        }
        Self { from, to, next, before, is_mirrored }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Additional, Search, StuckGroup, is_enough, smallest};

    fn group(
        from: &[usize],
        to: usize,
        updates: &[(usize, usize)],
        mirrored: &[usize],
    ) -> StuckGroup {
        const RELEASES: usize = 12;
        let mut next = vec![Vec::new(); RELEASES];
        for (origin, target) in updates {
            next[*origin].push(*target);
        }
        let is_mirrored = (0..RELEASES).map(|release| mirrored.contains(&release)).collect();
        StuckGroup::new(from.iter().copied().collect(), to, next, is_mirrored)
    }

    #[test]
    fn one_release_may_free_several_clusters() {
        let updates = [(0, 4), (1, 4), (0, 2), (1, 3), (2, 9), (3, 9), (4, 9)];
        let found = smallest(&[group(&[0, 1], 9, &updates, &[0, 1, 9])]);
        assert_eq!(found, Additional { releases: BTreeSet::from([4]), is_smallest: true });
    }

    #[test]
    fn what_clusters_run_is_needed() {
        let found = smallest(&[group(&[0], 9, &[(0, 9)], &[9])]);
        assert_eq!(found, Additional { releases: BTreeSet::from([0]), is_smallest: true });
    }

    /// Tries all sets.
    fn smallest_by_trying(groups: &[StuckGroup]) -> usize {
        let sets = (0..1_u32 << 12).filter(|set| {
            let is_there = |group: &StuckGroup, release: usize| {
                group.is_mirrored[release] || set & (1 << release) != 0
            };
            groups.iter().all(|group| {
                group.from.iter().all(|from| {
                    let mut seen = vec![*from];
                    let mut at = 0;
                    while at < seen.len() {
                        if is_there(group, seen[at]) {
                            let new: Vec<usize> = group.next[seen[at]]
                                .iter()
                                .copied()
                                .filter(|one| is_there(group, *one) && !seen.contains(one))
                                .collect();
                            seen.extend(new);
                        }
                        at += 1;
                    }
                    is_there(group, *from) && seen.contains(&group.to)
                })
            })
        });
        sets.map(u32::count_ones).min().map_or(usize::MAX, |count| count as usize)
    }

    #[test]
    fn no_set_is_smaller() {
        let mut random = 2_463_534_242_usize;
        let mut roll = |most: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random % most
        };
        let mut sizes = BTreeSet::new();
        for _ in 0..60 {
            let mut groups = Vec::new();
            for _ in 0..=roll(2) {
                let updates = (0..24).map(|_| {
                    let a = roll(11);
                    (a, a + 1 + roll(11 - a))
                });
                let mut updates: Vec<(usize, usize)> = updates.collect();
                updates.extend((0..11).map(|at| (at, at + 1)));
                let mirrored: Vec<usize> = (0..12).filter(|_| roll(3) == 0).collect();
                groups.push(group(&[roll(4), roll(4)], 11, &updates, &mirrored));
            }
            let found = smallest(&groups);
            assert!(found.is_smallest);
            let mirrored = |release| groups.iter().all(|group| group.is_mirrored[release]);
            let has = |release: usize| mirrored(release) || found.releases.contains(&release);
            assert!(groups.len() > 1 || is_enough(&groups, &has));
            assert_eq!(found.releases.len(), smallest_by_trying(&groups), "{groups:?}");
            sizes.insert(found.releases.len());
            let mut greedy = Search::new(&groups);
            greedy.add_greedily();
            assert!(greedy.worst().is_none());
            assert!(greedy.added().len() >= found.releases.len());
        }
        assert!(sizes.len() > 2, "{sizes:?}");
    }
}
