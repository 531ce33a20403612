//! Which releases oc-mirror v2 takes for a configuration.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use petgraph::graph::NodeIndex;
use regex::Regex;

use crate::domain::{Arch, ChannelName, HashMap, Minor, Version, version};
use crate::graph::{ChannelId, UpdateGraph};
use crate::text::Failure;

use super::channel_part::ChannelPart;
use super::config::{ImageSet, MirroredChannel, Platform};

/// The mirrored releases.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    pub nodes: BTreeSet<NodeIndex>,
    /// What the author of the configuration may not expect.
    pub notes: Vec<String>,
}

/// Takes releases as oc-mirror does, from the graph that the update service answers with.
#[derive(Debug)]
pub(crate) struct Selector<'g> {
    pub graph: &'g UpdateGraph,
    parts: RefCell<HashMap<(ChannelId, Arch), Rc<ChannelPart>>>,
}

/// A channel of the configuration with both ends of its range.
struct Range<'c> {
    channel: &'c MirroredChannel,
    min: Version,
    max: Version,
}

impl<'g> Selector<'g> {
    pub(crate) fn new(graph: &'g UpdateGraph) -> Self {
        Self { graph, parts: RefCell::default() }
    }

    /// The error says why oc-mirror mirrors nothing.
    pub(crate) fn select(&self, set: &ImageSet) -> Result<Selection, Failure> {
        let platform = &set.mirror.platform;
        let mut selection = Selection::default();
        if platform.release.is_empty() {
            for arch in platform.archs()? {
                self.add_channels(platform, arch, &mut selection)?;
            }
        } else {
            selection.nodes.insert(self.single(&platform.release)?);
            if !platform.channels.is_empty() {
                selection
                    .notes
                    .push("oc-mirror ignores `channels`, because there is a `release`".to_owned());
            }
        }
        self.remove_blocked(set, &mut selection)?;
        if !platform.graph {
            let note = "it does not mirror the data of the update graph (`graph: true`), so the mirror can have no update service";
            selection.notes.push(note.to_owned());
        }
        if selection.nodes.is_empty() {
            return Err(Failure::new("oc-mirror finds no releases for it"));
        }
        Ok(selection)
    }

    fn add_channels(
        &self,
        platform: &Platform,
        arch: Arch,
        selection: &mut Selection,
    ) -> Result<(), Failure> {
        let ranges: Vec<Range<'_>> = platform
            .channels
            .iter()
            .map(|channel| self.range(channel, arch))
            .collect::<Result<_, _>>()?;
        for range in &ranges {
            let part = self.part(&range.channel.name, arch)?;
            if range.channel.shortest_path {
                let between = self.between(&range.channel.name, arch, [&range.min, &range.max])?;
                if between.path.is_empty() {
                    selection.notes.push(format!(
                        "{} has no path of updates without conditions from {} to {}, so oc-mirror takes only these two",
                        range.channel.name, range.min, range.max
                    ));
                }
                selection.nodes.extend(between.all());
            } else {
                let is_in = |one: &Version| {
                    one.cmp_precedence(&range.min).is_ge() && one.cmp_precedence(&range.max).is_le()
                };
                let wanted = part.releases.iter().filter(|(version, _)| is_in(version));
                selection.nodes.extend(wanted.map(|(_, node)| *node));
            }
        }
        if ranges.len() > 1 {
            selection.nodes.extend(self.across_channels(&ranges, arch)?);
        }
        Ok(())
    }

