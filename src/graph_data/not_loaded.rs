//! What the update service does not load.

use crate::text::printable;

use super::{DataFile, GraphData, Kind, NoDocument, Verdict};

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
    let missing = ["version", "raw/metadata.json"].into_iter();
    let missing = missing.filter(|path| data.at_path(path).is_none());
    reasons.chain(missing.map(|path| format!("{path} is missing: the service needs it"))).collect()
}

fn is_read_by_service(kind: Kind) -> bool {
    matches!(kind, Kind::BlockedEdge | Kind::Channel | Kind::RawMetadata | Kind::SchemaVersion)
}

fn why_not_loaded(file: &DataFile) -> Option<String> {
    match (&file.document, &file.verdict) {
        (Err(NoDocument::Unreadable(_)), _) => Some("it cannot be read".to_owned()),
        (Err(NoDocument::NotUtf8(..)), _) => Some("it is not UTF-8".to_owned()),
        (_, Verdict::Drops { why, .. }) => Some(why.clone()),
        (_, Verdict::Panics) => Some("it crashes on this file".to_owned()),
        (_, Verdict::Loads | Verdict::NotAsked) => None,
    }
}
