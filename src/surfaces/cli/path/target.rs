//! What people ask a path for: a release, a minor version, a channel, or the latest.

use std::collections::BTreeSet;

use petgraph::graph::NodeIndex;

use crate::analysis::RouteArea;
use crate::domain::{ChannelName, Minor, is_general, version};
use crate::graph::ChannelId;
use crate::text::Failure;

/// What a path should lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PathTarget {
    Release(String),
    /// Its newest release.
    Minor(Minor),
    /// Its newest release, of the minor version that it leads to.
    Channel(ChannelId),
    Latest,
}

impl PathTarget {
    /// `4.20.3`, `4.20`, `4.20.x`, `stable-4.20`, or `latest`.
    pub(super) fn parse(text: &str, area: &RouteArea<'_>) -> Result<Self, Failure> {
        let graph = area.graph;
        if text == "latest" {
            return Ok(Self::Latest);
        }
        if let Some(minor) = Minor::parse(text.strip_suffix(".x").unwrap_or(text)) {
            return Ok(Self::Minor(minor));
        }
        if let Some(id) = graph.channel(text) {
            return Ok(Self::Channel(id));
        }
        if ChannelName::parse(text).is_some() {
            let names = graph.channels.iter().map(String::as_str);
            return Err(Failure::unknown_channel(text, names));
        }
        Ok(Self::Release(text.to_owned()))
    }

    /// The releases that are meant. Only a release that is named is a pre-release.
    pub(super) fn releases(&self, area: &RouteArea<'_>) -> Vec<NodeIndex> {
        let of = |is_meant: &dyn Fn(NodeIndex) -> bool| {
            let is_general = |node: &NodeIndex| is_general(&area.graph.release(*node).version);
            area.releases().filter(is_general).filter(|node| is_meant(*node)).collect()
        };
        let minor = |node: NodeIndex| Minor::of(&area.graph.release(node).version);
        match self {
            Self::Release(version) => area.release(version).into_iter().collect(),
            Self::Minor(wanted) => of(&|node| minor(node) == *wanted),
            Self::Channel(channel) => {
                let leads_to = ChannelName::parse(&area.graph.channels[*channel]);
                let leads_to = leads_to.map(|name| name.minor);
                of(&|node| {
                    area.graph.release(node).is_in(*channel)
                        && leads_to.is_none_or(|wanted| minor(node) == wanted)
                })
            }
            Self::Latest => {
                let newest = area.releases().map(minor).max();
                of(&|node| Some(minor(node)) == newest)
            }
        }
    }

    /// The minor version that is meant.
    pub(super) fn minor(&self, area: &RouteArea<'_>) -> Option<Minor> {
        match self {
            Self::Release(text) => version::parse(text).map(|version| Minor::of(&version)),
            Self::Minor(minor) => Some(*minor),
            Self::Channel(id) => {
                ChannelName::parse(&area.graph.channels[*id]).map(|name| name.minor)
            }
            Self::Latest => None,
        }
    }

    /// Why there is no such release.
    pub(super) fn missing(&self, text: &str, area: &RouteArea<'_>) -> Failure {
        if let Self::Release(version) = self {
            return unknown(version, area);
        }
        let minor = |node: NodeIndex| Minor::of(&area.graph.release(node).version);
        let failure = Failure::new(format!("there is no release of {text} in these channels"));
        match area.releases().map(minor).max() {
            Some(newest) => failure.hint(format!("the newest is {newest}")),
            None => failure,
        }
    }
}

/// A release that does not exist.
pub(super) fn unknown(version: &str, area: &RouteArea<'_>) -> Failure {
    let names: BTreeSet<&str> = area.releases().map(|node| area.version(node)).collect();
    Failure::unknown_release(version, names.into_iter())
}
