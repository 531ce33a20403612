//! The update service's answer, as the operator reads it.
//!
//! The operator is more lenient than the service's own reader: lists can be missing, the case of
//! keys does not matter, and unknown keys are ignored.

mod decode;

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::object::{ObjectRisk, ObjectRule};
use crate::domain::Version;
use crate::go::{self, json};
use crate::graph::cincinnati::{Readers, write_served};
use crate::graph::{Served, usual_image};
use crate::text::Failure;

/// The update service's answer.
#[derive(Clone, Debug, Default)]
pub struct ServiceAnswer {
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

impl ServiceAnswer {
    /// The answer, read as a cluster reads what the service writes.
    pub(crate) fn of(served: &Served<'_>) -> Result<Self, Failure> {
        let mut json = Vec::new();
        write_served(served, Readers { know_conditions: true }, &mut json)
            .map_err(|error| Failure::new(error.to_string()))?;
        Self::parse(&String::from_utf8_lossy(&json))
            .map_err(|error| Failure::new(error.to_string()))
    }

    /// Gives the rules of a risk this query, except those that apply to all clusters.
    pub(crate) fn decide(&mut self, risk: &str, query: &str) {
        let risks = self.conditional_edges.iter_mut().flat_map(|group| &mut group.risks);
        let own = risks.flatten().filter(|one| one.name == risk);
        for rule in own.flat_map(|one| &mut one.matching_rules) {
            if let Some(promql) = &mut rule.promql {
                query.clone_into(&mut promql.promql);
            }
        }
    }

    /// Replaces the queries of all rules.
    pub(crate) fn decide_queries<'q>(&mut self, query: impl Fn(&str) -> &'q str) {
        let risks = self.conditional_edges.iter_mut().flat_map(|group| &mut group.risks).flatten();
        for promql in
            risks.flat_map(|risk| &mut risk.matching_rules).filter_map(|rule| rule.promql.as_mut())
        {
            query(&promql.promql).clone_into(&mut promql.promql);
        }
    }

    /// Reads an answer. The error is the operator's message.
    pub fn parse(text: &str) -> Result<Self, go::Error> {
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
