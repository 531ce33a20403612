//! What a change does to the instructions for bots and builds, in sentences: which promotions
//! start, stop, or become possible, and which releases the next ones can be updated from.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::Minor;
use crate::graph_data::{
    Bound, BuildSuggestions, Channel, FileKind, GraphData, ListedVersion, LoadVerdict, Ranges,
    VersionRange,
};
use crate::text::words::{list_all, listed, quoted};

use super::promotions::{PromotionChange, by_name};

/// One change of the instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpkeepChange {
    /// `+`, `-`, or `~`.
    pub sign: char,
    pub summary: String,
    pub details: Vec<String>,
}

/// All changes of the instructions.
pub(super) fn upkeep(before: &GraphData, after: &GraphData) -> Vec<UpkeepChange> {
    let mut changes = Vec::new();
    come_and_go(before, after, &mut changes);
    for one in PromotionChange::all(before, after) {
        feeder(&one, &mut changes);
    }
    let (was, is) = (by_name(before), by_name(after));
    for (key, now) in &is {
        if let Some(then) = was.get(key) {
            tombstones(then, now, &mut changes);
            members(after, then, now, &mut changes);
        }
    }
    builds(before, after, &mut changes);
    changes
}

/// What the service no longer loads, each with the effects of that.
pub(super) fn unloaded(before: &GraphData, after: &GraphData) -> Vec<String> {
    let mut found = Vec::new();
    for file in after.files_by_path().filter(|file| file.verdict != LoadVerdict::Loads) {
        let path = after.path(file.id);
        let was = before.at_path(path);
        if was.is_none_or(|was| was.verdict != LoadVerdict::Loads) {
            continue;
        }
        let what = if file.document().is_none() { "cannot be read" } else { "does not load" };
        let effect = match file.kind {
            _ if file.verdict == LoadVerdict::Panics => "it crashes the service",
            FileKind::Channel => "its clusters lose all updates",
            FileKind::BlockedEdge => "what it declares no longer applies",
            FileKind::RawMetadata | FileKind::SchemaVersion => {
                "the service builds no new graph, and clusters keep what they have"
            }
            _ => continue,
        };
        found.push(format!("{path} {what}: {effect}"));
    }
    found
}

fn come_and_go(before: &GraphData, after: &GraphData, changes: &mut Vec<UpkeepChange>) {
    let (was, is) = (by_name(before), by_name(after));
    let gone = was.iter().filter(|(key, _)| !is.contains_key(*key)).map(|(_, one)| (*one, '-'));
    let new = is.iter().filter(|(key, _)| !was.contains_key(*key)).map(|(_, one)| (*one, '+'));
    for (channel, sign) in gone.chain(new) {
        let kind = if channel.public { "channel" } else { "internal channel" };
        let verb = if sign == '+' { "is new" } else { "is gone" };
        let summary = format!("the {kind} `{}` {verb}", channel.name());
        changes.push(UpkeepChange { sign, summary, details: Vec::new() });
    }
}

fn feeder(one: &PromotionChange<'_>, changes: &mut Vec<UpkeepChange>) {
    let (was, is) = (one.before.feeder.as_ref(), one.after.feeder.as_ref());
    let name = one.after.name();
    let text = |text: &Option<crate::graph_data::Text>| {
        text.as_ref().map(|text| text.value.as_str().to_owned()).unwrap_or_default()
    };
    let details: Vec<String> = match (was, is) {
        (Some(was), Some(is)) => [
            ("name", text(&was.name), text(&is.name)),
            ("filter", text(&was.filter), text(&is.filter)),
            ("delay", text(&was.delay), text(&is.delay)),
            ("errata", text(&was.errata), text(&is.errata)),
        ]
        .into_iter()
        .filter_map(|(key, was, is)| edit(key, &was, &is))
        .collect(),
        (None, None) => Vec::new(),
        (None, Some(_)) => vec!["it has a feeder now".to_owned()],
        (Some(_), None) => vec!["it has no feeder any more".to_owned()],
    };
    let minors = |versions: &[crate::domain::Version]| {
        let minors: BTreeSet<Minor> = versions.iter().map(Minor::of).collect();
        list_all(&minors.iter().map(Minor::to_string).collect::<Vec<_>>(), "and")
    };
    let mut push = |sign, summary: String| {
        changes.push(UpkeepChange { sign, summary, details: details.clone() });
    };
    if details.is_empty() {
        return;
    }
    if !one.stops.is_empty() {
        push('-', format!("the bot stops promoting {} releases to `{name}`", minors(&one.stops)));
    }
    if !one.starts.is_empty() {
        push('+', format!("{} releases can now be promoted to `{name}`", minors(&one.starts)));
    }
    if one.stops.is_empty() && one.starts.is_empty() {
        push('~', format!("the feeder of `{name}` changed"));
    }
}

fn edit(key: &str, was: &str, is: &str) -> Option<String> {
    match (was, is) {
        _ if was == is => None,
        ("", is) => Some(format!("`{key}` is now `{is}`")),
        (was, "") => Some(format!("`{key}` was `{was}` and is gone")),
        (was, is) => Some(format!("`{key}` was `{was}` and is now `{is}`")),
    }
}

/// The versions in a list that are not in another list.
fn without<'m>(list: &'m [ListedVersion], other: &[ListedVersion]) -> Vec<&'m str> {
    let known: BTreeSet<&str> = other.iter().map(|member| member.text.value.as_str()).collect();
    let texts = list.iter().map(|member| member.text.value.as_str());
    texts.filter(|text| !known.contains(text)).collect()
}

