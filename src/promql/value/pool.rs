//! Each set of labels once, under a number, and what an evaluation has left to spend.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::error::{EvalError, same_labels};
use super::labels::Labels;
use super::settings::Limits;

/// Names a set of labels of one [`Pool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LabelsId(u32);

/// One number of a vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) labels: LabelsId,
    pub(super) value: f64,
}

/// The samples of one time.
pub(super) type Vector = Vec<Sample>;

/// Sets of labels, and the budget.
pub(super) struct Pool {
    sets: Vec<Labels>,
    ids: HashMap<Labels, LabelsId>,
    limits: Limits,
    left: Limits,
    /// For each set, the last vector that had it.
    seen: Vec<u64>,
    vectors: u64,
}

impl Pool {
    pub(super) fn new(limits: Limits) -> Self {
        let (sets, ids, seen) = (Vec::new(), HashMap::new(), Vec::new());
        Self { sets, ids, limits, left: limits, seen, vectors: 0 }
    }

    pub(super) fn intern(&mut self, labels: Labels) -> Result<LabelsId, EvalError> {
        let place = match self.ids.entry(labels) {
            Entry::Occupied(known) => return Ok(*known.get()),
            Entry::Vacant(place) => place,
        };
        let size = place.key().size() as u64 + 64;
        self.left.bytes = self.left.bytes.checked_sub(size).ok_or_else(|| {
            let most = self.limits.bytes >> 20;
            EvalError::unsupported(format!("the labels of the results take more than {most} MiB"))
        })?;
        let id = u32::try_from(self.sets.len()).map(LabelsId);
        let id = id.map_err(|_| EvalError::unsupported("there are too many sets of labels"))?;
        self.sets.push(place.key().clone());
        self.seen.push(0);
        place.insert(id);
        Ok(id)
    }

    pub(super) fn labels(&self, id: LabelsId) -> &Labels {
        &self.sets[id.0 as usize]
    }

    /// Takes from the budget of samples.
    pub(super) fn charge(&mut self, samples: u64) -> Result<(), EvalError> {
        self.left.samples = self.left.samples.checked_sub(samples).ok_or_else(|| {
            let most = self.limits.samples;
            EvalError::unsupported(format!("the query takes more than {most} samples and steps"))
        })?;
        Ok(())
    }

    /// Refuses a vector in which two samples have the same labels.
    pub(super) fn expect_unique(&mut self, vector: &[Sample]) -> Result<(), EvalError> {
        self.vectors += 1;
        for sample in vector {
            let last = std::mem::replace(&mut self.seen[sample.labels.0 as usize], self.vectors);
            if last == self.vectors {
                return Err(same_labels());
            }
        }
        Ok(())
    }
}

/// A change of labels that is calculated once for each set.
pub(super) struct Relabeling<F> {
    change: F,
    known: HashMap<LabelsId, LabelsId>,
}

impl<F: Fn(&Labels) -> Result<Labels, EvalError>> Relabeling<F> {
    pub(super) fn new(change: F) -> Self {
        Self { change, known: HashMap::new() }
    }

    pub(super) fn of(&mut self, pool: &mut Pool, id: LabelsId) -> Result<LabelsId, EvalError> {
        if let Some(known) = self.known.get(&id) {
            return Ok(*known);
        }
        let changed = (self.change)(pool.labels(id))?;
        let changed = pool.intern(changed)?;
        self.known.insert(id, changed);
        Ok(changed)
    }
}

/// From which series the series of a result are made. Prometheus refuses two for one, even where
/// they have no time in common.
#[derive(Default)]
pub(super) struct Origins(HashMap<LabelsId, LabelsId>);

impl Origins {
    pub(super) fn expect_one(&mut self, made: LabelsId, of: LabelsId) -> Result<(), EvalError> {
        if *self.0.entry(made).or_insert(of) == of { Ok(()) } else { Err(same_labels()) }
    }
}
