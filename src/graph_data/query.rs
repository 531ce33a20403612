//! The queries: each distinct text is read once.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

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
    pub query: Arc<Result<(Query, Answer), promql::Error>>,
    /// Where it is written: at least once.
    pub places: Vec<(SourceId, NodeId)>,
    /// Whether another rule is asked after it, in some file.
    pub is_followed: bool,
}

impl Queries {
    /// Reads the queries of some declarations. What is the same in another state of the repository
    /// is taken from there.
    pub(super) fn read(edges: &[BlockedEdge], other: Option<&Self>) -> Self {
        let known = other.iter().flat_map(|other| &other.0);
        let known: HashMap<&str, &Reading> =
            known.map(|reading| (reading.text.as_str(), reading)).collect();
        let mut written: BTreeMap<&str, Written> = BTreeMap::new();
        for edge in edges {
            for query in edge.queries() {
                // Whether the last line ends is a matter of YAML's notations.
                let same = written.entry(query.value.trim_end()).or_default();
                same.places.push((edge.file, query.node));
                same.is_followed |= !edge.asks_last(query.node);
            }
        }
        let distinct: Vec<_> = written.into_iter().collect();
        let distinct = distinct.into_par_iter();
        let mut readings: Vec<Reading> =
            distinct.map(|(text, places)| read(text, places, known.get(text).copied())).collect();
        readings.sort_by(|a, b| a.places.cmp(&b.places));
        Self(readings)
    }

    /// Each distinct query.
    pub fn all(&self) -> impl Iterator<Item = &Reading> {
        self.0.iter()
    }
}

/// Where a query is written.
#[derive(Default)]
struct Written {
    places: Vec<(SourceId, NodeId)>,
    is_followed: bool,
}

fn read(text: &str, written: Written, known: Option<&Reading>) -> Reading {
    let parsed = || {
        Arc::new(promql::parse(text).map(|query| {
            let answer = Answer::of(&query);
            (query, answer)
        }))
    };
    let query = known.map_or_else(parsed, |known| Arc::clone(&known.query));
    let Written { places, is_followed } = written;
    Reading { text: text.to_owned(), query, places, is_followed }
}
