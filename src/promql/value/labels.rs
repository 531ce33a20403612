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
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Labels(Arc<[Arc<Label>]>);

impl Labels {
    /// The labels of these names and values. Of several values for one name, the last one stays.
    pub fn new<N: AsRef<str>, V: AsRef<str>>(pairs: impl IntoIterator<Item = (N, V)>) -> Self {
        let pairs: Vec<(N, V)> = pairs.into_iter().collect();
        let by_name: BTreeMap<&str, &str> =
            pairs.iter().map(|(name, value)| (name.as_ref(), value.as_ref())).collect();
        let labels = by_name.into_iter().filter(|(_, value)| !value.is_empty());
        Self(labels.map(|(name, value)| Label::new(name.into(), value)).collect())
    }

    /// These labels, which are sorted by name, each name once, and none empty.
    pub(super) fn of_sorted(labels: impl Iterator<Item = Arc<Label>>) -> Self {
        Self(labels.collect())
    }

    /// The names and the values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|label| (&*label.name, &*label.value))
    }

    /// The value of a label. Without the label, it is empty.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.place(name).map_or("", |at| &self.0[at].value)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|label| (*label.name).cmp(name))
    }

    pub(super) fn set(&mut self, name: &str, value: &str) {
        let place = self.place(name);
        if place.is_err() && value.is_empty() {
            return;
        }
        let mut labels = self.0.to_vec();
        match place {
            Ok(at) if value.is_empty() => {
                labels.remove(at);
            }
            Ok(at) => labels[at] = Label::new(name.into(), value),
            Err(at) => labels.insert(at, Label::new(name.into(), value)),
        }
        self.0 = labels.into();
    }

    pub(super) fn with(&self, name: &str, value: &str) -> Self {
        let mut labels = self.clone();
        labels.set(name, value);
        labels
    }

    /// Only the labels of these names.
    pub(super) fn only(&self, names: &[&str]) -> Self {
        self.filtered(|name| names.contains(&name))
    }

    /// All labels but those of these names.
    pub(super) fn without(&self, names: &[&str]) -> Self {
        self.filtered(|name| !names.contains(&name))
    }

    pub(super) fn without_name(&self) -> Self {
        self.without(&[METRIC_NAME])
    }

    fn filtered(&self, keeps: impl Fn(&str) -> bool) -> Self {
        Self(self.0.iter().filter(|label| keeps(&label.name)).cloned().collect())
    }

    /// The bytes of its texts.
    pub(super) fn size(&self) -> usize {
        self.0.iter().map(|label| label.name.len() + label.value.len()).sum()
    }
}

impl Ord for Labels {
    fn cmp(&self, other: &Self) -> Ordering {
        let labels = self.0.iter().zip(other.0.iter());
        let differ = labels.filter(|(one, other)| !Arc::ptr_eq(one, other));
        let differ = differ.map(|(one, other)| one.cmp(other)).find(|order| order.is_ne());
        differ.unwrap_or_else(|| self.0.len().cmp(&other.0.len()))
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
