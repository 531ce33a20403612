//! What is seen, before any format: blocks of releases in columns, and arrows between them.

use std::ops::Range;
use std::sync::Arc;

use crate::graph::Served;

use super::bundle::{Bundles, Merging};
use super::links::Links;
use super::{Kind, Only, Request, fold, words};

/// As many arrows as a person can follow.
const MOST_ARROWS: usize = 120;
/// How many blocks are tried, until there are few enough arrows between them.
const MOST_BLOCKS: [usize; 5] = [28, 22, 17, 12, 8];

/// Neighbouring releases, as places among [`Served::members`].
pub type Run = Range<usize>;

/// A picture of a channel, or of a part of it.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// What it shows.
    pub title: String,
    /// The version of each release of the channel, oldest first.
    pub versions: Vec<String>,
    /// Where the blocks stand, oldest minor first.
    pub columns: Vec<Column>,
    /// Releases that are drawn as one, oldest first.
    pub blocks: Vec<Block>,
    /// The updates between blocks, by target and then by origin.
    pub arrows: Vec<Arrow>,
    /// What was folded and what was left out, in sentences.
    pub notes: Vec<String>,
    /// Whether it is about one release.
    pub is_around: bool,
}

/// The blocks of one minor, or of several where there are too many minors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The minor.
    pub name: String,
    /// Its blocks, as indices into [`Picture::blocks`].
    pub blocks: Range<usize>,
}

/// Neighbouring releases of a minor that are drawn as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The releases.
    pub releases: Run,
    /// Whether the picture is about it.
    pub is_marked: bool,
    /// The updates between its own releases.
    pub inside: Vec<Bundle>,
    /// How many of its releases no served update leaves.
    pub without_updates: usize,
    /// How many of its releases no served update leaves for a newer minor, where there is one.
    pub without_hop: Option<usize>,
}

/// Updates from a run of blocks to one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The blocks that it leads from, as indices into [`Picture::blocks`].
    pub from: Range<usize>,
    /// The block that it leads to.
    pub to: usize,
    /// The updates.
    pub bundle: Bundle,
}

/// Updates of one kind that are drawn as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// From the first release that one of them leads from to the last.
    pub origins: Run,
    /// From the first release that one of them leads to to the last.
    pub targets: Run,
    /// What becomes of them.
    pub kind: Kind,
    /// Each name of a risk that one of them depends on, in alphabetical order.
    pub risks: Vec<Arc<str>>,
    /// Whether each of them depends on all those risks.
    pub is_uniform: bool,
    /// How many they are.
    pub updates: usize,
    /// How many pairs of an origin and a target there are. An update may lack, or be of
    /// another kind, where these are more.
    pub pairs: usize,
    /// Of how many of the updates nobody can be sure.
    pub uncertain: usize,
}

impl Picture {
    /// The picture of a channel, or of a part of it.
    #[must_use]
    pub fn of(served: &Served<'_>, request: &Request) -> Self {
        let links = Links::of(served, request);
        let minors = fold::minors(served);
        let minor_ends = fold::ends_of_minors(served);
        let (runs, bundles) =
            match request.around.and_then(|node| served.members.binary_search(&node).ok()) {
                Some(centre) => {
                    let runs = fold::alike(&links, &minors, centre);
                    let bundles = Bundles::of(&links, &minors, &runs, Merging::Equal);
                    (runs, bundles)
                }
                None => folded(served, request, &links, &minors),
            };
        let mut picture = Self {
            title: words::title(served, request),
            versions: served.members.iter().map(|node| served.version(*node).into()).collect(),
            is_around: request.around.is_some(),
            arrows: bundles.arrows,
            ..Self::default()
        };
        for (run, inside) in runs.into_iter().zip(bundles.inside) {
            let minor = minors.partition_point(|minor| minor.releases.end <= run.start);
            picture.add_to_column(&minors[minor].name);
            let ways = &links.furthest[run.clone()];
            let own = &minor_ends[run.clone()];
            let lacks_hop = |(end, furthest): &(&usize, &Option<usize>)| *furthest < &Some(**end);
            let has_newer = own.iter().any(|end| *end < served.members.len());
            picture.blocks.push(Block {
                is_marked: served.members[run.clone()].iter().any(|node| request.is_about(*node)),
                inside,
                without_updates: ways.iter().filter(|furthest| furthest.is_none()).count(),
                without_hop: has_newer.then(|| own.iter().zip(ways).filter(lacks_hop).count()),
                releases: run,
            });
        }
        picture.notes = words::notes(&picture, request, &links);
        picture
    }

    /// The kinds of update that are seen, in the order of legends.
    #[must_use]
    pub fn kinds(&self) -> Vec<Kind> {
        let seen: Vec<Kind> = self.bundles().map(|bundle| bundle.kind).collect();
        Kind::ALL.into_iter().filter(|kind| seen.contains(kind)).collect()
    }

    /// Every bundle of updates: those between blocks, and those inside of one.
    pub fn bundles(&self) -> impl Iterator<Item = &Bundle> {
        let between = self.arrows.iter().map(|arrow| &arrow.bundle);
        between.chain(self.blocks.iter().flat_map(|block| &block.inside))
    }

    /// How many releases are seen.
    pub(super) fn shown(&self) -> usize {
        self.blocks.iter().map(|block| block.releases.len()).sum()
    }

    /// The column of a block.
    pub(super) fn column_of(&self, block: usize) -> usize {
        self.columns.partition_point(|column| column.blocks.end <= block)
    }

    /// The arrows that lead to a block, with their indices, oldest origins first.
    pub(super) fn arrows_to(&self, block: usize) -> impl Iterator<Item = (usize, &Arrow)> {
        let start = self.arrows.partition_point(|arrow| arrow.to < block);
        let arrows = self.arrows.iter().enumerate().skip(start);
        arrows.take_while(move |(_, arrow)| arrow.to == block)
    }

    /// Makes room for the next block in the column of a name.
    fn add_to_column(&mut self, name: &str) {
        let next = self.blocks.len();
        match self.columns.last_mut() {
            Some(column) if column.name == name => column.blocks.end = next + 1,
            _ => self.columns.push(Column { name: name.to_owned(), blocks: next..next + 1 }),
        }
    }
}

/// Runs of a whole channel, and the updates between them: as many as a person can follow.
fn folded(
    served: &Served<'_>,
    request: &Request,
    links: &Links,
    minors: &[fold::Minor],
) -> (Vec<Run>, Bundles) {
    let marked: Vec<bool> = served.members.iter().map(|node| request.is_about(*node)).collect();
    let boundaries = fold::Boundaries::of(links, minors, &marked);
    let runs = |most| {
        let mut runs = boundaries.runs(most);
        if request.only != Only::All {
            let touched = links.touched();
            runs.retain(|run| run.clone().any(|place| touched[place] || marked[place]));
        }
        runs
    };
    for most in MOST_BLOCKS {
        let runs = runs(most);
        let bundles = Bundles::of(links, minors, &runs, Merging::Equal);
        if bundles.arrows.len() <= MOST_ARROWS {
            return (runs, bundles);
        }
    }
    let runs = runs(0);
    let bundles = Bundles::of(links, minors, &runs, Merging::OfOneKind);
    (runs, bundles)
}
