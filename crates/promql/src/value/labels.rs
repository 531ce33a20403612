//! The labels of a series.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::sync::{Arc, LazyLock};

use crate::quoting::quoted;

/// The label that holds a metric's name.
pub(super) const METRIC_NAME: &str = "__name__";

/// A label's name and its value.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Label {
    pub(super) name: Arc<str>,
    pub(super) value: Box<str>,
    /// The hash of the name and the value, which is needed often.
    hash: u64,
}

impl Label {
    pub(super) fn new(name: Arc<str>, value: &str) -> Arc<Self> {
        // The state is random, so nobody can craft labels whose hashes collide.
        static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        let hash = STATE.hash_one((&*name, value));
        Arc::new(Self { name, value: value.into(), hash })
    }
}

impl Hash for Label {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// The labels of a series, sorted by name. Labels with an empty value are omitted, because they are
/// equivalent to no label.
// Millions of series share most of their labels, so a label is one pointer.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    all: Arc<[Arc<Label>]>,
    /// Whether the first label, the metric's name, is omitted. Many results differ only in that
    /// from their operands.
    lacks_first: bool,
    /// The sum of the hashes of the labels.
    hash: u64,
}

/// A part of a set of labels.
#[derive(Clone, Debug)]
pub(super) enum LabelsPart<'n> {
    /// All but the metric's name.
    Unnamed,
    /// Only the labels with these names.
    Only(Vec<&'n str>),
    /// All labels except those with these names.
    Without(Vec<&'n str>),
}

impl Labels {
    /// Labels from names and values. Of several values for one name, the last one counts.
    pub fn new<N: AsRef<str>, V: AsRef<str>>(pairs: impl IntoIterator<Item = (N, V)>) -> Self {
        let pairs: Vec<(N, V)> = pairs.into_iter().collect();
        let by_name: BTreeMap<&str, &str> =
            pairs.iter().map(|(name, value)| (name.as_ref(), value.as_ref())).collect();
        let labels = by_name.into_iter().filter(|(_, value)| !value.is_empty());
        Self::of_sorted(labels.map(|(name, value)| Label::new(name.into(), value)))
    }

    /// Labels that are already sorted by name. Each name occurs once, and no value is empty.
    pub(super) fn of_sorted(labels: impl Iterator<Item = Arc<Label>>) -> Self {
        Self::of(labels.collect())
    }

    fn of(all: Arc<[Arc<Label>]>) -> Self {
        let hash = all.iter().fold(0, |sum: u64, label| sum.wrapping_add(label.hash));
        Self { all, lacks_first: false, hash }
    }

    fn sorted(&self) -> &[Arc<Label>] {
        if self.lacks_first { self.all.get(1..).unwrap_or_default() } else { &self.all }
    }

    /// The names and the values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sorted().iter().map(|label| (&*label.name, &*label.value))
    }

    /// The value of a label. Empty if there is no such label.
    pub fn get(&self, name: &str) -> &str {
        // There are few labels, and most names differ in length, so a linear search is the fastest.
        let mut labels = self.sorted().iter();
        labels.find(|label| *label.name == *name).map_or("", |label| &label.value)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sorted().is_empty()
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.sorted().binary_search_by(|label| (*label.name).cmp(name))
    }

    pub(super) fn set(&mut self, name: &str, value: &str) {
        let place = self.place(name);
        if place.is_err() && value.is_empty() {
            return;
        }
        let (at, after) = match place {
            Ok(at) => (at, at + 1),
            Err(at) => (at, at),
        };
        let label = (!value.is_empty()).then(|| Label::new(name.into(), value));
        let (before, after) = (&self.sorted()[..at], &self.sorted()[after..]);
        *self =
            Self::of(before.iter().cloned().chain(label).chain(after.iter().cloned()).collect());
    }

    pub(super) fn with(&self, name: &str, value: &str) -> Self {
        let mut labels = self.clone();
        labels.set(name, value);
        labels
    }

    pub(super) fn part(&self, part: &LabelsPart) -> Self {
        match part {
            LabelsPart::Unnamed => self.unnamed(),
            _ => self.at(&self.places(part, Vec::new())),
        }
    }

    /// All but the metric's name.
    pub(super) fn unnamed(&self) -> Self {
        match self.all.first() {
            // The metric's name is nearly always the first label.
            Some(first) if !self.lacks_first && *first.name == *METRIC_NAME => {
                let hash = self.hash.wrapping_sub(first.hash);
                Self { all: Arc::clone(&self.all), lacks_first: true, hash }
            }
            _ => self.at(&self.places(&LabelsPart::Unnamed, Vec::new())),
        }
    }

    /// The positions of the labels of a part. `list` is an old list to reuse.
    pub(super) fn places(&self, part: &LabelsPart, mut list: Vec<usize>) -> Vec<usize> {
        list.clear();
        let (names, takes_them) = match part {
            LabelsPart::Unnamed => (&[METRIC_NAME][..], false),
            LabelsPart::Only(names) => (&names[..], true),
            LabelsPart::Without(names) => (&names[..], false),
        };
        let labels = self.sorted().iter().enumerate();
        let taken = labels.filter(|(_, label)| names.contains(&&*label.name) == takes_them);
        list.extend(taken.map(|(at, _)| at));
        list
    }

    /// The labels at some positions.
    pub(super) fn at(&self, places: &[usize]) -> Self {
        let labels = self.sorted();
        Self::of(places.iter().map(|at| Arc::clone(&labels[*at])).collect())
    }

    /// The hash of the labels at some positions.
    pub(super) fn hash_at(&self, places: &[usize]) -> u64 {
        let labels = self.sorted();
        places.iter().fold(0, |sum, at| sum.wrapping_add(labels[*at].hash))
    }

    /// Whether `other` is equal to the labels at some positions.
    pub(super) fn has_at(&self, places: &[usize], other: &Self) -> bool {
        let (labels, others) = (self.sorted(), other.sorted());
        let mut pairs = places.iter().zip(others);
        places.len() == others.len() && pairs.all(|(at, other)| labels[*at] == *other)
    }

    /// The hash. Equal labels have equal hashes.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// The number of bytes of all names and values.
    pub(super) fn size(&self) -> usize {
        self.sorted().iter().map(|label| label.name.len() + label.value.len()).sum()
    }
}

impl PartialEq for Labels {
    fn eq(&self, other: &Self) -> bool {
        let (one, other_one) = (self.sorted(), other.sorted());
        std::ptr::eq(one, other_one) || self.hash == other.hash && one == other_one
    }
}

impl Eq for Labels {}

impl Hash for Labels {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Ord for Labels {
    fn cmp(&self, other: &Self) -> Ordering {
        let labels = self.sorted().iter().zip(other.sorted().iter());
        let differ = labels.filter(|(one, other)| !Arc::ptr_eq(one, other));
        let differ = differ.map(|(one, other)| one.cmp(other)).find(|order| order.is_ne());
        differ.unwrap_or_else(|| self.sorted().len().cmp(&other.sorted().len()))
    }
}

impl PartialOrd for Labels {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `{__name__="up", job="a"}`, as Prometheus writes it in its errors.
impl std::fmt::Display for Labels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("{")?;
        for (i, (name, value)) in self.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let is_plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            let name = if is_plain { name.to_owned() } else { quoted(name) };
            write!(f, "{comma}{name}={}", quoted(value))?;
        }
        f.write_str("}")
    }
}
