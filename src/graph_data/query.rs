//! The queries: each distinct text is read once.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::promql::{self, Answer, Query};
use crate::text::SourceId;
use crate::yaml::NodeId;

use super::BlockedEdge;

/// Queries, in the order of the first file that carries each.
#[derive(Debug, Default)]
pub struct Queries(Vec<Reading>);

/// A query, read.
#[derive(Debug)]
pub struct Reading {
    /// Its text.
    pub text: String,
    /// The query and what its results look like, or why it is none.
    pub query: Result<(Query, Answer), promql::Error>,
    /// Where it is written: at least once.
    pub places: Vec<(SourceId, NodeId)>,
}

impl Queries {
    pub(super) fn read(edges: &[BlockedEdge]) -> Self {
        let mut places: BTreeMap<&str, Vec<(SourceId, NodeId)>> = BTreeMap::new();
        for edge in edges {
            for (query, node) in edge.queries() {
                places.entry(&query.value).or_default().push((edge.file, node));
            }
        }
        let distinct: Vec<_> = places.into_iter().collect();
        let mut readings: Vec<Reading> = distinct.into_par_iter().map(read).collect();
        readings.sort_by(|a, b| a.places.cmp(&b.places));
        Self(readings)
    }

    /// Each distinct query.
    pub fn all(&self) -> impl Iterator<Item = &Reading> {
        self.0.iter()
    }
}

fn read((text, places): (&str, Vec<(SourceId, NodeId)>)) -> Reading {
    let query = promql::parse(text).map(|query| {
        let answer = Answer::of(&query);
        (query, answer)
    });
    Reading { text: text.to_owned(), query, places }
}
