//! Bundles the updates between groups of releases to arrows.

use std::collections::BTreeSet;

use crate::domain::HashMap;

use super::columns::ColumnReleases;
use super::links::{Link, Links};
use super::picture::{Arrow, Bundle, Run, UpdateKind};

/// Every drawn update, in bundles.
#[derive(Debug)]
pub(super) struct Bundles {
    /// For each run, the updates between its own releases.
    pub inside: Vec<Vec<Bundle>>,
    /// The updates between runs, by target and then by origin.
    pub arrows: Vec<Arrow>,
}

/// Which arrows to one group are merged, if their origins are neighbors in one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Merge {
    /// Merge arrows with the same content.
    SameContent,
    /// Merge arrows of one kind, with any risks.
    SameKind,
}

impl Bundles {
    pub(super) fn of(
        links: &Links,
        columns: &[ColumnReleases],
        runs: &[Run],
        merge: Merge,
    ) -> Self {
        let mut inside = vec![Vec::new(); runs.len()];
        let mut arrows: Vec<ArrowDraft> = Vec::new();
        for ((to, kind, from), draft) in drafts(links, runs) {
            if from == to {
                inside[to].push(draft.finish(links, kind));
                continue;
            }
            let column = columns.partition_point(|c| c.releases.end <= runs[from].start);
            let next = ArrowDraft { to, kind, from: from..from + 1, column, bundle: draft };
            match arrows.last_mut() {
                Some(last) if last.can_take(&next, runs, merge) => last.take(next),
                _ => arrows.push(next),
            }
        }
        let mut arrows: Vec<Arrow> = arrows.into_iter().map(|arrow| arrow.finish(links)).collect();
        arrows.sort_by_key(|arrow| (arrow.to, arrow.from.start, arrow.bundle.kind));
        Self { inside, arrows }
    }
}

/// The updates between each two runs, by target, kind and origin.
fn drafts(links: &Links, runs: &[Run]) -> Vec<((usize, UpdateKind, usize), BundleDraft)> {
    let mut run_of: Vec<Option<usize>> = vec![None; links.furthest.len()];
    for (index, run) in runs.iter().enumerate() {
        run_of[run.clone()].fill(Some(index));
    }
    let mut drafts: HashMap<(usize, UpdateKind, usize), BundleDraft> = HashMap::default();
    for link in &links.list {
        if let (Some(to), Some(from)) = (run_of[link.to], run_of[link.from]) {
            let kind = links.looks[link.look].kind;
            drafts.entry((to, kind, from)).or_insert_with(|| BundleDraft::new(link)).add(link);
        }
    }
    let mut drafts: Vec<_> = drafts.into_iter().collect();
    drafts.sort_unstable_by_key(|(key, _)| *key);
    drafts
}

/// A bundle that is still growing.
#[derive(Debug)]
struct BundleDraft {
    origins: Run,
    targets: Run,
    looks: BTreeSet<usize>,
    updates: usize,
    uncertain: usize,
    /// Whether an update leads to an older release.
    leads_back: bool,
}

impl BundleDraft {
    fn new(link: &Link) -> Self {
        Self {
            origins: link.from..link.from + 1,
            targets: link.to..link.to + 1,
            looks: BTreeSet::new(),
            updates: 0,
            uncertain: 0,
            leads_back: false,
        }
    }

    fn add(&mut self, link: &Link) {
        widen(&mut self.origins, &(link.from..link.from + 1));
        widen(&mut self.targets, &(link.to..link.to + 1));
        self.looks.insert(link.look);
        self.updates += 1;
        self.uncertain += usize::from(link.is_uncertain);
        self.leads_back |= link.to < link.from;
    }

    fn join(&mut self, other: Self) {
        widen(&mut self.origins, &other.origins);
        widen(&mut self.targets, &other.targets);
        self.looks.extend(other.looks);
        self.updates += other.updates;
        self.uncertain += other.uncertain;
        self.leads_back |= other.leads_back;
    }

    fn shows_the_same(&self, other: &Self) -> bool {
        self.looks == other.looks
            && self.targets == other.targets
            && (self.uncertain == 0) == (other.uncertain == 0)
    }

    fn finish(self, links: &Links, kind: UpdateKind) -> Bundle {
        let risks = self.looks.iter().flat_map(|look| &links.looks[*look].risks);
        let risks: BTreeSet<usize> = risks.copied().collect();
        Bundle {
            pairs: self.pairs(),
            risks: risks.into_iter().map(|name| links.names[name].clone()).collect(),
            is_uniform: self.looks.len() == 1,
            origins: self.origins,
            targets: self.targets,
            kind,
            updates: self.updates,
            uncertain: self.uncertain,
        }
    }

    /// How many updates there could be from the origins to the targets. Updates to older
    /// releases count only if there is one.
    fn pairs(&self) -> usize {
        let all = self.origins.len() * self.targets.len();
        let (start, end) =
            (self.origins.start.max(self.targets.start), self.origins.end.min(self.targets.end));
        let to_themselves = end.saturating_sub(start);
        if self.leads_back {
            return all - to_themselves;
        }
        let newer =
            |from: usize| self.targets.end.saturating_sub((from + 1).max(self.targets.start));
        self.origins.clone().map(newer).sum()
    }
}

/// An arrow that is still growing.
#[derive(Debug)]
struct ArrowDraft {
    to: usize,
    kind: UpdateKind,
    from: Run,
    /// The column of its origins.
    column: usize,
    bundle: BundleDraft,
}

impl ArrowDraft {
    /// Whether an arrow from a later run can be merged into this one.
    fn can_take(&self, next: &Self, runs: &[Run], merge: Merge) -> bool {
        (self.to, self.kind, self.column) == (next.to, next.kind, next.column)
            && self.from.end == next.from.start
            // There is no omitted release between them.
            && runs[self.from.end - 1].end == runs[next.from.start].start
            && (merge == Merge::SameKind || self.bundle.shows_the_same(&next.bundle))
    }

    fn take(&mut self, next: Self) {
        self.from.end = next.from.end;
        self.bundle.join(next.bundle);
    }

    fn finish(self, links: &Links) -> Arrow {
        Arrow { from: self.from, to: self.to, bundle: self.bundle.finish(links, self.kind) }
    }
}

fn widen(run: &mut Run, by: &Run) {
    run.start = run.start.min(by.start);
    run.end = run.end.max(by.end);
}
