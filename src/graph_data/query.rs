//! Parses queries, each distinct text once.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use crate::promql::{self, Answer, Query};
use crate::text::SourceId;
use crate::yaml::NodeId;

use super::{BlockedEdge, DataFile};

/// Distinct queries, sorted by the first file with each.
#[derive(Debug, Default)]
pub struct Queries(Vec<Reading>);

/// A parsed query.
#[derive(Debug)]
pub struct Reading {
    /// Its text.
    pub text: String,
    /// The query and what it can return, or its error.
    pub query: Arc<Result<(Query, Answer), promql::Error>>,
    /// Its places. There is at least one.
    pub places: Vec<(SourceId, NodeId)>,
    /// Whether another rule follows it in some file.
    pub is_followed: bool,
}

impl Queries {
    /// Parses the queries of declarations. Reuses those of another state of the repository.
    pub(super) fn read(edges: &[BlockedEdge], other: Option<&Self>) -> Self {
        let known = other.iter().flat_map(|other| &other.0);
        let known: HashMap<&str, &Reading> =
            known.map(|reading| (reading.text.as_str(), reading)).collect();
        let mut written: BTreeMap<&str, Written> = BTreeMap::new();
        for edge in edges {
            for query in edge.queries() {
                // A line break at the end depends only on the YAML notation.
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

    /// A query alone, which is all of a file.
    pub(super) fn alone(text: &str, file: &DataFile) -> Self {
        let places = file.document().map(|document| (file.id, document.root()));
        let written = Written { places: places.into_iter().collect(), is_followed: false };
        Self(vec![read(text.trim_end(), written, None)])
    }

    pub fn all(&self) -> impl Iterator<Item = &Reading> {
        self.0.iter()
    }
}

/// The places of a query.
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
