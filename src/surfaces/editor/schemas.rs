//! The schema of each kind of file.

use crate::graph_data::FileKind;
use crate::schema::{self, Schema};

/// None if nothing is published about such files.
pub(super) fn schema_of(kind: FileKind) -> Option<&'static Schema> {
    match kind {
        FileKind::BlockedEdge => Some(&schema::BLOCKED_EDGES_1_1),
        FileKind::Channel | FileKind::InternalChannel => Some(&schema::CHANNEL),
        FileKind::BuildSuggestions => Some(&schema::BUILD_SUGGESTIONS),
        FileKind::RawMetadata => Some(&schema::RAW_METADATA),
        FileKind::RiskTest => Some(&schema::RISK_TEST),
        FileKind::SchemaVersion | FileKind::Query | FileKind::Stray => None,
    }
}
