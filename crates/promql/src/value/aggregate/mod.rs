//! Aggregations: several series become one, or some of them are picked.

mod groups;
mod heap;

use groups::SampleGroup;

use crate::quoting::quoted;

use super::super::dialect::Dialect;
use super::super::syntax::{Aggregation, Aggregator};
use super::error::EvalError;
use super::labels::{LabelsPart, METRIC_NAME};
use super::marks::Marks;
use super::numbers::{in_decimal, in_words, whole};
use super::operand::Operand;
use super::pool::{LabelsId, Pool, Sample, Vector};
use super::relabeling::Relabeling;

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
    mut vectors: Vec<Vector>,
    dialect: Dialect,
) -> Result<Vec<Vector>, EvalError> {
    let op = aggregation.op.value;
    if op.is_experimental() {
        return Err(EvalError::unsupported(format!("`{}` is experimental", op.name())));
    }
    let counted = parameter.map_or("", Operand::text);
    // Prometheus notices mistakes only if it has a step to evaluate.
    let is_asked = !vectors.is_empty();
    if is_asked && op == Aggregator::CountValues && !is_label(counted, dialect) {
        let words = format!("invalid label name {}", quoted(counted));
        return Err(EvalError::execution(words));
    }
    let part = grouped(aggregation, counted);
    let mut grouping = Relabeling::new(vectors.len(), |pool, id| pool.part(id, &part));
    let mut places = std::mem::take(&mut pool.spare);
    let parameters = parameter.map_or(&[][..], Operand::scalars);
    for (step, vector) in vectors.iter_mut().enumerate() {
        pool.charge(vector.len() as u64)?;
        let parameter = parameters.get(step).copied().unwrap_or(f64::NAN);
        let task = Task { op, parameter, dialect };
        if op == Aggregator::CountValues {
            labeled(pool, counted, vector)?;
        }
        let group_of = |pool: &mut Pool, id| grouping.of(pool, id);
        step_result(pool, task, vector, &mut places, group_of)?;
        pool.expect_unique(vector)?;
    }
    pool.spare = places;
    Ok(vectors)
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

/// The labels by which series are grouped.
fn grouped<'q>(aggregation: &'q Aggregation, counted: &'q str) -> LabelsPart<'q> {
    let grouping = aggregation.grouping.as_ref();
    let without = grouping.is_some_and(|grouping| grouping.without);
    let also = if without { METRIC_NAME } else { counted };
    let also = Some(also).filter(|also| !also.is_empty());
    let listed = grouping.map_or(&[][..], |grouping| &grouping.labels);
    let listed = listed.iter().map(|label| &*label.value).chain(also).collect();
    if without { LabelsPart::Without(listed) } else { LabelsPart::Only(listed) }
}

/// Adds each value as a label.
fn labeled(pool: &mut Pool, label: &str, vector: &mut [Sample]) -> Result<(), EvalError> {
    for sample in vector {
        let labels = pool.labels(sample.labels).with(label, &in_decimal(sample.value));
        sample.labels = pool.intern(&labels)?;
    }
    Ok(())
}

/// Replaces the vector with the result.
fn step_result(
    pool: &mut Pool,
    task: Task,
    vector: &mut Vector,
    places: &mut Marks,
    mut group_of: impl FnMut(&mut Pool, LabelsId) -> Result<LabelsId, EvalError>,
) -> Result<(), EvalError> {
    let most = match task.op {
        Aggregator::Topk | Aggregator::Bottomk => picked(task.parameter)?,
        _ => 0,
    };
    if most == 0 && task.op.picks() {
        vector.clear();
        return Ok(());
    }
    places.clear();
    let mut groups: Vec<(LabelsId, SampleGroup)> = Vec::new();
    for sample in &*vector {
        let labels = group_of(pool, sample.labels)?;
        let at = places.place(labels, groups.len());
        if at == groups.len() {
            groups.push((labels, SampleGroup::new(task.op, task.dialect, most)));
        }
        groups[at].1.add(*sample);
    }
    vector.clear();
    for (labels, group) in groups {
        match group.picked() {
            Ok(picked) => vector.extend(picked),
            Err(group) => {
                vector.push(Sample { labels, value: group.value(task.parameter) });
            }
        }
    }
    Ok(())
}

/// How many series `topk` and `bottomk` pick.
fn picked(parameter: f64) -> Result<usize, EvalError> {
    // The lowest and the highest 64-bit integer that a float can represent.
    let fits = (-9_223_372_036_854_775_808.0..=9_223_372_036_854_774_784.0).contains(&parameter);
    if !fits {
        let words = format!("Scalar value {} overflows int64", in_words(parameter));
        return Err(EvalError::execution(words));
    }
    Ok(usize::try_from(whole(parameter)).unwrap_or(0))
}
