//! Finds a release that is not in the channel in question, or whose channel does not exist, in
//! other channels.

use std::fmt::Write;

use crate::channel_list::Description;
use crate::domain::{Arch, ChannelName, Minor, channel_name, version};
use crate::graph::ChannelId;
use crate::text::words::list_all;
use crate::text::{Failure, closest_channel, printable};

use super::KnownGraph;

/// The other channels that have a release.
pub(crate) struct Elsewhere<'g> {
    known: &'g KnownGraph,
    version: String,
    /// The channel in question. Empty if the cluster has none.
    channel: String,
    is_known_channel: bool,
    /// The channels that have the release, those of its own minor version first.
    found: Vec<ChannelId>,
}

impl<'g> Elsewhere<'g> {
    /// None if the channel in question has the release.
    pub(crate) fn of(
        known: &'g KnownGraph,
        version: &str,
        channel: &str,
        arch: Arch,
    ) -> Option<Self> {
        let graph = &known.graph;
        let id = graph.channel(channel);
        let is_it = |text: &str| version::strip_build(text) == version;
        let releases = graph.graph.node_weights();
        let own = releases.filter(|release| is_it(&release.text) && release.is_for(arch));
        let mut found: Vec<ChannelId> = own.flat_map(|release| release.channels.clone()).collect();
        if id.is_some_and(|id| found.contains(&id)) {
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
        let (version, channel) = (version.to_owned(), channel.to_owned());
        Some(Self { known, version, channel, is_known_channel: id.is_some(), found })
    }

    /// The text: one line, a question, and a line for each channel.
    pub(crate) fn words(&self) -> String {
        let (version, channel) = (printable(&self.version), printable(&self.channel));
        let names = self.found.iter().map(|id| self.known.graph.channels[*id].as_str());
        let names: Vec<&str> = names.collect();
        let shown: Vec<_> = names.iter().map(|name| printable(name)).collect();
        let places = list_all(&shown, "and");
        let mut words = match (channel.as_ref(), names.is_empty(), self.is_known_channel) {
            ("", true, _) => format!("the cluster has no channel, and no channel has {version}"),
            (_, true, true) => {
                format!("{version} is not in {channel}, and in no other channel")
            }
            (_, true, false) => {
                format!("there is no channel `{channel}`, and no channel has {version}")
            }
            ("", false, _) => {
                format!("the cluster has no channel, but we have found {version} in {places}.")
            }
            (_, false, true) => {
                format!("{version} is not in {channel}, but we have found it in {places}.")
            }
            (_, false, false) => {
                format!("there is no channel `{channel}`, but we have found {version} in {places}.")
            }
        };
        if names.is_empty() {
            return words;
        }
        match names.iter().position(|name| !channel_name::is_for_tests(name)) {
            Some(at) => {
                let _ = write!(
                    words,
                    "\nWould you like to change the configured channel to one of those options? \
                     For example: `oc adm upgrade channel {}`",
                    shown[at]
                );
            }
            None => words.push_str("\nCandidate channels are for tests only."),
        }
        words.push_str("\nTo help you decide, here are their channel descriptions:");
        let list = self.known.channel_list();
        for (name, shown) in names.iter().zip(shown) {
            let line = list.description(name).map(Description::line);
            let _ = write!(words, "\n  {shown}: {}", line.unwrap_or_default());
        }
        words
    }

    /// The failure of a command that needs the release. `known` are the releases in the channel.
    pub(crate) fn failure<'n>(&self, known: impl Iterator<Item = &'n str>) -> Failure {
        let failure = Failure::of_lines(&self.words());
        if !self.is_known_channel {
            let names = self.known.graph.channels.iter().map(String::as_str);
            return match closest_channel(&self.channel, names) {
                Some(meant) if self.found.is_empty() => {
                    failure.hint(format!("did you mean `{meant}`?"))
                }
                _ => failure,
            };
        }
        if self.found.is_empty() {
            return failure.did_you_mean_release(&self.version, known);
        }
        failure
    }
}
