//! What a server says about queries.

use std::time::Duration;

use crate::cluster::Exposure;
use crate::domain::HashMap;
use crate::promql::NodeId;

/// What a server says about queries, by their texts.
#[derive(Debug, Default)]
pub struct Asked {
    pub(super) queries: HashMap<String, AskedQuery>,
    /// The number of questions that it was asked.
    pub questions: usize,
}

/// What a server says about one query.
#[derive(Clone, Debug)]
pub struct AskedQuery {
    /// The exposure that a cluster would derive from the answer.
    pub exposure: Exposure,
    /// The answer in words.
    pub answer: String,
    /// How long it took.
    pub took: Duration,
    /// Its selectors, in the order of its nodes. None if the server cannot read the query.
    pub selectors: Vec<AskedSelector>,
}

/// What a server says about a selector.
#[derive(Clone, Debug)]
pub struct AskedSelector {
    /// Where it is in the query.
    pub node: NodeId,
    /// Whether the server has its metric. None if it names no metric.
    pub metric: Option<Presence>,
    /// How many series it selects now.
    pub series: usize,
    /// The matchers whose label or value no series of the metric has, by their indexes.
    pub missing: Vec<(usize, Missing)>,
}

/// Whether a server has series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It has this many series now.
    Now(usize),
    /// It had series in the last day, but has none now.
    Earlier,
    /// It has no series now, and had none in the last day.
    Never,
}

/// A label or value that no series of a metric has had in the last day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The label is missing. The list has labels of some series.
    Label(Vec<String>),
    /// The value, or any value of the pattern, is missing. The list has values of some series,
    /// which may not be all.
    Value(Vec<String>),
}

impl Asked {
    /// What the server says about a query, if it was asked.
    pub fn query(&self, text: &str) -> Option<&AskedQuery> {
        self.queries.get(text)
    }

    /// Whether the server has no metric of any query, although some queries name metrics.
    pub fn is_strange(&self) -> bool {
        let selectors = self.queries.values().flat_map(|query| &query.selectors);
        let mut metrics = selectors.filter_map(|selector| selector.metric).peekable();
        metrics.peek().is_some() && metrics.all(|presence| presence == Presence::Never)
    }
}
