//! The labels of a series.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::sync::{Arc, LazyLock};

use super::numbers::quoted;

/// The label that holds a metric's name.
pub(super) const METRIC_NAME: &str = "__name__";

/// A label's name and its value.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Label {
    pub(super) name: Arc<str>,
    pub(super) value: Box<str>,
    /// That of the name and the value. An evaluation asks for it often.
    hash: u64,
}

impl Label {
    pub(super) fn new(name: Arc<str>, value: &str) -> Arc<Self> {
        // Nobody outside can make labels whose hashes collide.
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

/// The labels of a series, sorted by name. A label with an empty value is the same as no label, so
/// there are none.
// Millions of series share most of their labels, so a label is one pointer.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    sorted: Arc<[Arc<Label>]>,
    /// The sum of those of the labels.
    hash: u64,
}

/// Which labels of a set are taken.
#[derive(Clone, Debug)]
pub(super) enum Part<'n> {
    /// All but the metric's name.
    Unnamed,
    /// Only those of these names.
    Only(Vec<&'n str>),
    /// All but those of these names.
    Without(Vec<&'n str>),
}

impl Part<'_> {
    fn takes(&self, label: &Label) -> bool {
        match self {
            Self::Unnamed => *label.name != *METRIC_NAME,
            Self::Only(names) => names.contains(&&*label.name),
            Self::Without(names) => !names.contains(&&*label.name),
        }
    }
}

impl Labels {
    /// The labels of these names and values. Of several values for one name, the last one stays.
    pub fn new<N: AsRef<str>, V: AsRef<str>>(pairs: impl IntoIterator<Item = (N, V)>) -> Self {
        let pairs: Vec<(N, V)> = pairs.into_iter().collect();
        let by_name: BTreeMap<&str, &str> =
            pairs.iter().map(|(name, value)| (name.as_ref(), value.as_ref())).collect();
        let labels = by_name.into_iter().filter(|(_, value)| !value.is_empty());
        Self::of_sorted(labels.map(|(name, value)| Label::new(name.into(), value)))
    }

    /// These labels, which are sorted by name, each name once, and none empty.
    pub(super) fn of_sorted(labels: impl Iterator<Item = Arc<Label>>) -> Self {
        Self::of(labels.collect())
    }

    fn of(sorted: Arc<[Arc<Label>]>) -> Self {
        let hash = sorted.iter().fold(0, |sum: u64, label| sum.wrapping_add(label.hash));
        Self { sorted, hash }
    }

    /// The names and the values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sorted.iter().map(|label| (&*label.name, &*label.value))
    }

    /// The value of a label. Without the label, it is empty.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        // There are few, and most names differ in their lengths or their first letters, so no search
        // is faster.
        let first = name.as_bytes().first();
        let up_to = |label: &&Arc<Label>| label.name.as_bytes().first() <= first;
        let mut labels = self.sorted.iter().take_while(up_to);
        labels.find(|label| *label.name == *name).map_or("", |label| &label.value)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.sorted.binary_search_by(|label| (*label.name).cmp(name))
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
        let (before, after) = (&self.sorted[..at], &self.sorted[after..]);
        *self =
            Self::of(before.iter().cloned().chain(label).chain(after.iter().cloned()).collect());
    }

    pub(super) fn with(&self, name: &str, value: &str) -> Self {
        let mut labels = self.clone();
        labels.set(name, value);
        labels
    }

    pub(super) fn part(&self, part: &Part) -> Self {
        if let (Part::Unnamed, Some(rest)) = (part, self.after_name()) {
            return Self { sorted: rest.into(), hash: self.hash_of(part) };
        }
        let mut taken = Vec::with_capacity(self.sorted.len());
        taken.extend(self.taken(part).cloned());
        Self::of(taken.into())
    }

    /// The hash of a part.
    pub(super) fn hash_of(&self, part: &Part) -> u64 {
        if let (Part::Unnamed, Some(_), Some(name)) = (part, self.after_name(), self.sorted.first())
        {
            return self.hash.wrapping_sub(name.hash);
        }
        self.taken(part).fold(0, |sum, label| sum.wrapping_add(label.hash))
    }

    /// Whether other labels are a part of these.
    pub(super) fn has_part(&self, part: &Part, other: &Self) -> bool {
        if let (Part::Unnamed, Some(rest)) = (part, self.after_name()) {
            return *rest == *other.sorted;
        }
        self.taken(part).eq(other.sorted.iter())
    }

    /// Whether there is the name of a metric.
    pub(super) fn is_named(&self) -> bool {
        let mut names = self.sorted.iter().map(|label| &*label.name);
        names.find(|name| *name >= METRIC_NAME) == Some(METRIC_NAME)
    }

    /// The labels after the metric's name, which is the first one almost always.
    fn after_name(&self) -> Option<&[Arc<Label>]> {
        let (first, rest) = self.sorted.split_first()?;
        (*first.name == *METRIC_NAME).then_some(rest)
    }

    fn taken<'l>(&'l self, part: &'l Part) -> impl Iterator<Item = &'l Arc<Label>> {
        self.sorted.iter().filter(|label| part.takes(label))
    }

    /// The same for equal labels.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// The bytes of its texts.
    pub(super) fn size(&self) -> usize {
        self.sorted.iter().map(|label| label.name.len() + label.value.len()).sum()
    }
}

impl PartialEq for Labels {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.sorted == other.sorted
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
        let labels = self.sorted.iter().zip(other.sorted.iter());
        let differ = labels.filter(|(one, other)| !Arc::ptr_eq(one, other));
        let differ = differ.map(|(one, other)| one.cmp(other)).find(|order| order.is_ne());
        differ.unwrap_or_else(|| self.sorted.len().cmp(&other.sorted.len()))
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
