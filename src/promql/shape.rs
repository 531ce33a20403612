//! What the result of an expression can look like: which labels its samples
//! have, whether there can be several at once, which values.

use std::collections::BTreeMap;

use super::ast::{MatchOp, NodeId, Selector};
use super::{Values, metrics, regex};

/// What the samples of a vector can look like.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Their labels.
    pub labels: Labels,
    /// How many there can be at once.
    pub count: Count,
    /// Their values.
    pub values: Values,
    /// Whether there is always one.
    pub surely: bool,
    /// The one selector that decides whether there is any.
    pub(super) origin: Option<Origin>,
}

/// How many samples there can be at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// At most one.
    One,
    /// That depends on what is not known here.
    Unknown,
    /// Several, and why.
    Many(Cause),
}

/// Why there can be several samples at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Both sides of the `or` can answer at once, as they differ in a label.
    Or(NodeId, String),
    /// The aggregation makes a sample for each value of a label.
    By(NodeId, String),
}

/// The labels of samples, the metric's name left out.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// What is known of single ones.
    pub known: BTreeMap<String, Label>,
    /// Whether there may be others.
    pub open: bool,
}

/// What is known of one label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// It has this value.
    Fixed(String),
    /// It has some value.
    Some,
    /// There are series with several values at once.
    Plural,
    /// It has the value of a series picked from several.
    Picked,
}

/// Where the samples come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Origin {
    pub(super) selector: NodeId,
    /// How far back, in seconds.
    pub(super) window: f64,
    /// Whether some of its samples are left out.
    pub(super) is_filtered: bool,
}

/// The label that tells clusters apart where several share one Prometheus.
pub const ID: &str = "_id";

impl Shape {
    /// One sample without labels.
    pub(super) fn number(values: Values) -> Self {
        Self { labels: Labels::default(), count: Count::One, values, surely: true, origin: None }
    }

    /// The same, with no more labels than anybody writes by hand: of others nothing is known.
    pub(super) fn bounded(mut self) -> Self {
        const MOST: usize = 64;
        if self.labels.known.len() > MOST {
            self.labels = Labels { known: BTreeMap::new(), open: true };
        }
        self
    }

    pub(super) fn of_selector(id: NodeId, selector: &Selector) -> Self {
        let mut labels = Labels { known: BTreeMap::new(), open: true };
        let metric = selector.metric().unwrap_or_default();
        for (name, label) in metrics::plurals(metric) {
            labels.known.insert(name.to_owned(), label);
        }
        for matcher in &selector.matchers {
            let label = match matcher.op {
                MatchOp::Equal => Label::Fixed(matcher.value.value.clone()),
                MatchOp::Regex if !regex::names_several(&matcher.value.value) => Label::Some,
                _ => continue,
            };
            if matcher.label.value != ID {
                labels.known.insert(matcher.label.value.clone(), label);
            }
        }
        let origin = Some(Origin { selector: id, window: 0.0, is_filtered: false });
        Self { labels, count: Count::Unknown, values: Values::Any, surely: false, origin }
    }
}

impl Labels {
    /// What is known of a label; nothing where there is certainly none.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Label> {
        match self.known.get(name) {
            Some(label) => Some(label.clone()),
            None if self.open => Some(Label::Some),
            None => None,
        }
    }
}

impl Label {
    pub(super) fn is_absent(&self) -> bool {
        *self == Self::Fixed(String::new())
    }

    /// Whether two samples with these labels can differ in it.
    pub(super) fn differs(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fixed(a), Self::Fixed(b)) => a != b,
            (Self::Some, _) | (_, Self::Some) => false,
            _ => true,
        }
    }

    pub(super) fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Self::Plural, _) | (_, Self::Plural) => Self::Plural,
            _ => Self::Some,
        }
    }
}
