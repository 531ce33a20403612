//! Stores each set of labels once, with an id, and limits the cost of an evaluation.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

use super::error::{EvalError, same_labels};
use super::labels::{Labels, LabelsPart, METRIC_NAME};
pub(super) use super::labels_id::LabelsId;
use super::marks::Marks;
use super::settings::Limits;

/// A sample of a vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) labels: LabelsId,
    pub(super) value: f64,
}

/// The samples at one time.
pub(super) type Vector = Vec<Sample>;

/// The sets of labels, and what is left of the limits.
pub(super) struct Pool {
    sets: Vec<Labels>,
    /// The ids by hash. If another set has the same hash, the set gets the next free hash.
    ids: HashMap<u64, LabelsId, BuildHasherDefault<Hashed>>,
    limits: Limits,
    left: Limits,
    /// The sets that the vector has so far, to find two samples with the same labels.
    seen: Marks,
    /// Marks that any caller can use.
    pub(super) spare: Marks,
    /// Memory for the positions of a part, which is reused.
    places: Vec<usize>,
}

impl Pool {
    pub(super) fn new(limits: Limits) -> Self {
        let ids = HashMap::with_capacity_and_hasher(MOST_SETS, BuildHasherDefault::default());
        let sets = Vec::with_capacity(MOST_SETS);
        let (seen, spare) = (Marks::default(), Marks::default());
        Self { sets, ids, limits, left: limits, seen, spare, places: Vec::new() }
    }

    /// What is left of the limits.
    pub(super) fn left(&self) -> Limits {
        self.left
    }

    /// How many sets of labels there are.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// Begins another evaluation with these limits, and keeps only the first sets of labels.
    pub(super) fn renew(&mut self, budget: Limits, sets: usize) {
        self.left = budget;
        if self.sets.len() > sets {
            self.sets.truncate(sets);
            // A set is always newer than the set that occupied its hash, so removing new sets
            // breaks no lookup.
            self.ids.retain(|_, id| id.index() < sets);
        }
    }

    /// The id of a set of labels. Adds the set if it is new.
    pub(super) fn intern(&mut self, labels: &Labels) -> Result<LabelsId, EvalError> {
        self.number(labels.hash(), |_, known| known == labels, |_| labels.clone())
    }

    /// The id of a part of a set of labels.
    pub(super) fn part(&mut self, of: LabelsId, part: &LabelsPart) -> Result<LabelsId, EvalError> {
        let labels = &self.sets[of.index()];
        if matches!(part, LabelsPart::Unnamed) {
            let is_named = !labels.get(METRIC_NAME).is_empty();
            return if is_named { self.intern(&labels.unnamed()) } else { Ok(of) };
        }
        let places = labels.places(part, std::mem::take(&mut self.places));
        // Most parts are already stored, so looking them up first avoids copies.
        let id = self.number(
            labels.hash_at(&places),
            |sets, known| sets[of.index()].has_at(&places, known),
            |sets| sets[of.index()].at(&places),
        );
        self.places = places;
        id
    }

    /// The id of the set with this hash for which `is_it` is true. If there is none, adds the set
    /// that `make` makes.
    fn number(
        &mut self,
        mut hash: u64,
        is_it: impl Fn(&[Labels], &Labels) -> bool,
        make: impl FnOnce(&[Labels]) -> Labels,
    ) -> Result<LabelsId, EvalError> {
        let place = loop {
            match self.ids.entry(hash) {
                Entry::Vacant(place) => break place,
                Entry::Occupied(known) => {
                    let id = *known.get();
                    if is_it(&self.sets, &self.sets[id.index()]) {
                        return Ok(id);
                    }
                    hash = hash.wrapping_add(1);
                }
            }
        };
        let labels = make(&self.sets);
        let size = labels.size() as u64 + 64;
        self.left.bytes = self.left.bytes.checked_sub(size).ok_or_else(|| {
            let most = self.limits.bytes >> 20;
            EvalError::unsupported(format!("the labels of the results take more than {most} MiB"))
        })?;
        let id = u32::try_from(self.sets.len()).map(LabelsId);
        let id = id.map_err(|_| EvalError::unsupported("there are too many sets of labels"))?;
        self.sets.push(labels);
        place.insert(id);
        Ok(id)
    }

    pub(super) fn labels(&self, id: LabelsId) -> &Labels {
        &self.sets[id.index()]
    }

    /// Counts samples against the limit.
    pub(super) fn charge(&mut self, samples: u64) -> Result<(), EvalError> {
        self.left.samples = self.left.samples.checked_sub(samples).ok_or_else(|| {
            let most = self.limits.samples;
            EvalError::unsupported(format!("the query takes more than {most} samples and steps"))
        })?;
        Ok(())
    }

    /// Refuses a vector in which two samples have the same labels.
    pub(super) fn expect_unique(&mut self, vector: &[Sample]) -> Result<(), EvalError> {
        if vector.len() < 2 {
            return Ok(());
        }
        self.seen.clear();
        let is_unique = vector.iter().all(|sample| self.seen.is_new(sample.labels));
        if is_unique { Ok(()) } else { Err(same_labels()) }
    }
}

/// The number of sets that the query of a risk usually needs.
const MOST_SETS: usize = 56;

/// A hasher that returns the hash that it gets.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
