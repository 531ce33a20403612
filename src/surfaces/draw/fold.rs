//! Which releases are drawn as one group.

use std::cmp::Reverse;

use crate::domain::HashMap;

use super::columns::ColumnReleases;
use super::links::{Link, Links, Look};
use super::picture::{Run, UpdateKind};

/// A channel with this many releases or fewer is not folded.
const FEW_RELEASES: usize = 12;
/// Neighbors that differ less than this, in hundredths, always stay together.
const LEAST_DIFFERENCE: usize = 12;
/// How many risks of an update are compared.
const COMPARED_RISKS: usize = 16;

/// The runs for a picture around one release: that release, and runs of releases whose updates from
/// and to it look the same.
pub(super) fn neighbor_runs(links: &Links, columns: &[ColumnReleases], center: usize) -> Vec<Run> {
    /// The look of an update, and whether it is uncertain.
    type Shown = Option<(usize, bool)>;
    // For each release, its update to the center and the one from there.
    let mut shown: Vec<(Shown, Shown)> = vec![(None, None); links.furthest.len()];
    for link in &links.list {
        let update = Some((link.look, link.is_uncertain));
        if link.to == center {
            shown[link.from].0 = update;
        }
        if link.from == center {
            shown[link.to].1 = update;
        }
    }
    let mut runs = Vec::new();
    for column in columns {
        let places: Vec<usize> = column.releases.clone().collect();
        let together =
            |a: &usize, b: &usize| shown[*a] == shown[*b] && *a != center && *b != center;
        for run in places.chunk_by(together) {
            if run[0] == center || shown[run[0]] != (None, None) {
                runs.push(run[0]..run[0] + run.len());
            }
        }
    }
    runs
}

/// The places where the releases of a channel can be divided, clearest differences first.
#[derive(Debug)]
pub(super) struct Boundaries {
    releases: usize,
    /// The places where a new run always starts.
    fixed: Vec<usize>,
    /// The places where a new run starts if there is room for it.
    others: Vec<usize>,
}

impl Boundaries {
    /// Compares neighbors as targets and as origins of some updates.
    pub(super) fn of(
        links: &Links,
        is_compared: impl Fn(&Link) -> bool,
        columns: &[ColumnReleases],
        marked: &[bool],
    ) -> Self {
        let releases = marked.len();
        let starts = columns.iter().map(|column| column.releases.start);
        let mut fixed: Vec<usize> = starts.collect();
        fixed.extend((1..releases).filter(|place| marked[*place] != marked[*place - 1]));
        fixed.sort_unstable();
        fixed.dedup();
        let mut differences = Differences::new(links).all(is_compared);
        if releases <= FEW_RELEASES {
            differences.fill(usize::MAX);
        }
        let is_boundary = |place: &usize| {
            differences[*place] >= LEAST_DIFFERENCE && fixed.binary_search(place).is_err()
        };
        let mut others: Vec<usize> = (1..releases).filter(is_boundary).collect();
        others.sort_by_key(|place| Reverse(differences[*place]));
        Self { releases, fixed, others }
    }

    /// At most `most` runs, unless there are more fixed boundaries.
    pub(super) fn runs(&self, most: usize) -> Vec<Run> {
        let room = most.saturating_sub(self.fixed.len());
        let mut starts = self.fixed.clone();
        starts.extend(self.others.iter().take(room));
        starts.sort_unstable();
        let ends = starts.iter().skip(1).copied().chain([self.releases]);
        starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
    }
}

/// How much each release differs from the one before it.
struct Differences<'l> {
    links: &'l Links,
    /// The differences of two looks that were compared before.
    known: HashMap<(usize, usize), usize>,
}

impl<'l> Differences<'l> {
    fn new(links: &'l Links) -> Self {
        Self { links, known: HashMap::default() }
    }

    /// The difference at each place, in hundredths: up to 100 as a target, and up to 100 as an
    /// origin.
    fn all(mut self, is_compared: impl Fn(&Link) -> bool) -> Vec<usize> {
        let mut links = self.links.list.clone();
        links.retain(is_compared);
        let by_target = self.by(&links, |link| (link.to, link.from));
        links.sort_unstable_by_key(|link| (link.from, link.to));
        let by_origin = self.by(&links, |link| (link.from, link.to));
        by_target.into_iter().zip(by_origin).map(|(target, origin)| target + origin).collect()
    }

    fn by(&mut self, links: &[Link], ends: impl Fn(&Link) -> (usize, usize)) -> Vec<usize> {
        let mut differences = vec![0; self.links.furthest.len()];
        let groups: Vec<&[Link]> = links.chunk_by(|a, b| ends(a).0 == ends(b).0).collect();
        let mut groups = groups.into_iter().peekable();
        let mut before: &[Link] = &[];
        for (place, difference) in differences.iter_mut().enumerate() {
            let here = groups.next_if(|group| ends(&group[0]).0 == place).unwrap_or_default();
            *difference = self.between(before, here, |link| ends(link).1, place);
            before = here;
        }
        differences
    }

    /// How much the updates of two neighbors differ, release by release on the other side.
    /// The neighbors' updates to each other are not compared: no release has one to itself.
    fn between(
        &mut self,
        before: &[Link],
        here: &[Link],
        other: impl Fn(&Link) -> usize,
        place: usize,
    ) -> usize {
        // Without this, a few more or fewer updates would divide a run.
        const CAUTION: usize = 4;
        let is_other_release = |link: &&Link| other(link) != place && other(link) + 1 != place;
        let mut before = before.iter().filter(is_other_release).peekable();
        let mut here = here.iter().filter(is_other_release).peekable();
        let (mut sum, mut compared) = (0, 0);
        loop {
            let next = before.peek().map(|link| other(link));
            let next = next.into_iter().chain(here.peek().map(|link| other(link))).min();
            let Some(next) = next else { break };
            let a = before.next_if(|link| other(link) == next);
            let b = here.next_if(|link| other(link) == next);
            compared += 1;
            sum += match (a, b) {
                (Some(a), Some(b)) => self.between_looks(a.look, b.look),
                // This counts only half, because each patch has one more update than the patch
                // before it.
                _ => 50,
            };
        }
        sum / (compared + CAUTION)
    }

    fn between_looks(&mut self, a: usize, b: usize) -> usize {
        if a == b {
            return 0;
        }
        let links = self.links;
        let compare = || difference(&links.looks[a], &links.looks[b]);
        *self.known.entry((a.min(b), a.max(b))).or_insert_with(compare)
    }
}

/// How much two looks differ, in hundredths.
fn difference(a: &Look, b: &Look) -> usize {
    if a.kind != b.kind || a.kind != UpdateKind::Conditional {
        return if a.kind == b.kind { 0 } else { 100 };
    }
    let compared = |look: &Look| look.risks.len().min(COMPARED_RISKS);
    let a_risks = &a.risks[..compared(a)];
    let b_risks = &b.risks[..compared(b)];
    let shared = a_risks.iter().filter(|risk| b_risks.binary_search(risk).is_ok()).count();
    let all = a_risks.len() + b_risks.len() - shared;
    100 - 100 * shared / all.max(1)
}
