//! Which releases are drawn as one.

use std::cmp::Reverse;
use std::collections::HashMap;

use petgraph::graph::NodeIndex;

use crate::graph::Served;

use super::Kind;
use super::links::{Link, Links, Look};
use super::picture::Run;

/// With more columns a picture is wider than a screen, and has too many arrows.
const MOST_COLUMNS: usize = 6;
/// A channel of so few releases is not folded.
const FEW_RELEASES: usize = 12;
/// Neighbours that differ less than this, in hundredths, always stay together.
const LEAST_DIFFERENCE: usize = 12;
/// How many of an update's risks are compared.
const COMPARED_RISKS: usize = 16;

/// The releases of one minor, or of several where there are too many.
#[derive(Debug)]
pub(super) struct Minor {
    pub name: String,
    pub releases: Run,
}

/// The members of a channel by minor.
pub(super) fn minors(served: &Served<'_>) -> Vec<Minor> {
    let name = |place: usize| {
        let version = &served.whole.release(served.members[place]).version;
        format!("{}.{}", version.major, version.minor)
    };
    let mut ends = ends_of_minors(served);
    ends.dedup();
    let together = ends.len().div_ceil(MOST_COLUMNS).max(1);
    let mut start = 0;
    let mut minors = Vec::new();
    for column in ends.chunks(together) {
        let end = column.last().copied().unwrap_or(start);
        let (first, last) = (name(start), name(end - 1));
        let name = if first == last { first } else { format!("{first}–{last}") };
        minors.push(Minor { name, releases: start..end });
        start = end;
    }
    minors
}

/// For each member, the place behind the last of its own minor.
pub(super) fn ends_of_minors(served: &Served<'_>) -> Vec<usize> {
    let minor = |node: &NodeIndex| {
        let version = &served.whole.release(*node).version;
        (version.major, version.minor)
    };
    let mut ends = Vec::with_capacity(served.members.len());
    for releases in served.members.chunk_by(|a, b| minor(a) == minor(b)) {
        let end = ends.len() + releases.len();
        ends.resize(end, end);
    }
    ends
}

/// Neighbours whose updates from and to one release are alike, and that release itself.
pub(super) fn alike(links: &Links, minors: &[Minor], centre: usize) -> Vec<Run> {
    type Way = Option<(usize, bool)>;
    let mut ways: Vec<(Way, Way)> = vec![(None, None); links.furthest.len()];
    for link in &links.list {
        let way = Some((link.look, link.is_uncertain));
        if link.to == centre {
            ways[link.from].0 = way;
        }
        if link.from == centre {
            ways[link.to].1 = way;
        }
    }
    let mut runs = Vec::new();
    for minor in minors {
        let places: Vec<usize> = minor.releases.clone().collect();
        let together = |a: &usize, b: &usize| ways[*a] == ways[*b] && *a != centre && *b != centre;
        for run in places.chunk_by(together) {
            if run[0] == centre || ways[run[0]] != (None, None) {
                runs.push(run[0]..run[0] + run.len());
            }
        }
    }
    runs
}

/// Where the releases of a channel can be told apart, the clearest differences first.
#[derive(Debug)]
pub(super) struct Boundaries {
    releases: usize,
    /// The first places behind boundaries that are always there.
    fixed: Vec<usize>,
    /// The first places behind the others.
    others: Vec<usize>,
}

impl Boundaries {
    /// Compares neighbours as targets and as origins.
    pub(super) fn of(links: &Links, minors: &[Minor], marked: &[bool]) -> Self {
        let releases = marked.len();
        let starts = minors.iter().map(|minor| minor.releases.start);
        let mut fixed: Vec<usize> = starts.collect();
        fixed.extend((1..releases).filter(|place| marked[*place] != marked[*place - 1]));
        fixed.sort_unstable();
        fixed.dedup();
        let mut differences = Differences::new(links).all();
        if releases <= FEW_RELEASES {
            differences.fill(usize::MAX);
        }
        let is_told_apart = |place: &usize| {
            differences[*place] >= LEAST_DIFFERENCE && fixed.binary_search(place).is_err()
        };
        let mut others: Vec<usize> = (1..releases).filter(is_told_apart).collect();
        others.sort_by_key(|place| Reverse(differences[*place]));
        Self { releases, fixed, others }
    }

    /// At most so many runs, if there are not more fixed boundaries.
    pub(super) fn runs(&self, most: usize) -> Vec<Run> {
        let free = most.saturating_sub(self.fixed.len());
        let mut starts = self.fixed.clone();
        starts.extend(self.others.iter().take(free));
        starts.sort_unstable();
        let ends = starts.iter().skip(1).copied().chain([self.releases]);
        starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
    }
}

/// How much each release differs from the one before it.
struct Differences<'l> {
    links: &'l Links,
    /// Of two looks, when they were compared before.
    known: HashMap<(usize, usize), usize>,
}

impl<'l> Differences<'l> {
    fn new(links: &'l Links) -> Self {
        Self { links, known: HashMap::new() }
    }

    /// For each place, in hundredths: as a target and as an origin, each up to 100.
    fn all(mut self) -> Vec<usize> {
        let mut links = self.links.list.clone();
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

    /// How much the updates of two neighbours differ, release by release on the other side.
    /// The neighbours' updates to each other are not compared: a release has none to itself.
    fn between(
        &mut self,
        before: &[Link],
        here: &[Link],
        other: impl Fn(&Link) -> usize,
        place: usize,
    ) -> usize {
        // A few updates more or less say little.
        const CAUTION: usize = 4;
        let is_else = |link: &&Link| other(link) != place && other(link) + 1 != place;
        let mut before = before.iter().filter(is_else).peekable();
        let mut here = here.iter().filter(is_else).peekable();
        let (mut sum, mut compared) = (0, 0);
        loop {
            let next = before.peek().map(|link| other(link));
            let next = next.into_iter().chain(here.peek().map(|link| other(link))).min();
            let Some(next) = next else { break };
            let a = before.next_if(|link| other(link) == next);
            let b = here.next_if(|link| other(link) == next);
            compared += 1;
            sum += match (a, b) {
                (Some(a), Some(b)) => self.looks(a.look, b.look),
                // Each patch has one update more than the one before it.
                _ => 50,
            };
        }
        sum / (compared + CAUTION)
    }

    fn looks(&mut self, a: usize, b: usize) -> usize {
        if a == b {
            return 0;
        }
        let links = self.links;
        let between = || difference(&links.looks[a], &links.looks[b]);
        *self.known.entry((a.min(b), a.max(b))).or_insert_with(between)
    }
}

/// How much two looks differ, in hundredths.
fn difference(a: &Look, b: &Look) -> usize {
    if a.kind != b.kind || a.kind != Kind::Conditional {
        return if a.kind == b.kind { 0 } else { 100 };
    }
    let compared = |look: &Look| look.risks.len().min(COMPARED_RISKS);
    let a_risks = &a.risks[..compared(a)];
    let b_risks = &b.risks[..compared(b)];
    let shared = a_risks.iter().filter(|risk| b_risks.binary_search(risk).is_ok()).count();
    let all = a_risks.len() + b_risks.len() - shared;
    100 - 100 * shared / all.max(1)
}
