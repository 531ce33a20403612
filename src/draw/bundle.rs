//! Updates between blocks, gathered to arrows.

use std::collections::{BTreeSet, HashMap};

use super::Kind;
use super::fold::Minor;
use super::links::{Link, Links};
use super::picture::{Arrow, Bundle, Run};

/// Every update that is drawn, gathered.
#[derive(Debug)]
pub(super) struct Bundles {
    /// For each run, the updates between its own releases.
    pub inside: Vec<Vec<Bundle>>,
    /// The updates between runs, by target and then by origin.
    pub arrows: Vec<Arrow>,
}

/// Which arrows to a block become one, where their origins are neighbours of one minor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Merging {
    /// Those that say the same.
    Equal,
    /// Those of one kind, whatever the risks.
    OfOneKind,
}

impl Bundles {
    /// Gathers the updates between runs.
    pub(super) fn of(links: &Links, minors: &[Minor], runs: &[Run], merging: Merging) -> Self {
        let mut inside = vec![Vec::new(); runs.len()];
        let mut arrows: Vec<Gathered> = Vec::new();
        for ((to, kind, from), heap) in heaps(links, runs) {
            if from == to {
                inside[to].push(heap.bundle(links, kind));
                continue;
            }
            let minor = minors.partition_point(|m| m.releases.end <= runs[from].start);
            let next = Gathered { to, kind, from: from..from + 1, minor, heap };
            match arrows.last_mut() {
                Some(last) if last.takes(&next, runs, merging) => last.add(next),
                _ => arrows.push(next),
            }
        }
        let mut arrows: Vec<Arrow> = arrows.into_iter().map(|arrow| arrow.arrow(links)).collect();
        arrows.sort_by_key(|arrow| (arrow.to, arrow.from.start, arrow.bundle.kind));
        Self { inside, arrows }
    }
}

/// The updates of one kind between two runs, for every two: by target, kind and origin.
fn heaps(links: &Links, runs: &[Run]) -> Vec<((usize, Kind, usize), Heap)> {
    let mut run_of: Vec<Option<usize>> = vec![None; links.furthest.len()];
    for (index, run) in runs.iter().enumerate() {
        run_of[run.clone()].fill(Some(index));
    }
    let mut heaps: HashMap<(usize, Kind, usize), Heap> = HashMap::new();
    for link in &links.list {
        if let (Some(to), Some(from)) = (run_of[link.to], run_of[link.from]) {
            let kind = links.looks[link.look].kind;
            heaps.entry((to, kind, from)).or_insert_with(|| Heap::new(link)).add(link);
        }
    }
    let mut heaps: Vec<_> = heaps.into_iter().collect();
    heaps.sort_unstable_by_key(|(key, _)| *key);
    heaps
}

/// Updates of one kind that will be drawn as one.
#[derive(Debug)]
struct Heap {
    origins: Run,
    targets: Run,
    looks: BTreeSet<usize>,
    updates: usize,
    uncertain: usize,
    /// Whether one of them leads to an older release.
    leads_back: bool,
}

impl Heap {
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

    /// Whether the two say the same of their updates.
    fn equals(&self, other: &Self) -> bool {
        self.looks == other.looks
            && self.targets == other.targets
            && (self.uncertain == 0) == (other.uncertain == 0)
    }

    fn bundle(self, links: &Links, kind: Kind) -> Bundle {
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

    /// How many updates there could be from the origins to the targets; to older releases
    /// only where there is one such.
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

/// An arrow while it is gathered.
#[derive(Debug)]
struct Gathered {
    to: usize,
    kind: Kind,
    from: Run,
    /// The minor of its origins.
    minor: usize,
    heap: Heap,
}

impl Gathered {
    /// Whether one from a later run can become a part of it.
    fn takes(&self, next: &Self, runs: &[Run], merging: Merging) -> bool {
        (self.to, self.kind, self.minor) == (next.to, next.kind, next.minor)
            && self.from.end == next.from.start
            // Nothing that is not drawn lies between.
            && runs[self.from.end - 1].end == runs[next.from.start].start
            && (merging == Merging::OfOneKind || self.heap.equals(&next.heap))
    }

    fn add(&mut self, next: Self) {
        self.from.end = next.from.end;
        self.heap.join(next.heap);
    }

    fn arrow(self, links: &Links) -> Arrow {
        Arrow { from: self.from, to: self.to, bundle: self.heap.bundle(links, self.kind) }
    }
}

fn widen(run: &mut Run, by: &Run) {
    run.start = run.start.min(by.start);
    run.end = run.end.max(by.end);
}
