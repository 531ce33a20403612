//! Where a thing is declared, and where it is used.

use crate::domain::Version;
use crate::graph_data::GraphData;
use crate::text::Span;
use crate::workspace::Workspace;

use super::cursor::{Cursor, Subject};
use super::risks::{files_of, names_in_tests};

/// Where the thing at a place is declared: a risk in the first of its other files; a release in the
/// channel that had it first.
pub(crate) fn definition(workspace: &Workspace<'_>, path: &str, offset: usize) -> Vec<Span> {
    let data = workspace.data();
    let Some(cursor) = Cursor::at(data, path, offset) else { return Vec::new() };
    match cursor.subject() {
        Subject::RiskName(name) => {
            let files = files_of(data, name);
            let mut names = files.iter().filter_map(|edge| edge.name.as_ref());
            let other = names.clone().find(|name| name.span.source != cursor.file.id);
            other.or_else(|| names.next()).map(|name| name.span).into_iter().collect()
        }
        Subject::Release(version) => members(data, &version).into_iter().take(1).collect(),
        _ => Vec::new(),
    }
}

/// Where the thing at a place is named.
pub(crate) fn references(workspace: &Workspace<'_>, path: &str, offset: usize) -> Vec<Span> {
    let data = workspace.data();
    let Some(cursor) = Cursor::at(data, path, offset) else { return Vec::new() };
    match cursor.subject() {
        Subject::RiskName(name) => names(data, name),
        Subject::Release(version) => {
            let is_it = |other: &Version| other.cmp_precedence(&version).is_eq();
            let targets = data.blocked_edges.iter().filter_map(|edge| {
                edge.target.as_ref().filter(|target| is_it(target))?;
                Some(edge.to.as_ref()?.span)
            });
            let fixes = data.blocked_edges.iter().filter_map(|edge| {
                let fix = edge.fixed_in.as_ref()?;
                let version = crate::domain::version::parse(&fix.value)?;
                is_it(&version).then_some(fix.span)
            });
            members(data, &version).into_iter().chain(targets).chain(fixes).collect()
        }
        Subject::Query(reading, _) => {
            let places = reading.places.iter();
            places.map(|(file, node)| data.file(*file).span(*node)).collect()
        }
        _ => Vec::new(),
    }
}

/// The places of a risk's name.
pub(super) fn names(data: &GraphData, name: &str) -> Vec<Span> {
    let declared = files_of(data, name).into_iter().filter_map(|edge| edge.name.as_ref());
    let declared = declared.map(|name| name.span);
    declared.chain(names_in_tests(data, name)).collect()
}

/// The entries of a release in channels, in the order in which releases reach them.
fn members(data: &GraphData, version: &Version) -> Vec<Span> {
    let mut channels: Vec<_> = data.channels.iter().collect();
    let phases = ["candidate", "fast", "stable", "eus"];
    let phase = |stem: &str| phases.iter().position(|phase| stem.starts_with(phase));
    channels.sort_by_key(|channel| (!channel.public, phase(&channel.stem), channel.stem.clone()));
    let members = channels.into_iter().flat_map(|channel| &channel.versions);
    let is_it = |other: &Version| other.cmp_precedence(version).is_eq();
    let own = members.filter(|member| member.version.as_ref().is_some_and(is_it));
    own.map(|member| member.text.span).collect()
}
