//! Parses queries, each distinct text once.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::coverage::{Coverage, Dictionary, Metric};
use crate::domain::HashMap;
use crate::promql::{self, Answer, Query};
use crate::text::SourceId;
use crate::yaml::NodeId;

use super::{BlockedEdge, DataFile};

/// Distinct queries, sorted by the first file with each.
#[derive(Debug, Default)]
pub struct Queries {
    readings: Vec<Reading>,
    /// What the repository says about metrics. None: nothing.
    described: Option<Arc<Dictionary>>,
}

/// With more distinct queries, none is proved: it would take too long.
const MOST_PROVED: usize = 500;

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
    /// What it answers on clusters, once somebody asks.
    coverage: Arc<OnceLock<Coverage>>,
}

impl Queries {
    /// Parses the queries of declarations. Reuses those of another state of the repository.
    pub(super) fn read(edges: &[BlockedEdge], other: Option<&Self>) -> Self {
        let described = other.and_then(|other| other.described.clone());
        let known = other.iter().flat_map(|other| &other.readings);
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
        Self { readings, described }
    }

    /// A query alone, which is all of a file.
    pub(super) fn alone(text: &str, file: &DataFile) -> Self {
        let places = file.document().map(|document| (file.id, document.root()));
        let written = Written { places: places.into_iter().collect(), is_followed: false };
        Self { readings: vec![read(text.trim_end(), written, None)], described: None }
    }

    pub fn all(&self) -> impl Iterator<Item = &Reading> {
        self.readings.iter()
    }

    /// Says more about metrics than exitpath knows.
    pub(crate) fn describe(&mut self, metrics: &BTreeMap<String, Metric>) {
        if !metrics.is_empty() {
            self.described = Some(Arc::new(Dictionary::built_in().with(metrics)));
            for reading in &mut self.readings {
                reading.coverage = Arc::default();
            }
        }
    }

    /// The metrics that are known.
    pub(crate) fn dictionary(&self) -> &Dictionary {
        self.described.as_deref().unwrap_or_else(|| Dictionary::built_in())
    }

    /// What a query of the repository answers on clusters. None: it is not valid.
    pub(crate) fn coverage_of(&self, text: &str) -> Option<&Coverage> {
        let text = text.trim_end();
        let reading = self.readings.iter().find(|reading| reading.text == text)?;
        self.coverage(reading)
    }

    /// What a query answers on clusters. None: it is not valid.
    pub(crate) fn coverage<'r>(&self, reading: &'r Reading) -> Option<&'r Coverage> {
        let (query, _) = reading.query.as_ref().as_ref().ok()?;
        let is_many = self.readings.len() > MOST_PROVED;
        Some(reading.coverage.get_or_init(|| {
            if is_many {
                return Coverage::not_decided("the many queries of the repository");
            }
            Coverage::of(query, self.dictionary())
        }))
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
    let coverage = known.map_or_else(Arc::default, |known| Arc::clone(&known.coverage));
    let Written { places, is_followed } = written;
    Reading { text: text.to_owned(), query, places, is_followed, coverage }
}
