//! Keys, and values that a schema lists.

use std::collections::BTreeMap;

use crate::domain::Named;
use crate::graph_data::FileKind;
use crate::metrics::SampleCluster;
use crate::schema::Schema;

use super::super::schemas::schema_of;
use super::{Completion, CompletionKind, WrittenFile};

/// The order in which people write keys.
const USUAL: [&str; 22] = [
    "to",
    "from",
    "fixedIn",
    "url",
    "name",
    "message",
    "matchingRules",
    "autoExtend",
    "type",
    "promql",
    "description",
    "feeder",
    "errata",
    "delay",
    "filter",
    "tombstones",
    "versions",
    "risk",
    "appliesTo",
    "tests",
    "cluster",
    "expect",
];

/// The keys that a mapping does not have yet, in the usual order: first those after the keys that
/// are there.
pub(super) fn keys(asked: &WrittenFile<'_>, others: &[String]) -> Vec<Completion> {
    let Some(schema) = schema_of(asked.kind) else { return Vec::new() };
    let mut keys = schema.keys(&asked.writing.keys);
    // The service drops a file in the notation of the first draft.
    keys.retain(|key| !others.iter().any(|other| other == key.name) && key.name != "clusters");
    let rank = |name: &str| USUAL.iter().position(|usual| *usual == name).unwrap_or(USUAL.len());
    let before = previous_key(asked).map(rank);
    keys.sort_by_key(|key| {
        let own = rank(key.name);
        (before.is_some_and(|before| own < before), own)
    });
    let item = |key: crate::schema::SchemaKey<'_>| {
        let kind = if key.is_nested { CompletionKind::KeyOfLines } else { CompletionKind::Key };
        Completion::new(kind, key.name, "").about(key.about)
    };
    keys.into_iter().map(item).collect()
}

/// The key in the line before.
fn previous_key<'a>(asked: &WrittenFile<'a>) -> Option<&'a str> {
    let before = asked.text.get(..asked.writing.range.start)?;
    let mut lines = before.lines().rev().filter(|line| !line.trim().is_empty());
    let line = lines.find(|line| line.trim_start_matches(['-', ' ']).contains(':'))?;
    line.trim_start_matches(['-', ' ']).split(':').next()
}

/// The values that a schema lists for a key.
pub(super) fn listed_values(asked: &WrittenFile<'_>, schema: Option<&Schema>) -> Vec<Completion> {
    let Some((own, around)) = asked.writing.keys.split_last() else { return Vec::new() };
    let keys = schema.map(|schema| schema.keys(around)).unwrap_or_default();
    let key = keys.into_iter().find(|key| key.name == *own);
    let mut values = key.map(|key| key.values).unwrap_or_default();
    if asked.kind == FileKind::BlockedEdge {
        // Most risks ask a query.
        values.reverse();
    }
    let item = |value: &str| Completion::new(CompletionKind::Value, value, "");
    values.into_iter().map(item).collect()
}

pub(super) fn sample_clusters() -> Vec<Completion> {
    let item = |cluster: &SampleCluster| {
        Completion::new(CompletionKind::Value, cluster.name(), "sample cluster")
            .about(cluster.title())
    };
    SampleCluster::ALL.iter().map(item).collect()
}

/// How long feeders wait, the usual times first.
pub(super) fn delays(asked: &WrittenFile<'_>) -> Vec<Completion> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let feeders = asked.data.channels.iter().filter_map(|channel| channel.feeder.as_ref());
    for delay in feeders.filter_map(|feeder| feeder.delay.as_ref()) {
        *counts.entry(&delay.value).or_default() += 1;
    }
    let mut delays: Vec<(&str, usize)> = counts.into_iter().collect();
    delays.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let item = |(delay, _): (&str, _)| Completion::new(CompletionKind::Value, delay, "");
    delays.into_iter().map(item).collect()
}

/// The channels, those of the same minor version first.
pub(super) fn channels(asked: &WrittenFile<'_>) -> Vec<Completion> {
    let own = asked.path.rsplit('/').next().and_then(|name| name.strip_suffix(".yaml"));
    let own = own.unwrap_or_default();
    let minor = own.rsplit('-').next().unwrap_or_default();
    let phases = ["candidate", "fast", "stable", "eus"];
    let phase = |stem: &str| phases.iter().position(|phase| stem.starts_with(phase));
    let mut stems: Vec<&str> =
        asked.data.channels.iter().map(|channel| channel.stem.as_str()).collect();
    stems.retain(|stem| *stem != own);
    let before = phase(own).and_then(|own| own.checked_sub(1));
    stems.sort_by_key(|stem| (!stem.ends_with(minor), phase(stem) != before, phase(stem)));
    let item = |stem: &str| Completion::new(CompletionKind::Value, stem, "channel");
    stems.into_iter().map(item).collect()
}
