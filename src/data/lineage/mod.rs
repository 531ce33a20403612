//! Which updates each release lists.
//!
//! The repository does not contain the updates: each release image lists its origins. Updates are
//! read from sources that the user names (a graph, or a folder of release metadata), or predicted
//! from the repository's history.

mod channel_ages;
mod earlier;
mod enabled;
mod lifecycle;
mod merge;
mod past;
mod predict;
mod prediction;
mod promotions;
mod ranges;
mod sources;
mod supported;

pub(crate) use channel_ages::ChannelAges;
pub(crate) use earlier::Predictions;
pub use lifecycle::Lifecycle;
pub use past::Past;
pub use sources::ReleaseSource;
pub(crate) use sources::read_answer;
pub(crate) use supported::{Policy, Support, Supported};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::version::with_build;
use crate::domain::{Arch, Arena, Minor, Named, Version, ids};
use crate::graph::{Knowledge, ReleaseMetadata, metadata_for};
use crate::graph_data::{GraphData, ReleaseId};
use crate::text::words;

use predict::Predictor;
use prediction::Prediction;

ids! {
    /// A release of one [`Lineage`].
    LineageNodeId;
}

/// Releases, and the updates that they list.
#[derive(Clone, Debug, Default)]
pub struct Lineage {
    /// The releases, sorted by version and architecture.
    pub nodes: Arena<LineageNodeId, LineageNode>,
    /// The updates.
    pub updates: Vec<ListedUpdate>,
    /// Updates that probably do not exist, but may: origin and target.
    pub unlikely: Vec<(LineageNodeId, LineageNodeId)>,
    /// Whether all updates are predicted.
    pub is_predicted: bool,
    /// When the newest release of each minor was enabled, in seconds since 1970. None: not
    /// predicted.
    newest: Option<BTreeMap<Minor, i64>>,
    /// The minors with separate ranges for some architecture.
    pub differing_minors: Vec<Minor>,
    /// The source of the updates.
    pub provenance: Provenance,
}

/// Where updates come from, for reports.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    pub source: String,
    /// Warnings about the source.
    pub notes: Vec<String>,
    /// The day of the newest change in the history. None if there is no history.
    pub as_of: Option<String>,
    /// The minors to which no updates are predicted, because they have no ranges.
    pub unpredicted: Vec<Minor>,
}

impl Provenance {
    /// The source, and the day of its newest change.
    pub fn in_words(&self) -> String {
        match &self.as_of {
            Some(day) => format!("{}, as of {day}", self.source),
            None => self.source.clone(),
        }
    }

    /// Says which updates are not predicted, to follow the source. Empty if all are predicted.
    pub fn gaps(&self) -> String {
        if self.unpredicted.is_empty() {
            return String::new();
        }
        let minors: Vec<String> = self.unpredicted.iter().map(Minor::to_string).collect();
        let minors = words::listed(&minors, "and");
        format!("; no updates to releases of {minors} are predicted")
    }
}

#[derive(Clone, Debug)]
pub struct LineageNode {
    /// The version. Its build metadata is the architecture.
    pub version: Version,
    /// The image, if it is known.
    pub payload: Option<Box<str>>,
    pub metadata: Arc<ReleaseMetadata>,
    /// Whether it is only known because other releases list it.
    pub is_abstract: bool,
    /// Whether it is known which origins it lists.
    pub has_known_origins: bool,
}

/// An update that a release lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListedUpdate<I = LineageNodeId> {
    pub from: I,
    pub to: I,
    pub knowledge: Knowledge,
}

impl Lineage {
    /// Predicts the updates of the releases in the repository's channels.
    pub fn predicted(data: &GraphData, past: &Past, architectures: &[Arch]) -> Self {
        Self::predicted_after(None, data, past, architectures).0
    }

