//! What is known about the labels of samples.

use std::collections::BTreeMap;

/// The label that identifies a cluster where several clusters share one Prometheus.
pub const CLUSTER_ID: &str = "_id";

/// The labels of samples, without the metric's name.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// The labels about which something is known.
    pub known: BTreeMap<String, Label>,
    /// Whether there may be other labels.
    pub open: bool,
}

/// What is known about one label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// It has this value.
    Fixed(String),
    /// It has some value.
    Some,
    /// Several series with different values can exist at once.
    Plural,
    /// Its value is that of one series that was picked from several.
    Picked,
}

impl Labels {
    /// Labels about which nothing is known.
    pub(super) fn unknown() -> Self {
        Self { known: BTreeMap::new(), open: true }
    }

    /// What is known about a label. None if the samples lack it.
    pub fn get(&self, name: &str) -> Option<Label> {
        match self.known.get(name) {
            Some(label) => Some(label.clone()),
            None if self.open => Some(Label::Some),
            None => None,
        }
    }
}

impl Label {
    /// Prometheus treats an empty label like a missing one.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::Fixed(String::new())
    }

    /// Whether the label can differ between two samples with these values.
    pub(super) fn differs(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fixed(a), Self::Fixed(b)) => a != b,
            (Self::Some, _) | (_, Self::Some) => false,
            _ => true,
        }
    }

    /// What is known if a sample has one label or the other.
    pub(super) fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Self::Plural, _) | (_, Self::Plural) => Self::Plural,
            _ => Self::Some,
        }
    }
}
