//! Adds promoted releases to the files of channels.

use std::collections::BTreeMap;

use crate::edit::scalar;
use crate::graph_data::{Channel, GraphData, ListedVersion};
use crate::text::Failure;

use super::plan::{Plan, PlannedFile};
use super::risk_files::only_for_people;

/// The new texts of channels. `promoted` has a channel and a version for each promotion.
pub(crate) fn promote(data: &GraphData, promoted: &[(&Channel, &str)]) -> Result<Plan, Failure> {
    let mut by_channel: BTreeMap<&str, (&Channel, Vec<&str>)> = BTreeMap::new();
    for (channel, version) in promoted {
        let path = data.path(channel.file);
        by_channel.entry(path).or_insert_with(|| (channel, Vec::new())).1.push(version);
    }
    let mut planned = Vec::new();
    for (path, (channel, versions)) in &by_channel {
        let text = data.sources.get(channel.file).text();
        planned.push(PlannedFile::changed(
            path,
            text,
            with_members(path, text, channel, versions)?,
        ));
    }
    let subject = match promoted {
        [(channel, version)] => {
            let path = data.path(channel.file);
            format!("{}: Promote {version}", path.trim_end_matches(".yaml"))
        }
        _ => "channels: Promote releases".to_owned(),
    };
    Ok(Plan::new(planned, subject))
}

/// A channel with more members. Each is inserted before the first one that is newer.
pub(super) fn with_members(
    path: &str,
    text: &str,
    channel: &Channel,
    versions: &[&str],
) -> Result<String, Failure> {
    if text.contains('\r') {
        return Err(only_for_people(path, "it has CRLF line endings"));
    }
    let mut new = text.to_owned();
    let mut members: Vec<&str> = versions.to_vec();
    members.sort_by_cached_key(|version| order(version));
    // Inserts the last member first, so that the places of the others stay valid.
    for version in members.iter().rev() {
        let key = order(version);
        let next = channel.versions.iter().find(|member| order(&member.text.value) > key);
        let (place, line) = match (next, channel.versions.last()) {
            (Some(next), _) => line_before(path, text, next, version)?,
            (None, Some(last)) => line_after(path, text, last, version)?,
            (None, None) => return empty_list(path, text, &members),
        };
        new.insert_str(place, &line);
    }
    Ok(new)
}

/// Where the item before a member goes, and its line.
fn line_before(
    path: &str,
    text: &str,
    member: &ListedVersion,
    version: &str,
) -> Result<(usize, String), Failure> {
    let start = member.text.span.start;
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let dash = &text[line..start];
    if dash.trim() != "-" {
        return Err(only_for_people(path, "its versions do not have lines of their own"));
    }
    Ok((line, format!("{dash}{}\n", scalar(version))))
}

fn line_after(
    path: &str,
    text: &str,
    member: &ListedVersion,
    version: &str,
) -> Result<(usize, String), Failure> {
    let (_, line) = line_before(path, text, member, version)?;
    let end = member.text.span.end;
    Ok(match text[end..].find('\n') {
        Some(at) => (end + at + 1, line),
        None => (text.len(), format!("\n{}", line.trim_end())),
    })
}

fn empty_list(path: &str, text: &str, versions: &[&str]) -> Result<String, Failure> {
    let lines: Vec<String> =
        versions.iter().map(|version| format!("\n- {}", scalar(version))).collect();
    let lines = lines.concat();
    match text.find("versions: []") {
        Some(at) => {
            Ok(format!("{}versions:{lines}{}", &text[..at], &text[at + "versions: []".len()..]))
        }
        None => Err(only_for_people(path, "it has no list of versions")),
    }
}

/// The order of versions in channels: by number, then by the rest as text. A release comes before
/// its pre-releases.
fn order(version: &str) -> (Vec<u64>, Vec<String>) {
    let mut parts = version.split(['.', '+', '-']);
    let numbers = parts.by_ref().take(3).map(|part| part.parse().unwrap_or(u64::MAX)).collect();
    (numbers, parts.map(str::to_owned).collect())
}
