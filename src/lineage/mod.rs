//! Where each release says that it can be updated from.
//!
//! The repository does not hold the updates: each release image lists its `previous`
//! versions. They come from what is given (a graph, a folder of release metadata), or are
//! predicted from the repository's history.

mod documents;
mod enabled;
mod given;
mod joined;
mod joins;
mod predict;
mod ranges;
mod supported;

pub use supported::{Policy, Support, Supported};

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::git::Git;
use crate::graph::cincinnati::{Fault as GraphFault, GraphFile, MAX_GRAPH};
use crate::graph::{ARCH_KEY, Knowledge};
use crate::graph_data::{ARCHITECTURES, GraphData, Minor};
use crate::history::{Cache, History, NoHistory, day};
use crate::text::SourceId;
use crate::tree;
use crate::version::Version;

use predict::Predictor;

/// Releases, and the updates that they list.
#[derive(Debug, Default)]
pub struct Lineage {
    /// The releases, by version; those of a version by architecture.
    pub nodes: Vec<Node>,
    /// The updates, by the places of their ends.
    pub updates: Vec<Update>,
    /// Updates that there probably are not, which nobody can be sure of.
    pub doubted: Vec<(u32, u32)>,
    /// Whether all of it is predicted.
    pub is_predicted: bool,
    /// When each minor got its newest release, where a prediction tells.
    newest: Option<BTreeMap<Minor, i64>>,
    /// The minors whose releases are built otherwise for some architecture, as far as is known.
    pub differs_in: Vec<Minor>,
    /// Where all this comes from, in a few words.
    pub source: String,
    /// The day of the newest change that the history knows of, where that was asked.
    pub as_of: Option<String>,
    /// What a person should know of the sources.
    pub notes: Vec<String>,
}

/// A release for an architecture.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its version; build metadata is the architecture.
    pub version: Version,
    /// Its image; empty where that is not known.
    pub payload: Box<str>,
    /// What else is known of it.
    pub metadata: BTreeMap<Arc<str>, Arc<str>>,
    /// Whether other releases name it, and nobody has seen it.
    pub is_abstract: bool,
    /// Whether it is known which releases it lists.
    pub is_told: bool,
}

/// An update that a release lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Update {
    /// The place of the release that it leads from.
    pub from: u32,
    /// The place of the release that it leads to.
    pub to: u32,
    /// How that is known.
    pub knowledge: Knowledge,
}

/// A source that a person names.
#[derive(Debug)]
pub enum Given {
    /// A Cincinnati graph.
    Graph(GraphFile),
    /// A folder of release metadata.
    Documents(documents::Documents),
}

/// A source that cannot be used, and why.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceError {
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub hint: Option<String>,
}

/// What the past of a repository tells, or why it tells nothing.
#[derive(Debug)]
pub struct Past {
    history: Option<History>,
    note: Option<String>,
    /// When the revision was committed, in seconds since 1970.
    date: Option<i64>,
}

impl Past {
    /// The past of the repository in a folder, up to a revision (`HEAD`, if none is named).
    #[must_use]
    pub fn read(root: &Path, revision: Option<&str>, cache: &Cache) -> Self {
        let without = "the order of releases is taken from internal-channels/candidate.yaml, and ranges are today's";
        let date = Git::at(root).date(revision.unwrap_or("HEAD")).ok();
        match History::read(root, revision, cache) {
            Ok(history) if history.is_whole => Self { history: Some(history), note: None, date },
            Ok(history) => {
                let note = format!(
                    "this is a shallow clone: for releases older than it, {without} (`git fetch --unshallow` brings the whole history)"
                );
                Self { history: Some(history), note: Some(note), date }
            }
            Err(why) => Self { history: None, note: Some(Self::without(&why, without)), date },
        }
    }

    /// No past at all, and no word of it.
    #[must_use]
    pub fn none() -> Self {
        Self { history: None, note: None, date: None }
    }

    fn without(why: &NoHistory, so: &str) -> String {
        format!("there is no git history ({why}): {so}")
    }
}

impl Given {
    /// Reads a source: a graph from a file, release metadata from a folder.
    pub fn read(path: &Path) -> Result<Self, SourceError> {
        if path.is_dir() {
            return documents::Documents::read(path).map(Self::Documents);
        }
        let file = read_graph(path)?;
        refuse(path, file.faults.first())?;
        Ok(Self::Graph(file.graph))
    }
}

/// A file of Cincinnati JSON and what is wrong with it.
struct GraphText {
    graph: GraphFile,
    faults: Vec<(usize, GraphFault)>,
}

