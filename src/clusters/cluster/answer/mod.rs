//! The update service's answer, as the operator reads it.
//!
//! The operator is more lenient than the service's own reader: lists can be missing, the case of
//! keys does not matter, and unknown keys are ignored.

mod decode;

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::object::{ObjectRisk, ObjectRule};
use crate::domain::Version;
use crate::go::json;
use crate::graph::usual_image;

/// The update service's answer.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Its releases.
    pub nodes: Vec<Node>,
    /// Unconditional updates, as pairs of indexes of their origins and targets.
    pub edges: Vec<(i64, i64)>,
    /// Updates with risks.
    pub conditional_edges: Vec<ConditionalEdges>,
}

/// A release of an answer.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its version.
    pub version: Version,
    /// Its image.
    pub payload: String,
    /// Its metadata. The values can have any type.
    pub metadata: BTreeMap<String, Json>,
}

/// Updates with the same risks.
#[derive(Clone, Debug, Default)]
pub struct ConditionalEdges {
    /// Their origins and targets.
    pub edges: Vec<(String, String)>,
    /// Their risks. None if the list is missing or null.
    pub risks: Option<Vec<ObjectRisk>>,
}

impl Answer {
    /// Reads an answer. The error is the operator's message.
    pub fn parse(text: &str) -> Result<Self, String> {
        json::check(text)?;
        let json = serde_json::from_str(text).map_err(|error| error.to_string())?;
        decode::answer(&json)
    }

    /// Gives each release without an image a made-up image with the usual name, because clusters
    /// identify releases by their images. Returns whether there was such a release.
    pub fn name_images(&mut self, architecture: &str) -> bool {
        let mut found = false;
        for node in self.nodes.iter_mut().filter(|node| node.payload.is_empty()) {
            node.payload = usual_image(&node.version, architecture);
            found = true;
        }
        found
    }

    /// The bytes of all risks if each update from a version has its own copy of them.
    pub fn unfolded_size(&self, version: &str) -> usize {
        let rule = |rule: &ObjectRule| {
            rule.kind.len() + rule.promql.as_ref().map_or(0, |query| query.promql.len())
        };
        let risk = |risk: &ObjectRisk| {
            let rules: usize = risk.matching_rules.iter().map(rule).sum();
            risk.name.len() + risk.message.len() + risk.url.len() + rules
        };
        let groups = self.conditional_edges.iter().map(|group| {
            let risks: usize = group.risks.iter().flatten().map(risk).sum();
            let edges = group.edges.iter().filter(|(from, _)| from == version).count();
            risks.saturating_mul(edges)
        });
        groups.fold(0, usize::saturating_add)
    }

    /// The image of a version. Empty if the answer does not have the version.
    pub fn image_of(&self, version: &str) -> &str {
        let node = self.nodes.iter().find(|node| node.version.to_string() == version);
        node.map_or("", |node| &node.payload)
    }
}
