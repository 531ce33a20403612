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
    pub fn stale(time: i64) -> Self {
        Self { time, value: f64::from_bits(STALE) }
    }

    /// Whether it is the end of a series.
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
    /// The series has another value at that time, which stays.
    Conflict,
}

/// Series, in the order of their labels, with their samples in the order of time.
// A selector almost always names its metric, so the series of a metric are together.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// Those without labels, or with one that sorts before the metric's name: they come first.
    before: Sorted,
    metrics: BTreeMap<Box<str>, Sorted>,
    /// The others without a metric's name.
    unnamed: Sorted,
}

type Sorted = BTreeMap<Labels, Vec<Point>>;

impl Store {
    /// The series among which some labels belong.
    fn part(&mut self, labels: &Labels) -> &mut Sorted {
        match labels.iter().next() {
            Some((METRIC_NAME, metric)) => self.metrics.entry(metric.into()).or_default(),
            Some((first, _)) if first > METRIC_NAME => &mut self.unnamed,
            _ => &mut self.before,
        }
    }

    /// All series, in parts that follow each other.
    fn parts(&self) -> impl Iterator<Item = &Sorted> {
        let before = std::iter::once(&self.before);
        before.chain(self.metrics.values()).chain([&self.unnamed])
    }

    /// Adds a sample to a series.
    pub fn insert(&mut self, labels: Labels, point: Point) -> Inserted {
        // Most series of a file have one sample.
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

    /// Adds a series, or replaces the one with the same labels. Its samples are in the order of time.
    pub fn replace(&mut self, labels: Labels, points: Vec<Point>) {
        self.part(&labels).insert(labels, points);
    }

    /// Removes all series but those to keep.
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

    /// How many series `of_metric` reads for every metric, without a result.
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