/// Reads an answer of the service as clusters do: what they read on over is noted, and no more.
pub fn read_answer(path: &Path) -> Result<(GraphFile, Vec<String>), SourceError> {
    let file = read_graph(path)?;
    refuse(path, file.faults.iter().find(|(_, fault)| !fault.clusters_accept))?;
    let name = path.display();
    let note = |(line, fault): &(usize, GraphFault)| {
        format!("{name}:{line}: {}; clusters accept that", fault.why)
    };
    Ok((file.graph, file.faults.iter().map(note).collect()))
}

fn read_graph(path: &Path) -> Result<GraphText, SourceError> {
    let name = path.display();
    let failed = |what: String| SourceError { what, hint: None };
    let text = tree::read_text_up_to(path, MAX_GRAPH)
        .map_err(|why| failed(format!("cannot read {name}: {why}")))?
        .ok_or_else(|| SourceError {
            what: format!("there is no file or folder {name}"),
            hint: Some(
                "`--releases` takes a Cincinnati graph, a folder of release metadata, or `history`"
                    .to_owned(),
            ),
        })?;
    let graph = GraphFile::read(SourceId(0), &text);
    let line = |fault: &GraphFault| text[..fault.span.start].matches('\n').count() + 1;
    let faults = graph.faults.iter().map(|fault| (line(fault), fault.clone())).collect();
    Ok(GraphText { graph, faults })
}

/// Refuses a file for a fault, if there is one.
fn refuse(path: &Path, fault: Option<&(usize, GraphFault)>) -> Result<(), SourceError> {
    let Some((line, fault)) = fault else { return Ok(()) };
    let name = path.display();
    Err(SourceError {
        what: format!("{name}:{line} is not a graph that can be used: {}", fault.why),
        hint: Some(format!("`exitpath check {name}` lists all that is wrong with it")),
    })
}

impl Lineage {
    /// The releases of the repository's channels, and the updates that they probably list.
    #[must_use]
    pub fn predicted(data: &GraphData, past: &Past, architectures: &[&str]) -> Self {
        let predictor = Predictor::new(data, past.history.as_ref());
        let own = predictor.architectures();
        let mut lineage = Self {
            is_predicted: true,
            differs_in: predictor.minors_that_differ(),
            newest: Some(predictor.enabled.newest(data)),
            source: "the repository's history".to_owned(),
            as_of: past.history.as_ref().map(|history| day(history.now().time)),
            notes: past.note.iter().cloned().collect(),
            ..Self::default()
        };
        if past.history.is_none() {
            "the repository alone".clone_into(&mut lineage.source);
        }
        let mut place = vec![[None; ARCHITECTURES.len()]; data.releases.len()];
        for (id, release) in data.releases.iter() {
            let its = release.architectures();
            for (at, arch) in ARCHITECTURES.iter().enumerate() {
                if its.contains(arch) && architectures.contains(arch) {
                    place[id.index()][at] = u32::try_from(lineage.nodes.len()).ok();
                    let is_told = predictor.tells_of(&release.version);
                    lineage.nodes.push(Node::predicted(&release.version, arch, is_told));
                }
            }
        }
        for (nth, arch) in own.iter().enumerate() {
            // The last speaks for all that have no ranges of their own.
            let speaks_for =
                |other: &str| other == *arch || nth + 1 == own.len() && !own.contains(&other);
            let is_asked = |other: &str| speaks_for(other) && architectures.contains(&other);
            let alike: Vec<usize> =
                (0..ARCHITECTURES.len()).filter(|at| is_asked(ARCHITECTURES[*at])).collect();
            if !alike.is_empty() {
                lineage.add(&predictor.predict(arch), &place, &alike);
            }
        }
        lineage
    }

    fn add(
        &mut self,
        prediction: &predict::Prediction,
        place: &[[Option<u32>; ARCHITECTURES.len()]],
        architectures: &[usize],
    ) {
        self.updates.reserve(prediction.updates.len() * architectures.len());
        for arch in architectures {
            let at = |id: crate::graph_data::ReleaseId| place[id.index()][*arch];
            for (from, to, is_certain) in &prediction.updates {
                let Some((from, to)) = at(*from).zip(at(*to)) else { continue };
                let knowledge =
                    if *is_certain { Knowledge::Predicted } else { Knowledge::Uncertain };
                self.updates.push(Update { from, to, knowledge });
            }
            let doubted = prediction.doubted.iter();
            self.doubted.extend(doubted.filter_map(|(from, to)| at(*from).zip(at(*to))));
        }
    }
}

impl Node {
    fn predicted(version: &Version, arch: &str, is_told: bool) -> Self {
        let build = semver::BuildMetadata::new(arch).unwrap_or_default();
        Self {
            version: Version { build, ..version.clone() },
            payload: Box::default(),
            metadata: BTreeMap::from([(ARCH_KEY.into(), arch.into())]),
            is_abstract: false,
            is_told,
        }
    }
}
