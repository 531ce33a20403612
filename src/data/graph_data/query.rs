//! Parses queries, each distinct text once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

use crate::coverage::{Coverage, Dictionary, Metric};
use crate::domain::{HashMap, Minor, SharedList};
use crate::promql::{self, Answer, Query};
use crate::text::SourceId;
use crate::yaml::NodeId;

use super::{BlockedEdge, DataFile};

/// Distinct queries, sorted by the first file with each.
#[derive(Debug, Default)]
pub struct Queries {
    readings: Vec<Reading>,
    /// What the repository says about metrics. None if it says nothing.
    described: Option<Arc<Dictionary>>,
    /// The dictionary for each set of minor versions that some query is for.
    narrowed: Mutex<BTreeMap<BTreeSet<Minor>, Arc<Dictionary>>>,
}

/// If there are more distinct queries, none is proved, because that would take too long.
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
    /// Whether it is followed by another rule in some file.
    pub is_followed: bool,
    /// The minor versions of the clusters that it is for. Empty if they are unknown.
    minors: BTreeSet<Minor>,
    /// The dictionary for these minor versions, computed on demand.
    dictionary: OnceLock<Arc<Dictionary>>,
    /// What it answers on clusters, computed on demand.
    coverage: Arc<OnceLock<Coverage>>,
    /// What it answers with another text after it, by that text. None if both together are not a
    /// query.
    extended: Arc<Mutex<BTreeMap<String, Option<Arc<Coverage>>>>>,
}

impl Queries {
    /// Parses the queries of declarations, and reuses those of another state of the repository.
    /// `minors` returns the minor versions of a declaration's origins.
    pub(super) fn read(
        edges: &SharedList<BlockedEdge>,
        other: Option<&Self>,
        minors: impl Fn(&BlockedEdge) -> BTreeSet<Minor>,
    ) -> Self {
        let described = other.and_then(|other| other.described.clone());
        let known = other.iter().flat_map(|other| &other.readings);
        let known: HashMap<&str, &Reading> =
            known.map(|reading| (reading.text.as_str(), reading)).collect();
        let mut written: BTreeMap<&str, QueryPlaces> = BTreeMap::new();
        for edge in edges {
            for query in edge.queries() {
                // Whether there is a line break at the end depends only on the YAML notation.
                let same = written.entry(query.value.trim_end()).or_default();
                same.places.push((edge.file, query.node));
                same.is_followed |= !edge.asks_last(query.node);
                let minors = minors(edge);
                same.is_for_any |= minors.is_empty();
                same.minors.extend(minors);
            }
        }
        let distinct: Vec<_> = written.into_iter().collect();
        let distinct = distinct.into_par_iter();
        let mut readings: Vec<Reading> =
            distinct.map(|(text, places)| read(text, places, known.get(text).copied())).collect();
        readings.sort_by(|a, b| a.places.cmp(&b.places));
        Self { readings, described, narrowed: Mutex::default() }
    }

    /// A single query that is the whole file.
    pub(super) fn alone(text: &str, file: &DataFile) -> Self {
        let places = file.document().map(|document| (file.id, document.root()));
        let written =
            QueryPlaces { places: places.into_iter().collect(), ..QueryPlaces::default() };
        let readings = vec![read(text.trim_end(), written, None)];
        Self { readings, ..Self::default() }
    }

    pub fn all(&self) -> impl Iterator<Item = &Reading> {
        self.readings.iter()
    }

    /// Adds descriptions of metrics to those that exitpath has.
    pub(crate) fn describe(&mut self, metrics: &BTreeMap<String, Metric>) {
        if !metrics.is_empty() {
            self.described = Some(Arc::new(Dictionary::built_in().with(metrics)));
            self.narrowed = Mutex::default();
            for reading in &mut self.readings {
                (reading.coverage, reading.extended) = (Arc::default(), Arc::default());
                reading.dictionary = OnceLock::new();
            }
        }
    }

    /// Whether the same queries, in the same order, are for clusters of the same minor versions.
    pub(crate) fn are_for_clusters_of(&self, other: &Self) -> bool {
        let is_alike = |(one, other): (&Reading, &Reading)| {
            one.minors == other.minors && one.text == other.text
        };
        std::ptr::eq(self, other)
            || self.readings.len() == other.readings.len()
                && self.readings.iter().zip(&other.readings).all(is_alike)
    }

    /// The metrics that are known.
    pub(crate) fn dictionary(&self) -> &Dictionary {
        self.described.as_deref().unwrap_or_else(|| Dictionary::built_in())
    }

    /// The metrics on the clusters that a query is for.
    pub(crate) fn dictionary_of<'r>(&self, reading: &'r Reading) -> &'r Dictionary {
        reading.dictionary.get_or_init(|| {
            let mut narrowed = self.narrowed.lock().unwrap_or_else(PoisonError::into_inner);
            let known = narrowed.entry(reading.minors.clone());
            Arc::clone(known.or_insert_with(|| Arc::new(self.dictionary().on(&reading.minors))))
        })
    }

    /// The reading of a query of the repository.
    pub(crate) fn reading(&self, text: &str) -> Option<&Reading> {
        let text = text.trim_end();
        self.readings.iter().find(|reading| reading.text == text)
    }

    /// What a query answers on clusters. None if it is invalid.
    pub(crate) fn coverage<'r>(&self, reading: &'r Reading) -> Option<&'r Coverage> {
        let (query, _) = reading.query.as_ref().as_ref().ok()?;
        let is_many = self.readings.len() > MOST_PROVED;
        Some(reading.coverage.get_or_init(|| {
            if is_many {
                return Coverage::not_decided("the many queries of the repository");
            }
            Coverage::of(query, self.dictionary_of(reading))
        }))
    }
}

impl Reading {
    /// What the query answers on clusters if another text follows it. None if both together are not
    /// a query.
    pub(crate) fn coverage_with(&self, more: &str, queries: &Queries) -> Option<Arc<Coverage>> {
        let mut known = self.extended.lock().unwrap_or_else(PoisonError::into_inner);
        let extended = known.entry(more.to_owned()).or_insert_with(|| {
            let query = promql::parse(&format!("({})\n{more}", self.text)).ok()?;
            Some(Arc::new(Coverage::of(&query, queries.dictionary_of(self))))
        });
        extended.clone()
    }
}

/// The places of a query.
#[derive(Default)]
struct QueryPlaces {
    places: Vec<(SourceId, NodeId)>,
    is_followed: bool,
    minors: BTreeSet<Minor>,
    /// Whether the minor versions of some of its places are unknown.
    is_for_any: bool,
}

fn read(text: &str, written: QueryPlaces, known: Option<&Reading>) -> Reading {
    let parsed = || {
        Arc::new(promql::parse(text).map(|query| {
            let answer = Answer::of(&query);
            (query, answer)
        }))
    };
    let query = known.map_or_else(parsed, |known| Arc::clone(&known.query));
    let QueryPlaces { places, is_followed, minors, is_for_any } = written;
    let minors = if is_for_any { BTreeSet::new() } else { minors };
    let same = known.filter(|known| known.minors == minors);
    let coverage = same.map_or_else(Arc::default, |known| Arc::clone(&known.coverage));
    let extended = same.map_or_else(Arc::default, |known| Arc::clone(&known.extended));
    let dictionary = same.map_or_else(OnceLock::new, |known| known.dictionary.clone());
    let text = text.to_owned();
    Reading { text, query, places, is_followed, minors, dictionary, coverage, extended }
}