    /// The range of a channel. Without ends, it has only the newest release, unless it is `full`.
    fn range<'c>(&self, channel: &'c MirroredChannel, arch: Arch) -> Result<Range<'c>, Failure> {
        let part = self.part(&channel.name, arch)?;
        let end = |found: Option<&(Version, NodeIndex)>| {
            found
                .map(|(version, _)| version.clone())
                .ok_or_else(|| no_releases(&channel.name, arch))
        };
        let (oldest, newest) = (end(part.releases.first())?, end(part.releases.last())?);
        let max = version::parse(&channel.max_version);
        let min = version::parse(&channel.min_version).unwrap_or_else(|| {
            if max.is_none() && !channel.full { newest.clone() } else { oldest }
        });
        Ok(Range { channel, min, max: max.unwrap_or(newest) })
    }

    /// A channel of the configuration with a range that has this release.
    pub(super) fn longer(
        &self,
        channel: &MirroredChannel,
        version: &Version,
        archs: &[Arch],
    ) -> MirroredChannel {
        let ranges = archs.iter().filter_map(|arch| self.range(channel, *arch).ok());
        let [mut min, mut max] = [version.clone(), version.clone()];
        for range in ranges {
            min = min.min(range.min);
            max = max.max(range.max);
        }
        channel.with_range(&min.to_string(), &max.to_string())
    }

    fn part(&self, channel: &str, arch: Arch) -> Result<Rc<ChannelPart>, Failure> {
        let id = self.graph.channel(channel).ok_or_else(|| {
            Failure::unknown_channel(channel, self.graph.channels.iter().map(String::as_str))
        })?;
        let mut parts = self.parts.borrow_mut();
        let part = parts
            .entry((id, arch))
            .or_insert_with(|| Rc::new(ChannelPart::of(self.graph, id, arch)));
        if part.releases.is_empty() {
            return Err(no_releases(channel, arch));
        }
        Ok(Rc::clone(part))
    }

    fn between(
        &self,
        channel: &str,
        arch: Arch,
        [from, to]: [&Version; 2],
    ) -> Result<Between, Failure> {
        let part = self.part(channel, arch)?;
        let node = |version: &Version| {
            let what =
                || Failure::new(format!("oc-mirror fails: {channel} has no release {version}"));
            part.node(version).ok_or_else(what)
        };
        let ends = [node(from)?, node(to)?];
        Ok(Between { ends, path: part.shortest_path(ends[0], ends[1]) })
    }

    /// What oc-mirror adds for updates from the channel with the oldest release to that with the
    /// newest one: from minor version to minor version, over the newest release of each channel.
    fn across_channels(&self, ranges: &[Range<'_>], arch: Arch) -> Result<Vec<NodeIndex>, Failure> {
        let by = |a: &Version, b: &Version, first: &Range<'_>, second: &Range<'_>| {
            a.cmp_precedence(b).then_with(|| second.channel.name.cmp(&first.channel.name))
        };
        let oldest = ranges.iter().min_by(|a, b| by(&a.min, &b.min, b, a));
        let newest = ranges.iter().max_by(|a, b| by(&a.max, &b.max, a, b));
        let (Some(oldest), Some(newest)) = (oldest, newest) else { return Ok(Vec::new()) };
        let (source, target) = (oldest.channel.name.as_str(), newest.channel.name.as_str());
        let (start, goal) = (&oldest.min, &newest.max);
        if source == target {
            return Ok(self.between(target, arch, [start, goal])?.all().collect());
        }
        let (mut at, end) = (minor_of(source)?, minor_of(target)?);
        if at == end {
            let is_there = self.part(target, arch)?.node(start).is_some();
            let start = if is_there { start } else { goal };
            return Ok(self.between(target, arch, [start, goal])?.all().collect());
        }
        let phase = source.rsplit_once('-').map_or(source, |(phase, _)| phase);
        let mut found = Vec::new();
        let mut start = self.newest(source, arch)?;
        let first = self.between(source, arch, [&oldest.min, &start])?;
        found.push(first.ends[0]);
        found.extend(first.path);
        loop {
            at = Minor { minor: at.minor + 1, ..at };
            let is_last = at == end;
            let channel = if is_last { target.to_owned() } else { format!("{phase}-{at}") };
            let next = if is_last { goal.clone() } else { self.newest(&channel, arch)? };
            if self.part(&channel, arch)?.node(&start).is_none() {
                found.push(self.between(target, arch, [&next, &next])?.ends[1]);
                return Ok(found);
            }
            let between = self.between(&channel, arch, [&start, &next])?;
            found.extend(between.path);
            if is_last {
                found.push(between.ends[1]);
                return Ok(found);
            }
            start = next;
        }
    }

    fn newest(&self, channel: &str, arch: Arch) -> Result<Version, Failure> {
        let part = self.part(channel, arch)?;
        let newest = part.releases.last().map(|(version, _)| version.clone());
        newest.ok_or_else(|| no_releases(channel, arch))
    }

    /// The release with an image.
    fn single(&self, image: &str) -> Result<NodeIndex, Failure> {
        let mut nodes = self.graph.graph.node_indices();
        let found = if let Some((_, digest)) = image.split_once('@') {
            nodes.find(|node| {
                let own = self.graph.release(*node).payload.as_deref();
                own.and_then(|own| own.rsplit_once('@')).is_some_and(|(_, own)| own == digest)
            })
        } else {
            let tag = image.rsplit_once(':').map_or("", |(_, tag)| tag);
            let (version, machine) = tag.rsplit_once('-').unwrap_or((tag, ""));
            let arch = match machine {
                "x86_64" => "amd64",
                "aarch64" => "arm64",
                other => other,
            };
            let named = format!("{version}+{arch}");
            nodes.find(|node| *self.graph.release(*node).text == named)
        };
        found.ok_or_else(|| Failure::new(format!("no release of the graph has the image {image}")))
    }

    /// Removes the releases whose images the configuration blocks.
    fn remove_blocked(&self, set: &ImageSet, selection: &mut Selection) -> Result<(), Failure> {
        for blocked in &set.mirror.blocked_images {
            let pattern = Regex::new(&blocked.name).map_err(|_| {
                Failure::new(format!(
                    "the pattern `{}` of `blockedImages` is not valid",
                    blocked.name
                ))
            })?;
            selection.nodes.retain(|node| {
                let payload = self.graph.release(*node).payload.as_deref();
                !payload.is_some_and(|payload| pattern.is_match(payload))
            });
        }
        let has_no_image = |node: &NodeIndex| self.graph.release(*node).payload.is_none();
        if !set.mirror.blocked_images.is_empty() && selection.nodes.iter().any(has_no_image) {
            let note = "the images of releases are not known, so `blockedImages` does not count; `--releases` with a graph knows them";
            selection.notes.push(note.to_owned());
        }
        Ok(())
    }
}

/// Two releases of a channel, and those on the shortest path between them.
struct Between {
    ends: [NodeIndex; 2],
    path: Vec<NodeIndex>,
}

impl Between {
    fn all(self) -> impl Iterator<Item = NodeIndex> {
        self.ends.into_iter().chain(self.path)
    }
}

fn minor_of(channel: &str) -> Result<Minor, Failure> {
    let minor = ChannelName::parse(channel).map(|name| name.minor);
    minor.ok_or_else(|| Failure::new(format!("channel {channel} has no minor version in its name")))
}

fn no_releases(channel: &str, arch: Arch) -> Failure {
    Failure::new(format!("channel {channel} has no releases for {arch}"))
}
