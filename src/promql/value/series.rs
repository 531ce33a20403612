//! The series that a query is asked of.

use std::collections::BTreeMap;

use super::labels::{Labels, METRIC_NAME};

/// A sample's time, in milliseconds since 1970, and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Milliseconds since 1970.
    pub time: i64,
    /// The value.
    pub value: f64,
}

/// The bits of the value that ends a series: Prometheus writes it when a target is gone.
const STALE: u64 = 0x7ff0_0000_0000_0002;

impl Point {
    /// The end of a series.
    #[must_use]
    pub fn stale(time: i64) -> Self {
        Self { time, value: f64::from_bits(STALE) }
    }

    /// Whether it is the end of a series.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.value.to_bits() == STALE
    }
}

/// What became of a new sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It is stored.
    New,
    /// The series has the same value at that time.
    Again,
    /// The series has another value at that time, which stays.
    Conflict,
}

/// Series, in the order of their labels, with their samples in the order of time.
#[derive(Clone, Debug, Default)]
pub struct Store {
    series: BTreeMap<Labels, Vec<Point>>,
}

impl Store {
    /// Adds a sample to a series.
    pub fn insert(&mut self, labels: Labels, point: Point) -> Inserted {
        // Most series of a file have one sample.
        let points = self.series.entry(labels).or_insert_with(|| Vec::with_capacity(1));
        match points.binary_search_by_key(&point.time, |known| known.time) {
            Err(at) => {
                points.insert(at, point);
                Inserted::New
            }
            Ok(at) if points[at].value.to_bits() == point.value.to_bits() => Inserted::Again,
            Ok(_) => Inserted::Conflict,
        }
    }

    /// Adds a series, or replaces the one with the same labels. Its samples are in the order of time.
    pub fn replace(&mut self, labels: Labels, points: Vec<Point>) {
        self.series.insert(labels, points);
    }

    /// Removes all series but those to keep.
    pub fn retain(&mut self, mut keeps: impl FnMut(&Labels) -> bool) {
        self.series.retain(|labels, _| keeps(labels));
    }

    /// Whether there is a series with these labels.
    #[must_use]
    pub fn contains(&self, labels: &Labels) -> bool {
        self.series.contains_key(labels)
    }

    /// The series, sorted by their labels.
    pub fn iter(&self) -> impl Iterator<Item = (&Labels, &[Point])> {
        self.series.iter().map(|(labels, points)| (labels, points.as_slice()))
    }

    /// The series that can have a metric's name, sorted by their labels.
    pub(super) fn of_metric(&self, name: &str) -> impl Iterator<Item = (&Labels, &[Point])> {
        // The labels that only have this name come before all others whose first label is it. Few
        // series have a label that sorts before the name.
        let first = Labels::new([(METRIC_NAME, name)]);
        let before = self.series.iter().take_while(|(labels, _)| {
            labels.iter().next().is_some_and(|(label, _)| label < METRIC_NAME)
        });
        let of_metric = self.series.range(first.clone()..);
        let of_metric =
            of_metric.take_while(move |(labels, _)| labels.iter().next() == first.iter().next());
        before.chain(of_metric).map(|(labels, points)| (labels, points.as_slice()))
    }

    /// How many series there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.series.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.series.is_empty()
    }
}
