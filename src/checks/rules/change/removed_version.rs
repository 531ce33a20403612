//! A version removed from a channel.

use crate::domain::version::{strip_build, with_build, without_build};
use crate::domain::{Arch, HashMap, HashSet, Named, Version};
use crate::graph_data::{Channel, DataFile, ListedVersion};
use crate::rules::shared::channels::is_loaded;

use crate::rules::{Change, Check, Family, Finding, Place, Properties, Rule, Severity, shortened};
use crate::text::words::listed;

pub(super) static RULE: Rule = Rule {
    code: "EP801",
    name: "removed-version",
    properties: Properties::USUAL,
    family: Family::Change,
    severity: Severity::Error,
    summary: "a version that the change removes from a public channel",
    explanation: "\
If a channel no longer has the version that a cluster runs, the cluster gets no updates
at all (`VersionNotFound`) until somebody moves it to another channel. To keep clusters
from a release, block the updates to it, and make it a tombstone in the feeder so that
it is not promoted further.

This rule runs only with `--base`.",
    bad: "\
before:  versions: [4.14.1, 4.14.2]
after:   versions: [4.14.1]",
    good: "\
before:  versions: [4.14.1, 4.14.2]
after:   versions: [4.14.1, 4.14.2], and blocked-edges/4.14.2.yaml",
    check: Check::Change(check),
};

fn check(change: &Change<'_>, findings: &mut Vec<Finding>) {
    let public = |channel: &&Channel| channel.public;
    let after: HashMap<&str, &Channel> = change
        .after
        .channels
        .iter()
        .filter(public)
        .map(|channel| (channel.name(), channel))
        .collect();
    for before in change.before.channels.iter().filter(public) {
        let now = after.get(before.name()).copied();
        // Other rules report a file that does not load, cannot be read, or has no name.
        let path = change.path_after(before.file);
        let is_read = |file: &DataFile| {
            let mut read = change.after.channels.iter().filter(|c| c.name.is_some());
            read.any(|channel| channel.file == file.id)
        };
        if now.is_some_and(|now| !is_loaded(change.after, now)) {
            continue;
        }
        if now.is_none() && change.after.at_path(path).is_some_and(|file| !is_read(file)) {
            continue;
        }
        findings.extend(finding(before, now, path));
    }
}

fn finding(before: &Channel, now: Option<&Channel>, path: &str) -> Option<Finding> {
    let left: HashSet<&Version> =
        now.iter().flat_map(|now| &now.versions).filter_map(|one| one.version.as_ref()).collect();
    let is_left = |member: &ListedVersion| {
        member.version.as_ref().is_none_or(|version| is_served(version, &left))
    };
    let removed = before.versions.iter().filter(|member| !is_left(member));
    let mut removed: Vec<&str> = removed.map(|member| member.text.value.as_str()).collect();
    removed.dedup();
    let first = removed.first()?;
    let core = |text: &str| strip_build(text).to_owned();
    let on_fewer_architectures =
        now.iter().flat_map(|now| &now.versions).find(|one| core(&one.text.value) == core(first));
    let names =
        listed(&removed.iter().map(|version| shortened(version)).collect::<Vec<_>>(), "and");
    let (is, them) = if removed.len() == 1 { ("is", "it") } else { ("are", "them") };
    let channel = shortened(before.name());
    let (message, place) = match (now, on_fewer_architectures) {
        (_, Some(member)) => (
            format!(
                "{names} {is} in `{channel}` for fewer architectures than before: clusters on the other architectures get no updates"
            ),
            Place::Text(member.text.span),
        ),
        (Some(now), None) => (
            format!("{names} {is} no longer in `{channel}`: clusters on {them} get no updates"),
            now.name.as_ref().map_or(Place::File(now.file), |name| name.span.into()),
        ),
        (None, None) => (
            format!("the channel `{channel}` is gone: clusters in it get no updates"),
            Place::Absent(path.to_owned()),
        ),
    };
    let help = match now {
        None => "keep the channel's file with its name and versions".to_owned(),
        Some(_) => format!(
            "keep {them} in the channel: block the updates to {them}, and make {them} a tombstone in the feeder"
        ),
    };
    Some(Finding::on(&RULE, place, message).about(removed.join(" ")).help(help))
}

/// Whether the versions that are `left` still serve a version to all clusters that had it.
fn is_served(version: &Version, left: &HashSet<&Version>) -> bool {
    let for_arch = |arch: Arch| left.contains(&with_build(version, arch.name()));
    left.contains(version)
        || left.contains(&without_build(version))
        || version.build.is_empty() && Arch::ALL.iter().all(|arch| for_arch(*arch))
}