    /// Like [`predicted`](Self::predicted), but reuses what was predicted from the same history
    /// before an edit. Also returns all predictions.
    pub(crate) fn predicted_after(
        earlier: Option<&Predictions>,
        data: &GraphData,
        past: &Past,
        architectures: &[Arch],
    ) -> (Self, Predictions) {
        let history = past.history.as_deref();
        let earlier = earlier.zip(history).and_then(|(all, history)| all.before(data, history));
        let predictor = Predictor::new(data, history, earlier.as_ref());
        let own = predictor.architectures();
        let mut minors: Vec<Minor> =
            data.releases.iter().map(|(_, release)| Minor::of(&release.version)).collect();
        minors.dedup();
        minors.retain(|minor| !predictor.knows(*minor));
        let mut lineage = Self {
            is_predicted: true,
            differing_minors: predictor.minors_that_differ(),
            newest: Some(predictor.enabled.newest(data)),
            provenance: Provenance { unpredicted: minors, ..past.provenance() },
            ..Self::default()
        };
        let metadata: Vec<Arc<ReleaseMetadata>> =
            Arch::ALL.iter().map(|arch| metadata_for(*arch)).collect();
        let mut place = Arena::filled(data.releases.len(), [None; Arch::COUNT]);
        for (id, release) in data.releases.iter() {
            let its = release.architectures();
            for arch in its {
                if architectures.contains(&arch) {
                    let node = LineageNode {
                        version: with_build(&release.version, arch.name()),
                        payload: None,
                        metadata: Arc::clone(&metadata[arch.index()]),
                        is_abstract: false,
                        has_known_origins: predictor.knows(Minor::of(&release.version)),
                    };
                    place[id][arch.index()] = Some(lineage.nodes.push(node));
                }
            }
        }
        let mut by_arch = Vec::new();
        for (nth, arch) in own.iter().enumerate() {
            // The last architecture represents all architectures without separate ranges.
            let represents =
                |other: &Arch| other == arch || nth + 1 == own.len() && !own.contains(other);
            let is_asked = |other: &Arch| represents(other) && architectures.contains(other);
            let alike: Vec<Arch> = Arch::ALL.iter().copied().filter(is_asked).collect();
            if !alike.is_empty() {
                let prediction = predictor.predict(*arch);
                lineage.add(&prediction, &place, &alike);
                by_arch.push((*arch, prediction));
            }
        }
        let (first_listed, ranges) = predictor.of_history();
        let predictions = Predictions {
            first_listed,
            releases: Arc::clone(&data.releases),
            suggestions: Arc::clone(&data.suggestions),
            ranges,
            by_arch,
        };
        (lineage, predictions)
    }

    fn add(
        &mut self,
        prediction: &[Prediction],
        place: &Arena<ReleaseId, [Option<LineageNodeId>; Arch::COUNT]>,
        architectures: &[Arch],
    ) {
        let updates: usize = prediction.iter().map(|part| part.updates.len()).sum();
        self.updates.reserve(updates * architectures.len());
        for arch in architectures {
            let at = |id: ReleaseId| place[id][arch.index()];
            let updates = prediction.iter().flat_map(|part| &part.updates);
            for (from, to, is_certain) in updates {
                let Some((from, to)) = at(*from).zip(at(*to)) else { continue };
                let knowledge =
                    if *is_certain { Knowledge::Predicted } else { Knowledge::Uncertain };
                self.updates.push(ListedUpdate { from, to, knowledge });
            }
            let unlikely = prediction.iter().flat_map(|part| &part.unlikely);
            self.unlikely.extend(unlikely.filter_map(|(from, to)| at(*from).zip(at(*to))));
        }
    }
}

impl<I> ListedUpdate<I> {
    /// The same update in another list of releases.
    fn placed<J>(self, place: impl Fn(I) -> J) -> ListedUpdate<J> {
        let Self { from, to, knowledge } = self;
        ListedUpdate { from: place(from), to: place(to), knowledge }
    }
}
