//! The series over which a query is evaluated.

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

/// The bits of the stale marker, the value with which Prometheus ends a series when its target
/// disappears.
const STALE: u64 = 0x7ff0_0000_0000_0002;

impl Point {
    /// The marker that ends a series at this time.
    pub fn stale(time: i64) -> Self {
        Self { time, value: f64::from_bits(STALE) }
    }

    /// Whether it is the marker that ends a series.
    pub fn is_stale(&self) -> bool {
        self.value.to_bits() == STALE
    }
}

/// What happened to a new sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It is stored.
    New,
    /// The series has the same value at that time.
    Again,
    /// The series already has another value at that time, which is kept.
    Conflict,
}

/// Series, sorted by their labels, with their samples sorted by time.
// Nearly all selectors name their metric, so the series of a metric are kept together.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// The series without labels, and those whose first label sorts before the metric's name.
    before: Sorted,
    metrics: BTreeMap<Box<str>, Sorted>,
    /// The other series without a metric's name.
    unnamed: Sorted,
}

type Sorted = BTreeMap<Labels, Vec<Point>>;

impl Store {
    /// The part of the store where series with these labels belong.
    fn part(&mut self, labels: &Labels) -> &mut Sorted {
        match labels.iter().next() {
            Some((METRIC_NAME, metric)) => self.metrics.entry(metric.into()).or_default(),
            Some((first, _)) if first > METRIC_NAME => &mut self.unnamed,
            _ => &mut self.before,
        }
    }

    /// All series, in consecutive parts.
    fn parts(&self) -> impl Iterator<Item = &Sorted> {
        let before = std::iter::once(&self.before);
        before.chain(self.metrics.values()).chain([&self.unnamed])
    }

    /// Adds a sample to a series.
    pub fn insert(&mut self, labels: Labels, point: Point) -> Inserted {
        // Most series in files have one sample.
        let points = self.part(&labels).entry(labels).or_insert_with(|| Vec::with_capacity(1));
        match points.binary_search_by_key(&point.time, |known| known.time) {
            Err(at) => {
                points.insert(at, point);
                Inserted::New
            }
            Ok(at) if points[at].value.to_bits() == point.value.to_bits() => Inserted::Again,
            Ok(_) => Inserted::Conflict,
        }
    }

    /// Adds a series, or replaces the one with the same labels. The samples must be sorted by time.
    pub fn replace(&mut self, labels: Labels, points: Vec<Point>) {
        self.part(&labels).insert(labels, points);
    }

    /// Keeps only the series for which `keeps` is true.
    pub fn retain(&mut self, mut keeps: impl FnMut(&Labels) -> bool) {
        let named = self.metrics.values_mut();
        for part in [&mut self.before, &mut self.unnamed].into_iter().chain(named) {
            part.retain(|labels, _| keeps(labels));
        }
    }

    /// Whether there is a series with these labels.
    pub fn contains(&self, labels: &Labels) -> bool {
        let metric = self.metrics.get(labels.get(METRIC_NAME));
        metric
            .into_iter()
            .chain([&self.before, &self.unnamed])
            .any(|part| part.contains_key(labels))
    }

    /// The series, sorted by their labels.
    pub fn iter(&self) -> impl Iterator<Item = (&Labels, &[Point])> {
        self.parts().flatten().map(|(labels, points)| (labels, points.as_slice()))
    }

    /// How many series `of_metric` always reads in addition to those of the metric.
    pub(super) fn out_of_place(&self) -> usize {
        self.before.len()
    }

    /// The series of a metric, sorted by their labels.
    pub(super) fn of_metric(&self, name: &str) -> impl Iterator<Item = (&Labels, &[Point])> {
        let before = self.before.iter().filter(move |(labels, _)| labels.get(METRIC_NAME) == name);
        let of_metric = self.metrics.get(name).into_iter().flatten();
        before.chain(of_metric).map(|(labels, points)| (labels, points.as_slice()))
    }

    /// How many series there are.
    pub fn len(&self) -> usize {
        self.parts().map(BTreeMap::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.parts().all(BTreeMap::is_empty)
    }
}
