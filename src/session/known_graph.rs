//! An update graph, of a repository or of a file, and what is known about it.

use std::path::Path;

use crate::assembly::{Consumer, assemble};
use crate::domain::Arch;
use crate::graph::{ChannelId, Knowledge, UpdateGraph};
use crate::graph_data::GraphData;
use crate::lineage::{Policy, Provenance, Support, Supported, read_answer};

use super::{Asked, Failure, Read, Session};

/// An update graph, and what is known about it.
#[derive(Debug)]
pub(crate) struct KnownGraph {
    /// The graph.
    pub graph: UpdateGraph,
    /// Where its updates come from.
    pub provenance: Provenance,
    /// Which of its releases are supported.
    pub supported: Supported,
    /// The channel that a file was answered for.
    pub channel: Option<ChannelId>,
    /// The repository; none for a file.
    pub data: Option<GraphData>,
    /// How many of the updates that releases list are uncertain.
    pub uncertain: usize,
}

impl KnownGraph {
    /// The graph of a repository, for some architectures. Given answers of the service are for
    /// `arch`.
    pub(crate) fn of_repository(
        session: &Session,
        asked: &Asked<'_>,
        (arch, all): (Arch, &[Arch]),
        consumer: Consumer,
    ) -> Result<Self, Failure> {
        let Read { data, sources, .. } = session.read(asked)?;
        let Some(sources) = sources else {
            return Err(Failure::new("a graph needs the sources of its updates"));
        };
        let lineage = sources.lineage(&data, arch, all);
        let graph = assemble(&data, &lineage, consumer);
        let listed = lineage.updates.iter();
        let uncertain = listed.filter(|update| update.knowledge == Knowledge::Uncertain).count();
        let supported = sources.supported(&data, &lineage, &session.config.supported);
        let provenance = lineage.provenance;
        Ok(Self { graph, provenance, supported, channel: None, data: Some(data), uncertain })
    }

    /// The same with other releases supported, if a person says which.
    #[must_use]
    pub(crate) fn with_policy(self, policy: Option<Policy>) -> Self {
        match policy {
            Some(policy) => Self { supported: self.supported.with(policy), ..self },
            None => self,
        }
    }
}

/// Reads the graph of a file, as clusters read it. An answer to clusters is for one channel, whether
/// or not its releases name it: `as_answer` puts all releases into that channel.
pub(crate) fn read_graph_file(
    path: &Path,
    arch: Arch,
    as_answer: bool,
) -> Result<KnownGraph, Failure> {
    if path.is_dir() {
        let what = format!("{} is a folder, not a graph", path.display());
        return Err(Failure::new(what).hint("`--releases` takes a folder of release metadata"));
    }
    let (file, notes) = read_answer(path)?;
    let mut graph = UpdateGraph::adopt(&file, arch);
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let channel = if as_answer { graph.take_as_answer(stem) } else { graph.answered_for(stem) };
    let source = path.display().to_string();
    // A graph does not say how old its releases are: all of them are judged.
    let every = Policy::everywhere(Support::Range(semver::VersionReq::STAR));
    Ok(KnownGraph {
        graph,
        provenance: Provenance { source, notes, as_of: None },
        supported: Supported::without_past(every),
        channel,
        data: None,
        uncertain: 0,
    })
}