fn tombstones(was: &Channel, is: &Channel, changes: &mut Vec<UpkeepChange>) {
    let name = is.name();
    let (new, gone) =
        (without(&is.tombstones, &was.tombstones), without(&was.tombstones, &is.tombstones));
    let mut push = |list: &[&str], one: &str, many: &str| {
        if !list.is_empty() {
            let (noun, rest) =
                if list.len() == 1 { ("a tombstone", one) } else { ("tombstones", many) };
            let summary = format!("{} {}", listed(list, "and"), rest.replace("TOMBSTONE", noun));
            changes.push(UpkeepChange { sign: '~', summary, details: Vec::new() });
        }
    };
    push(
        &new,
        &format!("is now TOMBSTONE of `{name}`: it is not promoted further"),
        &format!("are now TOMBSTONE of `{name}`: they are not promoted further"),
    );
    push(
        &gone,
        &format!("is no longer TOMBSTONE of `{name}`: it can be promoted"),
        &format!("are no longer TOMBSTONE of `{name}`: they can be promoted"),
    );
}

/// The releases that join or leave an internal channel, and where they can be promoted to.
fn members(after: &GraphData, was: &Channel, is: &Channel, changes: &mut Vec<UpkeepChange>) {
    // Moves in public channels are reported elsewhere, because clusters see them.
    if is.public {
        return;
    }
    let name = is.name();
    let (joins, leaves) =
        (without(&is.versions, &was.versions), without(&was.versions, &is.versions));
    let mut by_channels: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
    for version in joins {
        let fed = after.channels.iter().filter(|channel| {
            channel.feeder.as_ref().is_some_and(|feeder| {
                let is_source =
                    feeder.name.as_ref().is_some_and(|source| source.value.as_str() == name);
                is_source && feeder.is_usable() && feeder.filter().allows(version)
            })
        });
        by_channels.entry(fed.map(Channel::name).collect()).or_default().push(version);
    }
    for (channels, versions) in by_channels {
        let (join, can) = if versions.len() == 1 { ("joins", "it") } else { ("join", "they") };
        let to = if channels.is_empty() {
            String::new()
        } else {
            format!(": {can} can be promoted to {}", listed(&quoted(&channels), "and"))
        };
        let summary =
            format!("{} {join} the internal channel `{name}`{to}", listed(&versions, "and"));
        changes.push(UpkeepChange { sign: '+', summary, details: Vec::new() });
    }
    if !leaves.is_empty() {
        let leave = if leaves.len() == 1 { "leaves" } else { "leave" };
        let summary = format!("{} {leave} the internal channel `{name}`", listed(&leaves, "and"));
        changes.push(UpkeepChange { sign: '-', summary, details: Vec::new() });
    }
}

fn builds(before: &GraphData, after: &GraphData, changes: &mut Vec<UpkeepChange>) {
    let by_minor = |data: &'_ GraphData| -> BTreeMap<Minor, Vec<(String, String)>> {
        data.suggestions.iter().map(|one| (one.minor, written(one))).collect()
    };
    let (was, is) = (by_minor(before), by_minor(after));
    let minors: BTreeSet<&Minor> = was.keys().chain(is.keys()).collect();
    for minor in minors {
        let change = match (was.get(minor), is.get(minor)) {
            (Some(_), None) => {
                ('-', format!("there are no build suggestions for {minor} any more"), Vec::new())
            }
            (None, Some(_)) => ('+', format!("build suggestions for {minor} are new"), Vec::new()),
            (Some(was), Some(is)) if was != is => {
                let of = |list: &[(String, String)], key: &str| {
                    let found = list.iter().find(|(known, _)| known == key);
                    found.map(|(_, value)| value.clone()).unwrap_or_default()
                };
                let keys: BTreeSet<&String> = was.iter().chain(is).map(|(key, _)| key).collect();
                let edits =
                    keys.into_iter().filter_map(|key| edit(key, &of(was, key), &of(is, key)));
                let summary = format!("the next {minor} release is built with other updates to it");
                ('~', summary, edits.collect())
            }
            _ => continue,
        };
        let (sign, summary, details) = change;
        changes.push(UpkeepChange { sign, summary, details });
    }
}

/// The bounds in build suggestions, each with its key.
fn written(suggestions: &BuildSuggestions) -> Vec<(String, String)> {
    let of_range = |arch: &str, prefix: &str, range: &VersionRange| {
        let arch = if arch == "default" { String::new() } else { format!("{arch}.") };
        let text = |bound: Option<&Bound>| bound.map(|b| b.value.to_string()).unwrap_or_default();
        let blocked: Vec<String> = range.blocked.iter().map(|b| b.value.to_string()).collect();
        [
            (format!("{arch}{prefix}_min"), text(range.min.as_ref())),
            (format!("{arch}{prefix}_max"), text(range.max.as_ref())),
            (format!("{arch}{prefix}_block_list"), blocked.join(", ")),
        ]
    };
    let of_entry = |entry: &Ranges| {
        let minor = of_range(&entry.arch, "minor", &entry.minor);
        minor.into_iter().chain(of_range(&entry.arch, "z", &entry.z))
    };
    suggestions.entries.iter().flat_map(of_entry).collect()
}
