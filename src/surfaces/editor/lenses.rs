//! Notes above the lines of a file.

use crate::text::Span;
use crate::text::words::{counted, list_all};
use crate::workspace::Workspace;

use super::actions::{extended, waiting};
use super::cursor::edge_of;

/// A note, and what it does if the user chooses it.
#[derive(Debug)]
pub(crate) struct Lens {
    pub title: String,
    pub span: Span,
    pub does: LensAction,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LensAction {
    Nothing,
    /// Extends the risk of the file to the releases that wait for it.
    Extend,
}

pub(crate) fn lenses(workspace: &mut Workspace<'_>, path: &str) -> Vec<Lens> {
    let stranded = workspace.newly_stranded().filter(|count| *count > 0);
    let data = workspace.data();
    let Some(file) = data.at_path(path) else { return Vec::new() };
    let note = |title, span| Lens { title, span, does: LensAction::Nothing };
    let mut lenses = Vec::new();
    let top = Span::new(file.id, 0..0);
    let stranded = stranded.map(|count| counted(count, "release"));
    lenses.extend(stranded.map(|releases| note(format!("{releases} newly stranded"), top)));
    let Some(edge) = edge_of(data, file.id) else { return lenses };
    if let (Some(from), Some(reached)) = (&edge.from, data.reached(edge)) {
        let origins = counted(reached.len(), "origin");
        lenses.push(note(format!("matches {origins} of this target"), from.span));
    }
    if let (Some(to), Some((name, waits))) = (&edge.to, waiting(data, edge))
        && extended(data, name, &waits).is_ok()
    {
        let texts: Vec<&str> =
            waits.iter().map(|id| data.releases.get(*id).text.as_str()).collect();
        let title = format!("extend to {}", list_all(&texts, "and"));
        lenses.push(Lens { title, span: to.span, does: LensAction::Extend });
    }
    lenses
}

/// The plan of the lens that extends the risk of a file.
pub(crate) fn extension(
    workspace: &Workspace<'_>,
    path: &str,
) -> Result<crate::authoring::Plan, crate::text::Failure> {
    let data = workspace.data();
    let edge = data.at_path(path).and_then(|file| edge_of(data, file.id));
    let waiting = edge.and_then(|edge| waiting(data, edge));
    let (name, releases) = waiting.ok_or_else(|| {
        crate::text::Failure::new(format!("no release waits for the risk of {path}"))
    })?;
    extended(data, name, &releases)
}
