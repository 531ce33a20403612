//! Where a release is that a channel does not have.

use std::fmt::Write;

use crate::domain::{Arch, ChannelName, Minor, channel_name, version};
use crate::graph::ChannelId;
use crate::text::printable;
use crate::text::words::list_all;

use super::{Failure, KnownGraph};

/// The channels that have a release which another channel does not have.
pub(crate) struct Elsewhere<'g> {
    known: &'g KnownGraph,
    version: String,
    channel: String,
    /// Those of the release's own minor version first.
    found: Vec<ChannelId>,
}

impl<'g> Elsewhere<'g> {
    /// None if the channel has the release.
    pub(crate) fn of(
        known: &'g KnownGraph,
        version: &str,
        channel: ChannelId,
        arch: Arch,
    ) -> Option<Self> {
        let graph = &known.graph;
        let is_it = |text: &str| version::strip_build(text) == version;
        let releases = graph.graph.node_weights();
        let own = releases.filter(|release| is_it(&release.text) && release.is_for(arch));
        let mut found: Vec<ChannelId> = own.flat_map(|release| release.channels.clone()).collect();
        if found.contains(&channel) {
            return None;
        }
        let minor = version::parse(version).map(|version| Minor::of(&version));
        let order = |id: &ChannelId| {
            let name = graph.channels[*id].as_str();
            let leads_to = ChannelName::parse(name).map(|channel| channel.minor);
            (leads_to != minor, channel_name::phase_rank(name), leads_to, name)
        };
        found.sort_by(|a, b| order(a).cmp(&order(b)));
        found.dedup();
        let (version, channel) = (version.to_owned(), graph.channels[channel].clone());
        Some(Self { known, version, channel, found })
    }

    /// In words: a line, and one for each channel.
    pub(crate) fn words(&self) -> String {
        let (version, channel) = (printable(&self.version), printable(&self.channel));
        let names = self.found.iter().map(|id| self.known.graph.channels[*id].as_str());
        let names: Vec<&str> = names.collect();
        if names.is_empty() {
            return format!("{version} is not in {channel}, and in no other channel");
        }
        let shown: Vec<_> = names.iter().map(|name| printable(name)).collect();
        let places = list_all(&shown, "and");
        let mut words = format!("{version} is not in {channel}, but we have found it in {places}.");
        let list = self.known.channel_list();
        for (name, shown) in names.iter().zip(shown) {
            if let Some(description) = list.description(name) {
                let _ = write!(words, "\n  {shown}: {}", description.line());
            }
        }
        words
    }

    /// As the reason why a command cannot run. `known` are the releases that the channel has.
    pub(crate) fn failure<'n>(&self, known: impl Iterator<Item = &'n str>) -> Failure {
        let failure = Failure::of_lines(&self.words());
        if self.found.is_empty() {
            return failure.did_you_mean_release(&self.version, known);
        }
        failure
    }
}
