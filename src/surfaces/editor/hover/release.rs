//! What is known about a release.

use petgraph::Direction;

use crate::domain::version::text_of;
use crate::domain::{Minor, Version};
use crate::graph_data::{Channel, GraphData, ListedVersion};
use crate::report::in_markdown;
use crate::rules::Outlook;
use crate::text::words::{counted, list_all};
use crate::workspace::Workspace;

pub(super) fn about(workspace: &Workspace<'_>, version: &Version) -> String {
    let data = workspace.data();
    let members = public_members(data, version);
    let channels: Vec<String> =
        members.iter().map(|(channel, _)| in_markdown(&channel.stem)).collect();
    let mut lines = vec![format!("**{}**", in_markdown(&text_of(version)))];
    lines.push(match channels.as_slice() {
        [] => "in no public channel".to_owned(),
        channels => format!("channels: {}", list_all(channels, "and")),
    });
    if let Some(outlook) = workspace.checked().and_then(|checked| checked.graphs.after()) {
        let days = members.iter().filter_map(|(channel, member)| {
            outlook.ages.days(data.path(channel.file), &member.text.value)
        });
        if let Some(days) = days.max().and_then(|days| usize::try_from(days).ok()) {
            let days = counted(days, "day");
            lines.push(format!("in a public channel for {days} at the last commit"));
        }
        lines.push(updates("from", outlook, version, Direction::Incoming));
        lines.push(updates("to", outlook, version, Direction::Outgoing));
    }
    let declared = declared_for(data, version);
    if !declared.is_empty() {
        lines.push(format!("declared for updates to it: {}", list_all(&declared, "and")));
    }
    lines.join("\n\n")
}

/// How many updates a release has in one direction.
fn updates(word: &str, outlook: &Outlook, version: &Version, direction: Direction) -> String {
    let others: Vec<(&Version, bool)> = outlook.neighbors_of(version, direction).collect();
    let own = Minor::of(version);
    let elsewhere = others.iter().filter(|(other, _)| Minor::of(other) != own).count();
    let uncertain = others.iter().filter(|(_, is_certain)| !is_certain).count();
    let all = counted(others.len(), "release");
    let of_another = match elsewhere {
        0 => String::new(),
        some => format!(", {some} of them of another minor"),
    };
    let certainty = match uncertain {
        0 => String::new(),
        every if every == others.len() => " (uncertain)".to_owned(),
        some => format!(" ({some} of them uncertain)"),
    };
    format!("updates {word} {all}{of_another}{certainty}")
}

/// The entries of a release in public channels.
fn public_members<'d>(
    data: &'d GraphData,
    version: &Version,
) -> Vec<(&'d Channel, &'d ListedVersion)> {
    let is_it = |known: &Version| known.cmp_precedence(version).is_eq();
    let public = data.channels.iter().filter(|channel| channel.public);
    let members = public.filter_map(|channel| {
        let mut members = channel.versions.iter();
        Some((channel, members.find(|member| member.version.as_ref().is_some_and(is_it))?))
    });
    members.collect()
}

/// The risks and blocks of a target.
fn declared_for(data: &GraphData, target: &Version) -> Vec<String> {
    let Some(release) = data.releases.find(target) else { return Vec::new() };
    let edges = data.blocked_edges.iter().filter(|edge| edge.release == Some(release));
    let names = edges.map(|edge| edge.name.as_ref().map_or("a block", |name| &name.value));
    names.map(in_markdown).collect()
}
