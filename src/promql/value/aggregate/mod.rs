//! Aggregations: several series become one, or some of them are picked.

mod groups;
mod heap;

use std::collections::HashMap;

use super::super::syntax::{Aggregation, Aggregator};
use super::error::EvalError;
use super::labels::{Labels, METRIC_NAME};
use super::numbers::{in_words, plain, quoted, whole};
use super::operand::Operand;
use super::pool::{LabelsId, Pool, Relabeling, Sample, Vector};
use super::settings::Dialect;
use groups::Group;

/// What an aggregation does at one step.
#[derive(Clone, Copy)]
struct Task {
    op: Aggregator,
    /// The number before the vector.
    parameter: f64,
    dialect: Dialect,
}

/// Aggregates the vector of each step.
pub(super) fn aggregate(
    pool: &mut Pool,
    aggregation: &Aggregation,
    parameter: Option<&Operand>,
    vectors: Vec<Vector>,
    dialect: Dialect,
) -> Result<Vec<Vector>, EvalError> {
    let op = aggregation.op.value;
    if op.is_experimental() {
        return Err(EvalError::unsupported(format!("`{}` is experimental", op.name())));
    }
    let counted = parameter.map_or("", Operand::text);
    // Prometheus finds mistakes only where it has a step to take.
    let is_asked = !vectors.is_empty();
    if is_asked && op == Aggregator::CountValues && !is_label(counted, dialect) {
        let words = format!("invalid label name {}", quoted(counted));
        return Err(EvalError::execution(words));
    }
    let mut grouping = Relabeling::new(|labels| Ok(group_labels(aggregation, counted, labels)));
    let parameters = parameter.map_or(&[][..], Operand::scalars);
    let mut results = Vec::with_capacity(vectors.len());
    for (step, vector) in vectors.into_iter().enumerate() {
        pool.charge(vector.len() as u64)?;
        let parameter = parameters.get(step).copied().unwrap_or(f64::NAN);
        let task = Task { op, parameter, dialect };
        let vector =
            if op == Aggregator::CountValues { labeled(pool, counted, vector)? } else { vector };
        let result = step_result(pool, task, &vector, |pool, id| grouping.of(pool, id))?;
        pool.expect_unique(&result)?;
        results.push(result);
    }
    Ok(results)
}

/// Whether Prometheus takes a text as a label's name.
pub(super) fn is_label(name: &str, dialect: Dialect) -> bool {
    let starts_well = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
    let is_plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    match dialect {
        Dialect::Two => starts_well && is_plain,
        Dialect::Three => !name.is_empty(),
    }
}

/// The labels of the group that a series belongs to.
fn group_labels(aggregation: &Aggregation, counted: &str, labels: &Labels) -> Labels {
    let grouping = aggregation.grouping.as_ref();
    let listed = grouping.map(|g| g.labels.iter().map(|label| &*label.value).collect());
    let mut listed: Vec<&str> = listed.unwrap_or_default();
    if grouping.is_some_and(|grouping| grouping.without) {
        listed.push(METRIC_NAME);
        return labels.without(&listed);
    }
    listed.push(counted);
    labels.only(&listed)
}

/// The samples with their values as a label.
fn labeled(pool: &mut Pool, label: &str, vector: Vector) -> Result<Vector, EvalError> {
    let mut with_values = Vector::with_capacity(vector.len());
    for sample in vector {
        let labels = pool.labels(sample.labels).with(label, &plain(sample.value));
        with_values.push(Sample { labels: pool.intern(labels)?, value: sample.value });
    }
    Ok(with_values)
}

fn step_result(
    pool: &mut Pool,
    task: Task,
    vector: &[Sample],
    mut group_of: impl FnMut(&mut Pool, LabelsId) -> Result<LabelsId, EvalError>,
) -> Result<Vector, EvalError> {
    let most = match task.op {
        Aggregator::Topk | Aggregator::Bottomk => picked(task.parameter)?,
        _ => 0,
    };
    if most == 0 && task.op.picks() {
        return Ok(Vector::new());
    }
    let mut places: HashMap<LabelsId, usize> = HashMap::new();
    let mut groups: Vec<(LabelsId, Group)> = Vec::new();
    for sample in vector {
        let labels = group_of(pool, sample.labels)?;
        let at = *places.entry(labels).or_insert_with(|| {
            groups.push((labels, Group::new(task.op, task.dialect, most)));
            groups.len() - 1
        });
        groups[at].1.add(*sample);
    }
    let mut result = Vector::new();
    for (labels, group) in groups {
        match group.picked() {
            Ok(picked) => result.extend(picked),
            Err(group) => {
                result.push(Sample { labels, value: group.value(task.parameter) });
            }
        }
    }
    Ok(result)
}

/// How many series `topk` and `bottomk` pick.
fn picked(parameter: f64) -> Result<usize, EvalError> {
    // The greatest number of 64 bits that is a float, and the least.
    let fits = (-9_223_372_036_854_775_808.0..=9_223_372_036_854_774_784.0).contains(&parameter);
    if !fits {
        let words = format!("Scalar value {} overflows int64", in_words(parameter));
        return Err(EvalError::execution(words));
    }
    Ok(usize::try_from(whole(parameter)).unwrap_or(0))
}
