//! Operators between the matching samples of two vectors.

use std::collections::{HashMap, HashSet};

use super::super::super::dialect::Dialect;
use super::super::super::syntax::{Binary, Matching, MatchingKind};
use super::super::error::EvalError;
use super::super::labels::{LabelsPart, METRIC_NAME};
use super::super::pool::{LabelsId, Pool, Sample, Vector};
use super::super::relabeling::Relabeling;
use super::arithmetic::keeps_name;
use super::combined;

/// The labels in which two samples must agree.
pub(super) fn in_common(matching: Option<&Matching>) -> LabelsPart<'_> {
    let Some(matching) = matching else { return LabelsPart::Unnamed };
    let listed = matching.labels.iter().map(|label| &*label.value);
    match matching.kind {
        MatchingKind::On => LabelsPart::Only(listed.collect()),
        MatchingKind::Ignoring => LabelsPart::Without(listed.chain([METRIC_NAME]).collect()),
    }
}

/// The group of a sample, and the matching sample of the other side.
type Partner = (LabelsId, Sample);

/// The two sides of a match. Each sample of the first may match one sample of the second.
struct Join<'q> {
    binary: &'q Binary,
    dialect: Dialect,
    /// Whether the first side is the right one, because of `group_right`.
    swapped: bool,
    grouped: bool,
    /// The labels that are copied from the second side to the first.
    copied: Vec<&'q str>,
    /// The labels of results that were already computed.
    results: HashMap<(LabelsId, LabelsId), LabelsId>,
}

pub(super) fn matched(
    pool: &mut Pool,
    binary: &Binary,
    dialect: Dialect,
    mut left: Vec<Vector>,
    mut right: Vec<Vector>,
) -> Result<Vec<Vector>, EvalError> {
    let matching = binary.matching.as_ref();
    let modifier = matching.and_then(|matching| matching.group.as_ref());
    let copied = modifier.map(|m| m.labels.iter().map(|label| &*label.value).collect());
    let mut join = Join {
        binary,
        dialect,
        swapped: modifier.is_some_and(|modifier| !modifier.left),
        grouped: modifier.is_some(),
        copied: copied.unwrap_or_default(),
        results: HashMap::new(),
    };
    let part = in_common(matching);
    let mut group = Relabeling::new(left.len(), |pool, id| pool.part(id, &part));
    let mut places = std::mem::take(&mut pool.spare);
    for (left, right) in left.iter_mut().zip(&mut right) {
        pool.charge((left.len() + right.len()) as u64)?;
        // Prometheus does not look for mistakes if nothing can match.
        if left.is_empty() || right.is_empty() {
            left.clear();
            continue;
        }
        let (many, one) = if join.swapped { (&*right, &*left) } else { (&*left, &*right) };
        places.clear();
        for (at, sample) in one.iter().enumerate() {
            let group = group.of(pool, sample.labels)?;
            let earlier = places.place(group, at);
            if earlier != at {
                return Err(join.many_to_many(pool, group, *sample, one[earlier]));
            }
        }
        let mut partner = |pool: &mut Pool, id| {
            let group = group.of(pool, id)?;
            Ok(places.get(group).map(|at| (group, one[at as usize])))
        };
        *left = join.step(pool, many, &mut partner)?;
        pool.expect_unique(left)?;
    }
    drop(group);
    pool.spare = places;
    Ok(left)
}

impl Join<'_> {
    fn step(
        &mut self,
        pool: &mut Pool,
        many: &[Sample],
        partner: &mut impl FnMut(&mut Pool, LabelsId) -> Result<Option<Partner>, EvalError>,
    ) -> Result<Vector, EvalError> {
        let mut made: HashSet<(LabelsId, Option<LabelsId>)> = HashSet::new();
        let mut vector = Vector::new();
        for sample in many {
            let Some((group, other)) = partner(pool, sample.labels)? else { continue };
            let (left, right) = if self.swapped {
                (other.value, sample.value)
            } else {
                (sample.value, other.value)
            };
            let (op, bool) = (self.binary.op.value, self.binary.bool.is_some());
            let Some(value) = combined(op, bool, left, right) else { continue };
            let labels = self.result(pool, sample.labels, other.labels)?;
            let is_new = made.insert((group, self.grouped.then_some(labels)));
            if !is_new {
                return Err(EvalError::execution(if self.grouped {
                    "multiple matches for labels: grouping labels must ensure unique matches"
                } else {
                    "multiple matches for labels: many-to-one matching must be explicit \
                     (group_left/group_right)"
                }));
            }
            vector.push(Sample { labels, value });
        }
        Ok(vector)
    }

    /// The labels of a result.
    fn result(
        &mut self,
        pool: &mut Pool,
        many: LabelsId,
        one: LabelsId,
    ) -> Result<LabelsId, EvalError> {
        if let Some(known) = self.results.get(&(many, one)) {
            return Ok(*known);
        }
        let mut labels = pool.labels(many).clone();
        let drops_name = !keeps_name(self.binary.op.value, self.dialect);
        if drops_name {
            labels = labels.part(&LabelsPart::Unnamed);
        }
        if let Some(matching) = self.binary.matching.as_ref().filter(|_| !self.grouped) {
            let listed = matching.labels.iter().map(|label| &*label.value).collect();
            labels = labels.part(&match matching.kind {
                MatchingKind::On => LabelsPart::Only(listed),
                MatchingKind::Ignoring => LabelsPart::Without(listed),
            });
        }
        for name in &self.copied {
            labels.set(name, pool.labels(one).get(name));
        }
        if self.binary.bool.is_some() {
            labels.set(METRIC_NAME, "");
        }
        let id = pool.intern(&labels)?;
        self.results.insert((many, one), id);
        Ok(id)
    }

    fn many_to_many(
        &self,
        pool: &Pool,
        group: LabelsId,
        sample: Sample,
        earlier: Sample,
    ) -> EvalError {
        let side = if self.swapped { "left" } else { "right" };
        let (group, sample) = (pool.labels(group), pool.labels(sample.labels));
        let earlier = pool.labels(earlier.labels);
        EvalError::execution(format!(
            "found duplicate series for the match group {group} on the {side} hand-side of the \
             operation: [{sample}, {earlier}];many-to-many matching not allowed: matching labels \
             must be unique on one side"
        ))
    }
}
