//! The consumers of the data, and how each interprets a declaration.

use crate::domain::Named;

use super::production::names_updates;
use super::{Affected, BlockedEdge, GraphData, LoadVerdict};

/// The schema that a service or client supports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Consumer {
    /// A service that supports risks.
    #[default]
    Schema1_1,
    /// A service that blocks every update that a file names, and ignores all other keys.
    Schema1_0,
}

impl Named for Consumer {
    const ALL: &'static [Self] = &[Self::Schema1_0, Self::Schema1_1];

    fn name(self) -> &'static str {
        match self {
            Self::Schema1_0 => "1.0.0",
            Self::Schema1_1 => "1.1.0",
        }
    }
}

/// How a service interprets a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// It removes updates.
    Block,
    /// It makes updates conditional.
    Risk,
    /// It makes updates conditional, in the notation of the enhancement's first draft.
    DraftRisk,
}

impl Consumer {
    /// How a service interprets a declaration. None if it ignores the file.
    pub(crate) fn meaning(self, data: &GraphData, edge: &BlockedEdge) -> Option<Meaning> {
        if data.file(edge.file).verdict == LoadVerdict::Loads {
            let is_risk = matches!(edge.affected, Affected::MatchingRules(_));
            return Some(if is_risk { Meaning::Risk } else { Meaning::Block });
        }
        match self {
            Self::Schema1_0 => data.names_updates(edge).then_some(Meaning::Block),
            Self::Schema1_1 => {
                let is_draft = data.is_of_draft() && edge.is_draft();
                (is_draft && data.names_updates(edge)).then_some(Meaning::DraftRisk)
            }
        }
    }
}

impl GraphData {
    /// Whether the data says that it is in the notation of the enhancement's first draft.
    fn is_of_draft(&self) -> bool {
        let version = self.schema_version.as_ref().and_then(|schema| schema.version.as_ref());
        version.is_some_and(|version| version.to_string() == "1.1.0-draft")
    }

    /// Whether the keys `to` and `from` of a file can be read, whatever else the file contains.
    fn names_updates(&self, edge: &BlockedEdge) -> bool {
        let Some(from) = &edge.from else { return false };
        self.patterns.error(&from.value).is_none()
            && names_updates(self.sources.get(edge.file).text())
    }
}
