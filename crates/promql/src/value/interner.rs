//! Keeps each label in memory once, for all series that have it.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::labels::{Label, Labels};

/// Makes labels that share their names and values.
#[derive(Debug, Default)]
pub struct Interner {
    labels: HashMap<Arc<str>, HashSet<ByValue>>,
    bytes: usize,
    /// The labels of the current series.
    series: Vec<Arc<Label>>,
}

/// A label, compared by its value, among the labels with the same name.
#[derive(Debug)]
struct ByValue(Arc<Label>);

impl Borrow<str> for ByValue {
    fn borrow(&self) -> &str {
        &self.0.value
    }
}

impl PartialEq for ByValue {
    fn eq(&self, other: &Self) -> bool {
        self.0.value == other.0.value
    }
}

impl Eq for ByValue {}

impl Hash for ByValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.value.hash(state);
    }
}

impl Interner {
    /// A set of labels. The pairs are sorted by name, and each name occurs once.
    pub fn labels<'t>(&mut self, pairs: impl IntoIterator<Item = (&'t str, &'t str)>) -> Labels {
        for (name, value) in pairs.into_iter().filter(|(_, value)| !value.is_empty()) {
            let label = self.label(name, value);
            self.series.push(label);
        }
        Labels::of_sorted(self.series.drain(..))
    }

    /// The number of bytes of all kept names and values.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn label(&mut self, name: &str, value: &str) -> Arc<Label> {
        let known = self.labels.get(name).and_then(|values| values.get(value));
        if let Some(known) = known {
            return Arc::clone(&known.0);
        }
        let shared = self.labels.get_key_value(name).map(|(name, _)| Arc::clone(name));
        let name = shared.unwrap_or_else(|| {
            self.bytes += name.len();
            name.into()
        });
        self.bytes += value.len();
        let label = Label::new(Arc::clone(&name), value);
        self.labels.entry(name).or_default().insert(ByValue(Arc::clone(&label)));
        label
    }
}
