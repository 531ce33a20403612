//! Releases: as targets, as fixes, and as members of channels.

use std::collections::BTreeSet;

use crate::domain::version::{self, text_of};
use crate::domain::{Minor, Version};
use crate::graph_data::ReleaseId;

use super::super::lines::without_comment;
use super::super::risks::files_of;
use super::{Completion, CompletionKind, WrittenFile};

fn item(text: impl Into<String>, detail: &str) -> Completion {
    Completion::new(CompletionKind::Release, text, detail)
}

/// All releases, the newest first.
pub(super) fn all(asked: &WrittenFile<'_>) -> Vec<Completion> {
    asked.data.releases.iter().rev().map(|(_, release)| item(release.text.as_str(), "")).collect()
}

/// The release in the name of the file, and then all others.
pub(super) fn targets(asked: &WrittenFile<'_>) -> Vec<Completion> {
    let stem = asked.path.rsplit('/').next().and_then(|name| name.strip_suffix(".yaml"));
    let named = stem.and_then(|stem| longest_version(stem));
    let named = named.map(|version| item(version, "in the file's name"));
    named.into_iter().chain(all(asked)).collect()
}

/// The longest version with which a text begins, up to a `-`.
fn longest_version(text: &str) -> Option<&str> {
    let ends = text.match_indices('-').map(|(at, _)| at).chain([text.len()]);
    // A version can have words after its `-`, but the name of a risk begins with a capital letter.
    let is_version = |start: &&str| {
        version::parse(start).is_some() && !start.contains(|c: char| c.is_ascii_uppercase())
    };
    ends.map(|end| &text[..end]).filter(is_version).max_by_key(|start| start.len())
}

/// The releases after the target, oldest first: those of its minor version first.
pub(super) fn fixes(asked: &WrittenFile<'_>) -> Vec<Completion> {
    let releases = &asked.data.releases;
    let Some(target) = value_of(asked.text, "to").and_then(|to| version::parse(&to)) else {
        return all(asked);
    };
    let minor = Minor::of(&target);
    let name = value_of(asked.text, "name").unwrap_or_default();
    let files = files_of(asked.data, &name);
    let declared: BTreeSet<Option<ReleaseId>> = files.iter().map(|edge| edge.release).collect();
    let own = releases.of_minor(minor).filter(|id| {
        let release = &releases.get(*id).version;
        *release > target && !declared.contains(&Some(*id))
    });
    let text = |id: ReleaseId| releases.get(id).text.clone();
    let own: Vec<Completion> = own.map(|id| item(text(id), "")).collect();
    let next = next_patch(&target);
    let next = item(text_of(&next), "the next patch");
    own.into_iter().chain([next]).chain(all(asked)).collect()
}

fn next_patch(version: &Version) -> Version {
    Version::new(version.major, version.minor, version.patch + 1)
}

/// The value of a key at the top of a file, however broken the file is.
pub(super) fn value_of(text: &str, key: &str) -> Option<String> {
    let own = |line: &'_ str| -> Option<usize> {
        let rest = line.trim_start_matches(['"', '\'']).strip_prefix(key)?;
        let rest = rest.trim_start_matches(['"', '\'']).strip_prefix(':')?;
        Some(line.len() - rest.len())
    };
    let value = text.lines().find_map(|line| Some(&line[own(line)?..]))?;
    let value = without_comment(value).trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then(|| value.to_owned())
}

/// The releases that belong between the two neighbors of an entry, and then those that the list
/// lacks.
pub(super) fn members(asked: &WrittenFile<'_>) -> Vec<Completion> {
    let releases = &asked.data.releases;
    let start = asked.writing.range.start;
    let (before, after) = asked.text.split_at(start);
    let version_in = |line: &str| {
        let word = line.trim().trim_start_matches('-').trim().trim_matches(['"', '\'']);
        version::parse(word.split([' ', '#']).next().unwrap_or_default())
    };
    let previous = before.lines().rev().find_map(version_in);
    let next = after.lines().skip(1).find_map(version_in);
    let listed: BTreeSet<Version> =
        before.lines().chain(after.lines().skip(1)).filter_map(version_in).collect();
    let minor = previous.as_ref().or(next.as_ref()).map(Minor::of);
    let missing: Vec<&Version> = releases
        .iter()
        .map(|(_, release)| &release.version)
        .filter(|version| !listed.contains(*version))
        .collect();
    let is_between = |version: &&&Version| {
        previous.as_ref().is_none_or(|previous| **version > previous)
            && next.as_ref().is_none_or(|next| **version < next)
    };
    let fed = feeder_members(asked);
    let rank = |version: &Version| (fed.contains(version), Some(Minor::of(version)) == minor);
    let mut between: Vec<&Version> = missing.iter().filter(is_between).copied().collect();
    // Without a successor, the list grows at its end.
    between.sort_by_key(|version| {
        let (is_fed, is_of_minor) = rank(version);
        (!is_of_minor, !is_fed)
    });
    let guess = previous.as_ref().map(next_patch);
    let guess = guess.filter(|guess| !listed.contains(guess) && is_between(&&guess));
    let others = missing.iter().rev().copied();
    let known = between.into_iter().map(|version| item(text_of(version), ""));
    let guess = guess.map(|version| item(text_of(&version), "the next patch"));
    known.chain(guess).chain(others.map(|version| item(text_of(version), ""))).collect()
}

/// The releases of the channel that feeds this one.
fn feeder_members(asked: &WrittenFile<'_>) -> BTreeSet<Version> {
    let feeder = asked.text.split_once("feeder:").map(|(_, rest)| rest);
    let name = feeder.and_then(|rest| {
        rest.lines().find_map(|line| line.trim().strip_prefix("name:").map(str::trim))
    });
    let channel = asked.data.channels.iter().find(|channel| Some(channel.stem.as_str()) == name);
    let members = channel.into_iter().flat_map(|channel| &channel.versions);
    members.filter_map(|member| member.version.clone()).collect()
}
