//! Builds a picture: groups the releases, bundles the updates between groups, and adds the words.

use crate::graph::Served;

use super::bundles::{Bundles, Merge};
use super::columns::{self, ColumnReleases};
use super::fold::{self, Boundaries};
use super::links::Links;
use super::picture::{Column, Picture, ReleaseGroup, Run};
use super::request::{PictureRequest, UpdateFilter};
use super::words;

/// As many arrows as a person can follow.
const MOST_ARROWS: usize = 120;
/// The numbers of groups to try, until there are few enough arrows between them.
const MOST_GROUPS: [usize; 5] = [28, 22, 17, 12, 8];

impl Picture {
    /// The picture of a channel, or of a part of it.
    #[must_use]
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

    /// Makes the next group a part of the column with this name.
    fn add_to_column(&mut self, name: &str) {
        let next = self.groups.len();
        match self.columns.last_mut() {
            Some(column) if column.name == name => column.groups.end = next + 1,
            _ => self.columns.push(Column { name: name.to_owned(), groups: next..next + 1 }),
        }
    }
}

/// Folds a whole channel to so few runs that a person can follow the arrows between them.
fn folded(
    served: &Served<'_>,
    request: &PictureRequest,
    links: &Links,
    columns: &[ColumnReleases],
) -> (Vec<Run>, Bundles) {
    let marked: Vec<bool> = served.members.iter().map(|node| request.names(*node)).collect();
    let boundaries = Boundaries::of(links, columns, &marked);
    let runs = |most| {
        let mut runs = boundaries.runs(most);
        if request.only != UpdateFilter::All {
            let linked = links.linked();
            runs.retain(|run| run.clone().any(|place| linked[place] || marked[place]));
        }
        runs
    };
    for most in MOST_GROUPS {
        let runs = runs(most);
        let bundles = Bundles::of(links, columns, &runs, Merge::SameContent);
        if bundles.arrows.len() <= MOST_ARROWS {
            return (runs, bundles);
        }
    }
    let runs = runs(0);
    let bundles = Bundles::of(links, columns, &runs, Merge::SameKind);
    (runs, bundles)
}
