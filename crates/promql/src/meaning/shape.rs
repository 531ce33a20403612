//! What the result of an expression can look like.

use super::super::regex;
use super::super::syntax::{MatchOp, NodeId, Selector};
use super::labels::{CLUSTER_ID, Label, Labels};
use super::metrics;
use super::values::Values;

/// What the samples of a scalar or a vector can look like.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Their labels.
    pub labels: Labels,
    /// How many samples there can be at once.
    pub count: SampleCount,
    /// Their values.
    pub values: Values,
    /// Whether there is always at least one sample.
    pub surely: bool,
    /// The selector that alone decides whether there is any sample, if there is one.
    pub(super) source: Option<SourceSelector>,
}

/// How many samples there can be at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SampleCount {
    /// At most one sample.
    One,
    /// The query does not tell.
    Unknown,
    /// Several, and why.
    Many(ManyCause),
}

/// Why there can be several samples at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManyCause {
    /// The sides of this `or` differ in this label, so both can answer at once.
    Or(NodeId, String),
    /// This aggregation makes a sample for each value of this label.
    By(NodeId, String),
}

/// The selector that samples come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SourceSelector {
    pub(super) selector: NodeId,
    /// How far back the selector looks, in seconds.
    pub(super) window: f64,
    /// Whether an operator may drop some of its samples.
    pub(super) is_filtered: bool,
}

impl SourceSelector {
    pub(super) fn filtered(self) -> Self {
        Self { is_filtered: true, ..self }
    }
}

impl Shape {
    /// One sample without labels.
    pub(super) fn number(values: Values) -> Self {
        Self {
            labels: Labels::default(),
            count: SampleCount::One,
            values,
            surely: true,
            source: None,
        }
    }

    /// Forgets the labels if there are very many, so that a hostile query cannot cost much.
    pub(super) fn bounded(mut self) -> Self {
        const MOST: usize = 64;
        if self.labels.known.len() > MOST {
            self.labels = Labels::unknown();
        }
        self
    }

    pub(super) fn of_selector(id: NodeId, selector: &Selector) -> Self {
        let mut labels = Labels::unknown();
        let metric = selector.metric().unwrap_or_default();
        for name in metrics::plural_labels(metric) {
            labels.known.insert((*name).to_owned(), Label::Plural);
        }
        for matcher in &selector.matchers {
            let label = match matcher.op {
                MatchOp::Equal => Label::Fixed(matcher.value.value.clone()),
                MatchOp::Regex if !regex::names_several(&matcher.value.value) => Label::Some,
                _ => continue,
            };
            if matcher.label.value != CLUSTER_ID {
                labels.known.insert(matcher.label.value.clone(), label);
            }
        }
        let source = Some(SourceSelector { selector: id, window: 0.0, is_filtered: false });
        Self { labels, count: SampleCount::Unknown, values: Values::Any, surely: false, source }
    }
}
