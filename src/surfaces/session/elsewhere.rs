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
    /// The channel in question. None if the cluster has none.
    channel: Option<String>,
    is_known_channel: bool,
    /// The channels that have the release, those of its own minor version first.
    found: Vec<ChannelId>,
}

impl<'g> Elsewhere<'g> {
    /// None if the channel in question has the release.
    pub(crate) fn of(
        known: &'g KnownGraph,
        version: &str,
        channel: Option<&str>,
        arch: Arch,
    ) -> Option<Self> {
        let graph = &known.graph;
        let id = channel.and_then(|name| graph.channel(name));
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
        let (version, channel) = (version.to_owned(), channel.map(str::to_owned));
        Some(Self { known, version, channel, is_known_channel: id.is_some(), found })
    }

    /// The text: one line, a question, and a line for each channel.
    pub(crate) fn words(&self) -> String {
        let version = printable(&self.version);
        let channel = self.channel.as_deref().map(printable);
        let names = self.found.iter().map(|id| self.known.graph.channels[*id].as_str());
        let names: Vec<&str> = names.collect();
        let shown: Vec<_> = names.iter().map(|name| printable(name)).collect();
        let places = list_all(&shown, "and");
        let problem = match channel {
            None => "the cluster has no channel".to_owned(),
            Some(channel) if self.is_known_channel => format!("{version} is not in {channel}"),
            Some(channel) => format!("there is no channel `{channel}`"),
        };
        let mut words = match (names.is_empty(), self.is_known_channel) {
            (true, true) => format!("{problem}, and in no other channel"),
            (true, false) => format!("{problem}, and no channel has {version}"),
            (false, true) => format!("{problem}, but we have found it in {places}."),
            (false, false) => format!("{problem}, but we have found {version} in {places}."),
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
            let meant = self.channel.as_ref().and_then(|channel| closest_channel(channel, names));
            return match meant {
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
