//! What the update service does not load.

use crate::text::printable;
use crate::tree::Unreadable;

use super::{DataFile, GraphData, Kind, Location, NoDocument, Verdict};

/// The files that the service reads but does not load, each as a line with the reason.
#[must_use]
pub(crate) fn not_loaded(data: &GraphData) -> Vec<String> {
    let files = data.files.iter().filter(|file| is_read_by_service(file.kind));
    let reasons = files.filter_map(|file| {
        let why = why_not_loaded(file)?;
        let path = data.path(file.id);
        let at = match &file.verdict {
            Verdict::Drops { at, .. } => *at,
            Verdict::NotAsked | Verdict::Loads | Verdict::Panics => None,
        };
        let line = at.map(|at| format!(":{}", data.sources.get(file.id).position(at).line));
        let place = format!("{path}{}", line.unwrap_or_default());
        Some(printable(&format!("{place}: the service does not load it: {why}")).into_owned())
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

fn is_read_by_service(kind: Kind) -> bool {
    matches!(kind, Kind::BlockedEdge | Kind::Channel | Kind::RawMetadata | Kind::SchemaVersion)
}

fn why_not_loaded(file: &DataFile) -> Option<String> {
    match (&file.document, &file.verdict) {
        (Err(NoDocument::Unreadable(why)), _) => Some(why_unreadable(why)),
        (Err(NoDocument::NotUtf8(..)), _) => Some("it is not UTF-8".to_owned()),
        (_, Verdict::Drops { why, .. }) => Some(why.clone()),
        (_, Verdict::Panics) => Some("it crashes on this file".to_owned()),
        (_, Verdict::Loads | Verdict::NotAsked) => None,
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
