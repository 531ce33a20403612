//! `and`, `or`, and `unless`. They compare labels, not values.

use super::super::super::syntax::{Binary, Operator};
use super::super::error::EvalError;
use super::super::marks::Marks;
use super::super::pool::{LabelsId, Pool, Sample, Vector};
use super::super::relabeling::Relabeling;
use super::matching::in_common;

pub(super) fn combined(
    pool: &mut Pool,
    binary: &Binary,
    mut left: Vec<Vector>,
    mut right: Vec<Vector>,
) -> Result<Vec<Vector>, EvalError> {
    let part = in_common(binary.matching.as_ref());
    let mut group = Relabeling::new(left.len(), |pool, id| pool.part(id, &part));
    let mut others = std::mem::take(&mut pool.spare);
    for (left, right) in left.iter_mut().zip(&mut right) {
        pool.charge((left.len() + right.len()) as u64)?;
        let mut group_of = |sample: &Sample| group.of(pool, sample.labels);
        if binary.op.value == Operator::Or {
            retain(right, left, &mut others, false, &mut group_of)?;
            left.append(right);
        } else {
            let if_found = binary.op.value == Operator::And;
            retain(left, right, &mut others, if_found, &mut group_of)?;
        }
        pool.expect_unique(left)?;
    }
    pool.spare = others;
    Ok(left)
}

/// Keeps the samples that have a match on the other side, or those that have none.
fn retain(
    samples: &mut Vector,
    others: &[Sample],
    found: &mut Marks,
    if_found: bool,
    group_of: &mut impl FnMut(&Sample) -> Result<LabelsId, EvalError>,
) -> Result<(), EvalError> {
    if samples.is_empty() {
        return Ok(());
    }
    found.clear();
    for other in others {
        found.set(group_of(other)?, 0);
    }
    let mut failure = Ok(());
    samples.retain(|sample| match group_of(sample) {
        Ok(group) => found.get(group).is_some() == if_found,
        Err(error) => {
            failure = Err(error);
            false
        }
    });
    failure
}
