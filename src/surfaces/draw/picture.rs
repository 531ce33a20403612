//! A picture before it has a format: groups of releases in columns, and arrows between them.

use std::ops::Range;
use std::sync::Arc;

/// Neighboring releases, as places among [`Served::members`](crate::graph::Served::members).
pub type Run = Range<usize>;

/// A picture of a channel, or of a part of it.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// What it shows.
    pub title: String,
    /// The version of each release of the channel, oldest first.
    pub versions: Vec<String>,
    /// The columns, oldest minor first.
    pub columns: Vec<Column>,
    /// The groups of releases, oldest first.
    pub groups: Vec<ReleaseGroup>,
    /// The updates between groups, by target and then by origin.
    pub arrows: Vec<Arrow>,
    /// What was folded and what was omitted, in sentences.
    pub notes: Vec<String>,
    /// What a thick border means, if a group has one.
    pub mark: Option<&'static str>,
    /// Whether it shows the neighbors of one release.
    pub is_around: bool,
    /// What arrows mean.
    pub legend: Legend,
}

/// What the updates of a picture are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Legend {
    /// Updates of clusters.
    #[default]
    Clusters,
    /// Updates of operators.
    Catalog,
}

/// The groups of one minor, or of several if there are too many minors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The minor.
    pub name: String,
    /// Indices into [`Picture::groups`].
    pub groups: Range<usize>,
}

/// Neighboring releases of a minor that are drawn as one box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseGroup {
    pub releases: Run,
    /// Whether the request names one of them.
    pub is_marked: bool,
    /// The updates between its own releases.
    pub inside: Vec<Bundle>,
    /// How many of its releases have no served update.
    pub without_updates: usize,
    /// How many of its releases have no served update to a newer minor, if there is one.
    pub without_hop: Option<usize>,
}

/// Updates from neighboring groups to one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The groups of the origins: indices into [`Picture::groups`].
    pub from: Range<usize>,
    pub to: usize,
    pub bundle: Bundle,
}

/// Updates of one kind that are drawn as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// The range from the first origin to the last.
    pub origins: Run,
    /// The range from the first target to the last.
    pub targets: Run,
    /// The kind of all of them.
    pub kind: UpdateKind,
    /// The name of each risk that at least one of them has, in alphabetical order.
    pub risks: Vec<Arc<str>>,
    /// Whether each of them has all those risks.
    pub is_uniform: bool,
    /// How many updates there are.
    pub updates: usize,
    /// How many pairs of an origin and a target there are. If these are more than the updates,
    /// some pairs have no update, or one of another kind.
    pub pairs: usize,
    /// How many of the updates are uncertain.
    pub uncertain: usize,
}

/// What clusters see of updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UpdateKind {
    /// They are offered to every cluster.
    Open,
    /// They are offered to clusters that none of the risks affects.
    Conditional,
    /// No cluster sees them.
    Blocked,
}

impl UpdateKind {
    /// Every kind, in the order of legends.
    pub const ALL: [Self; 3] = [Self::Open, Self::Conditional, Self::Blocked];
}

impl Picture {
    /// The kinds of update in the picture, in the order of legends.
    pub fn kinds(&self) -> Vec<UpdateKind> {
        let seen: Vec<UpdateKind> = self.bundles().map(|bundle| bundle.kind).collect();
        UpdateKind::ALL.into_iter().filter(|kind| seen.contains(kind)).collect()
    }

    /// Every bundle of updates, between groups and inside them.
    pub fn bundles(&self) -> impl Iterator<Item = &Bundle> {
        let between = self.arrows.iter().map(|arrow| &arrow.bundle);
        between.chain(self.groups.iter().flat_map(|group| &group.inside))
    }

    /// How many releases the picture shows.
    pub(super) fn shown_releases(&self) -> usize {
        self.groups.iter().map(|group| group.releases.len()).sum()
    }

    pub(super) fn column_of(&self, group: usize) -> usize {
        self.columns.partition_point(|column| column.groups.end <= group)
    }

    /// The arrows that lead to a group, with their indices, oldest origins first.
    pub(super) fn arrows_to(&self, group: usize) -> impl Iterator<Item = (usize, &Arrow)> {
        let start = self.arrows.partition_point(|arrow| arrow.to < group);
        let arrows = self.arrows.iter().enumerate().skip(start);
        arrows.take_while(move |(_, arrow)| arrow.to == group)
    }
}
