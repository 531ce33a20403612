//! Changes of labels.

use super::error::{EvalError, same_labels};
use super::marks::Marks;
use super::pool::{LabelsId, Pool};

/// A change of labels that is computed once for each set.
pub(super) struct Relabeling<F> {
    change: F,
    /// The sets whose change is known. None if there is only one step, because each set occurs only
    /// once in a step.
    known: Option<Marks>,
}

impl<F: Fn(&mut Pool, LabelsId) -> Result<LabelsId, EvalError>> Relabeling<F> {
    /// Prepares a change for this many steps.
    pub(super) fn new(steps: usize, change: F) -> Self {
        Self { change, known: (steps > 1).then(Marks::default) }
    }

    pub(super) fn of(&mut self, pool: &mut Pool, id: LabelsId) -> Result<LabelsId, EvalError> {
        let Some(known) = &mut self.known else { return (self.change)(pool, id) };
        if let Some(known) = known.get(id) {
            return Ok(LabelsId(known));
        }
        let changed = (self.change)(pool, id)?;
        known.set(id, changed.0);
        Ok(changed)
    }
}

/// The series from which the series of a result are made. Prometheus refuses two origins for one
/// result, even if they have no time in common.
#[derive(Default)]
pub(super) struct Origins(Marks);

impl Origins {
    pub(super) fn expect_one(&mut self, made: LabelsId, of: LabelsId) -> Result<(), EvalError> {
        if self.0.keep(made, of.0) == of.0 { Ok(()) } else { Err(same_labels()) }
    }
}
