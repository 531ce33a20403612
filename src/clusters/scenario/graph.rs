//! Builds an update graph from the lines of a scenario.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use petgraph::graph::NodeIndex;

use crate::domain::version::{self, Version, with_build};
use crate::domain::{Arch, HashMap, Named};
use crate::graph::{
    ChannelId, Edge, Knowledge, Reason, Release, Risk, RiskId, State, UpdateGraph, metadata_for,
    sort_channels,
};
use crate::text::{Failure, fnv_hash};

use super::updates::WrittenUpdate;

/// The releases of a channel, and the updates between them.
#[derive(Clone, Debug, Default)]
pub(super) struct WrittenGraph {
    pub(super) releases: BTreeSet<Version>,
    pub(super) updates: Vec<WrittenUpdate>,
}

/// The channels of each release.
pub(super) type Members = BTreeMap<Version, BTreeSet<String>>;

impl WrittenGraph {
    /// Adds the origins and targets of all updates to the releases.
    pub(super) fn with_ends(mut self) -> Result<Self, Failure> {
        for text in self.updates.iter().flat_map(|update| [&update.from, &update.to]) {
            self.releases.insert(parsed(text)?);
        }
        Ok(self)
    }

    /// The graph for all architectures, and the channel in it.
    pub(super) fn graph(
        &self,
        channel: &str,
        members: &Members,
        risks: &BTreeMap<String, Risk>,
    ) -> Result<(UpdateGraph, ChannelId), Failure> {
        let mut graph = UpdateGraph::default();
        let held_by = self.releases.iter().filter_map(|version| members.get(version));
        let mut names: Vec<String> = held_by.flatten().cloned().collect();
        names.push(channel.to_owned());
        names.sort_unstable();
        names.dedup();
        sort_channels(&mut names);
        graph.channels = names.into_iter().collect();
        let mut ids: HashMap<&str, RiskId> = HashMap::default();
        for (name, risk) in risks {
            ids.insert(name, graph.risks.push(risk.clone()));
        }
        let releases = add_releases(&mut graph, &self.releases, members);
        let places: HashMap<(Arch, &Version), NodeIndex> =
            releases.iter().map(|one| ((one.arch, one.version), one.node)).collect();
        for update in &self.updates {
            let known = |name: &String| {
                let unknown = || format!("the risk `{name}` is not in `risks`");
                ids.get(name.as_str()).copied().ok_or_else(unknown)
            };
            let state = match (update.is_blocked, update.risks.as_slice()) {
                (true, _) => State::Blocked,
                (false, []) => State::Open,
                (false, names) => {
                    State::Conditional(names.iter().map(known).collect::<Result<_, _>>()?)
                }
            };
            let reason = graph.reasons.push(Reason { state, ..Reason::default() });
            let edge = Edge { reason, knowledge: Knowledge::Given };
            let (from, to) = (parsed(&update.from)?, parsed(&update.to)?);
            for arch in Arch::ALL {
                let ends = places.get(&(*arch, &from)).zip(places.get(&(*arch, &to)));
                if let Some((from, to)) = ends {
                    graph.graph.update_edge(*from, *to, edge);
                }
            }
        }
        let id = graph.channel(channel).ok_or("the channel is not in its own graph")?;
        Ok((graph, id))
    }
}

/// A release for one architecture, whose own version names the architecture.
struct AddedRelease<'v> {
    node: NodeIndex,
    arch: Arch,
    version: &'v Version,
}

/// Adds releases for all architectures, oldest first.
fn add_releases<'v>(
    graph: &mut UpdateGraph,
    releases: &'v BTreeSet<Version>,
    members: &Members,
) -> Vec<AddedRelease<'v>> {
    let mut added = Vec::new();
    for version in releases {
        let held_by = members.get(version).into_iter().flatten();
        let mut channels: Vec<ChannelId> = held_by.filter_map(|name| graph.channel(name)).collect();
        channels.sort_unstable();
        for arch in Arch::ALL {
            let built = with_build(version, arch.name());
            let node = graph.graph.add_node(Release {
                text: built.to_string().into(),
                payload: Some(payload(&built).into()),
                metadata: metadata_for(*arch),
                channels: channels.clone(),
                is_abstract: false,
                has_known_origins: true,
                version: built,
            });
            added.push(AddedRelease { node, arch: *arch, version });
        }
    }
    added
}

/// A made-up image, which is the same in every run. It is in no registry.
fn payload(version: &Version) -> String {
    let mut digest = String::new();
    for nth in 0..4 {
        let _ = write!(digest, "{:016x}", fnv_hash(format!("{nth} {version}").as_bytes()));
    }
    format!("registry.example.com/made-up/release@sha256:{digest}")
}

pub(super) fn parsed(text: &str) -> Result<Version, Failure> {
    let why = || version::fault(text).unwrap_or_default();
    version::parse(text).filter(|version| version.build.is_empty()).ok_or_else(|| {
        format!("`{text}` is not a version without an architecture: {}", why()).into()
    })
}
