//! What the queries of risks answer on every cluster of the dictionary.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::coverage::{Coverage, ProofVerdict};
use crate::domain::HashMap;
use crate::graph_data::{GraphData, Reading, Text};
use crate::text::SourceId;

/// What is known of a query.
#[derive(Clone, Debug)]
pub(crate) struct QueryProof {
    pub query: String,
    /// The risks that ask it.
    pub risks: BTreeSet<String>,
    /// None if the query is invalid.
    pub coverage: Option<Coverage>,
}

impl QueryProof {
    /// A sentence about it.
    pub(crate) fn note(&self) -> &str {
        self.coverage.as_ref().map_or("it is not a query", |coverage| &coverage.note)
    }

    pub(crate) fn holds(&self) -> bool {
        self.coverage.as_ref().is_some_and(|coverage| coverage.verdict == ProofVerdict::Proved)
    }
}

pub(super) fn proofs(data: &GraphData) -> Vec<QueryProof> {
    let names = data.blocked_edges.iter().filter_map(|edge| Some((edge.file, edge.name.as_ref()?)));
    let names: HashMap<SourceId, &Text> = names.collect();
    let readings: Vec<&Reading> = data.queries.all().collect();
    readings.par_iter().map(|reading| proof(data, reading, &names)).collect()
}

/// What is known of a query. `names` is the risk that each file declares.
fn proof(data: &GraphData, reading: &Reading, names: &HashMap<SourceId, &Text>) -> QueryProof {
    let names = reading.places.iter().filter_map(|(file, _)| names.get(file));
    let dictionary = data.queries.dictionary_of(reading);
    let coverage = data.queries.coverage(reading);
    QueryProof {
        query: reading.text.clone(),
        risks: names.map(|name| name.value.to_string()).collect(),
        coverage: coverage.map(|known| known.clone().with_hosted(&reading.text, dictionary)),
    }
}
