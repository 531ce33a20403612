//! Builds a picture: groups the releases, bundles the updates between groups, and adds the words.

use crate::graph::Served;

use super::bundles::{Bundles, Merge};
use super::columns::{self, ColumnReleases};
use super::fold::{self, Boundaries};
use super::links::{Link, Links};
use super::picture::{Column, Picture, ReleaseGroup, Run};
use super::request::{PictureRequest, UpdateFilter};
use super::words;

/// How much to fold a picture: the most arrows that a person can follow, and the numbers of groups
/// to try until there are few enough arrows.
struct Folding {
    most_arrows: usize,
    most_groups: &'static [usize],
    /// Whether updates between marked releases do not matter.
    joins_marked: bool,
}

/// The limits of pictures that people explore.
const DETAILED: Folding =
    Folding { most_arrows: 120, most_groups: &[28, 22, 17, 12, 8], joins_marked: false };

/// The limits of pictures that show only what prevents releases from reaching an exit.
const ROUGH: Folding =
    Folding { most_arrows: 24, most_groups: &[14, 10, 8, 6], joins_marked: true };

impl Picture {
    /// The picture of a channel, or of a part of it.
    pub fn of(served: &Served<'_>, request: &PictureRequest) -> Self {
        let links = Links::of(served, request);
        let columns = columns::columns(served);
        let minor_ends = columns::ends_of_minors(served);
        let (runs, bundles) =
            match request.around.and_then(|node| served.members.binary_search(&node).ok()) {
                Some(center) => {
                    let runs = fold::neighbor_runs(&links, &columns, center);
                    let bundles = Bundles::of(&links, &columns, &runs, Merge::SameContent);
                    (runs, bundles)
                }
                None => folded(served, request, &links, &columns),
            };
        let mut picture = Self {
            title: words::title(served, request),
            versions: served.members.iter().map(|node| served.version(*node).into()).collect(),
            is_around: request.around.is_some(),
            mark: words::meaning_of_mark(request),
            arrows: bundles.arrows,
            ..Self::default()
        };
        for (run, inside) in runs.into_iter().zip(bundles.inside) {
            let column = columns.partition_point(|column| column.releases.end <= run.start);
            picture.add_to_column(&columns[column].name);
            let furthest = &links.furthest[run.clone()];
            let ends = &minor_ends[run.clone()];
            let lacks_hop = |(end, furthest): &(&usize, &Option<usize>)| *furthest < &Some(**end);
            let has_newer = ends.iter().any(|end| *end < served.members.len());
            picture.groups.push(ReleaseGroup {
                is_marked: served.members[run.clone()].iter().any(|node| request.names(*node)),
                inside,
                without_updates: furthest.iter().filter(|furthest| furthest.is_none()).count(),
                without_hop: has_newer.then(|| ends.iter().zip(furthest).filter(lacks_hop).count()),
                releases: run,
            });
        }
        picture.notes = words::notes(&picture, request, &links);
        picture
    }

    /// Adds the next group to the column with this name.
    pub(super) fn add_to_column(&mut self, name: &str) {
        let next = self.groups.len();
        match self.columns.last_mut() {
            Some(column) if column.name == name => column.groups.end = next + 1,
            _ => self.columns.push(Column { name: name.to_owned(), groups: next..next + 1 }),
        }
    }
}

/// Folds a whole channel into few runs, so that a person can follow the arrows between them.
fn folded(
    served: &Served<'_>,
    request: &PictureRequest,
    links: &Links,
    columns: &[ColumnReleases],
) -> (Vec<Run>, Bundles) {
    let marked: Vec<bool> = served.members.iter().map(|node| request.names(*node)).collect();
    let folding = match request.only {
        UpdateFilter::FromStranded(_) => ROUGH,
        UpdateFilter::All | UpdateFilter::Conditional => DETAILED,
    };
    let is_compared = |link: &Link| !(folding.joins_marked && marked[link.to]);
    let boundaries = Boundaries::of(links, is_compared, columns, &marked);
    let runs = |most| {
        let mut runs = boundaries.runs(most);
        if request.only != UpdateFilter::All {
            let linked = links.linked();
            runs.retain(|run| run.clone().any(|place| linked[place] || marked[place]));
        }
        runs
    };
    for most in folding.most_groups {
        let runs = runs(*most);
        let bundles = Bundles::of(links, columns, &runs, Merge::SameContent);
        if bundles.arrows.len() <= folding.most_arrows {
            return (runs, bundles);
        }
    }
    let runs = runs(0);
    let bundles = Bundles::of(links, columns, &runs, Merge::SameKind);
    (runs, bundles)
}
