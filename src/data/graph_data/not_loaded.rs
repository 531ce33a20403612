//! What the update service does not load.

use crate::domain::HashSet;
use crate::domain::channel_name::is_servable;
use crate::text::{SourceId, Span, printable};
use crate::tree::Unreadable;

use super::{Consumer, DataFile, FileKind, GraphData, LoadVerdict, Location, NoDocument};

/// The files that the service reads but does not load, and the channels that it cannot serve, each
/// as a line with the reason.
pub(crate) fn not_loaded(data: &GraphData, consumer: Consumer) -> Vec<String> {
    let known = data.blocked_edges.iter();
    let known = known.filter(|edge| consumer.meaning(data, edge).is_some());
    let known: HashSet<SourceId> = known.map(|edge| edge.file).collect();
    let files = data.files_by_path().filter(|file| is_read_by_service(file.kind));
    let files = files.filter(|file| !known.contains(&file.id));
    let reasons = files.filter_map(|file| {
        let (line, why) = reason(data, file)?;
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        Some(printable(&format!("{}{line}: {why}", data.path(file.id))).into_owned())
    });
    let files = ["version", "raw/metadata.json"].into_iter();
    let files = files.filter(|path| data.at_path(path).is_none());
    let folders = ["blocked-edges", "channels"].into_iter().filter(|folder| {
        let mut paths = data.files.iter().map(|file| data.path(file.id));
        !paths.any(|path| Location::of(path).folder == *folder)
    });
    let missing = files.chain(folders);
    let missing = missing.map(|path| format!("{path} is missing: the service needs it"));
    reasons.chain(missing).collect()
}

/// Why the service does not load or serve a file, and the line that is the reason.
fn reason(data: &GraphData, file: &DataFile) -> Option<(Option<usize>, String)> {
    let line = |span: Span| data.sources.get(file.id).position(span.start).line;
    if let Some(why) = why_not_loaded(file) {
        let at = match &file.verdict {
            LoadVerdict::Drops { at, .. } => *at,
            LoadVerdict::NotAsked | LoadVerdict::Loads | LoadVerdict::Panics => None,
        };
        let line = at.map(|at| data.sources.get(file.id).position(at).line);
        let then = if is_needed(file.kind) { NO_GRAPH } else { "" };
        return Some((line, format!("the service does not load it: {why}{then}")));
    }
    match file.kind {
        FileKind::SchemaVersion => {
            let declared = data.schema_version.as_ref().filter(|one| !one.is_supported())?;
            let text = &declared.text.value;
            Some((None, format!("the service does not know the version `{text}`{NO_GRAPH}")))
        }
        FileKind::Channel => {
            let name = file.text("name").filter(|name| !is_servable(&name.value))?;
            let words = format!("clusters cannot request the channel `{}`", name.value);
            Some((Some(line(name.span)), words))
        }
        _ => None,
    }
}

/// The effect of not loading a file that every graph needs.
const NO_GRAPH: &str = ", so it builds no new graph, and clusters keep what they have";

fn is_needed(kind: FileKind) -> bool {
    matches!(kind, FileKind::RawMetadata | FileKind::SchemaVersion)
}

fn is_read_by_service(kind: FileKind) -> bool {
    matches!(
        kind,
        FileKind::BlockedEdge | FileKind::Channel | FileKind::RawMetadata | FileKind::SchemaVersion
    )
}

fn why_not_loaded(file: &DataFile) -> Option<String> {
    match (&file.document, &file.verdict) {
        (Err(NoDocument::Unreadable(why)), _) => Some(why_unreadable(why)),
        (Err(NoDocument::NotUtf8(..)), _) => Some("it is not UTF-8".to_owned()),
        (_, LoadVerdict::Drops { why, .. }) => Some(why.clone()),
        (_, LoadVerdict::Panics) => Some("it crashes on this file".to_owned()),
        (_, LoadVerdict::Loads | LoadVerdict::NotAsked) => None,
    }
}

fn why_unreadable(why: &Unreadable) -> String {
    match why {
        Unreadable::TooLarge(bytes) => format!("it is too large, with {bytes} bytes"),
        Unreadable::TooManyValues => "it has too many values".to_owned(),
        Unreadable::TooManyFiles => "the repository is too large".to_owned(),
        Unreadable::Folder => "it is a folder".to_owned(),
        Unreadable::SpecialFile => "it is a pipe, a socket, or a device".to_owned(),
        Unreadable::Submodule => "it is a submodule".to_owned(),
        Unreadable::Link(to) => format!("it is a link to {to}, which is not in the data"),
        Unreadable::Io(why) => format!("it cannot be read: {why}"),
    }
}
