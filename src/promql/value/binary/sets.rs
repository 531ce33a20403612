//! `and`, `or`, and `unless`. They compare labels, not values.

use std::collections::HashSet;

use super::super::super::syntax::{Binary, Operator};
use super::super::error::EvalError;
use super::super::pool::{LabelsId, Pool, Relabeling, Sample, Vector};
use super::matching::match_group;

pub(super) fn combined(
    pool: &mut Pool,
    binary: &Binary,
    left: Vec<Vector>,
    right: Vec<Vector>,
) -> Result<Vec<Vector>, EvalError> {
    let matching = binary.matching.as_ref();
    let mut group = Relabeling::new(|labels| Ok(match_group(matching, labels)));
    let mut combined = Vec::with_capacity(left.len());
    for (mut left, mut right) in left.into_iter().zip(right) {
        pool.charge((left.len() + right.len()) as u64)?;
        let mut groups = |side: &[Sample]| -> Result<Vec<LabelsId>, EvalError> {
            side.iter().map(|sample| group.of(pool, sample.labels)).collect()
        };
        let (of_left, of_right) = (groups(&left)?, groups(&right)?);
        if binary.op.value == Operator::Or {
            retain(&mut right, &of_right, &of_left, false);
            left.append(&mut right);
        } else {
            retain(&mut left, &of_left, &of_right, binary.op.value == Operator::And);
        }
        pool.expect_unique(&left)?;
        combined.push(left);
    }
    Ok(combined)
}

/// Keeps the samples whose group is on the other side, or is not.
fn retain(samples: &mut Vector, groups: &[LabelsId], others: &[LabelsId], if_found: bool) {
    let others: HashSet<LabelsId> = others.iter().copied().collect();
    let mut groups = groups.iter();
    samples.retain(|_| groups.next().is_some_and(|group| others.contains(group) == if_found));
}
