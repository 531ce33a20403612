//! What an operator makes of its two sides.

use super::super::syntax::{Binary, MatchingKind, NodeId, Operator, Query, Type};
use super::labels::CLUSTER_ID;
use super::or::or;
use super::remark::{Dropped, Remark};
use super::shape::{SampleCount, Shape, SourceSelector};
use super::values::{self, Values};

pub(super) fn binary(
    query: &Query,
    id: NodeId,
    binary: &Binary,
    left: Shape,
    right: Shape,
    remarks: &mut Vec<Remark>,
) -> Shape {
    let op = binary.op.value;
    if op == Operator::Or {
        remark_missing_labels(id, binary, &left, &right, remarks);
        return or(query, id, binary, &left, &right, remarks);
    }
    let values = result_values(binary, &left, &right);
    let drops_samples = op.is_comparison() && binary.bool.is_none() || op.is_set_operator();
    let source = |source: Option<SourceSelector>| match source {
        Some(source) if drops_samples => Some(source.filtered()),
        source => source,
    };
    match (query.node(binary.left).kind, query.node(binary.right).kind) {
        (Type::Scalar, Type::Scalar) => return Shape::number(values),
        (_, Type::Scalar) => {
            let surely = left.surely && !drops_samples;
            return Shape { values, surely, source: source(left.source), ..left };
        }
        (Type::Scalar, _) => {
            let surely = right.surely && !drops_samples;
            // A comparison returns the vector's value, on whichever side it is.
            let values = if drops_samples { right.values.clone() } else { values };
            return Shape { values, surely, source: source(right.source), ..right };
        }
        _ => {}
    }
    remark_missing_labels(id, binary, &left, &right, remarks);
    if op.is_set_operator() {
        return Shape { surely: false, source: source(left.source), ..left };
    }
    matched(id, binary, values, &left, &right, remarks)
}

fn result_values(binary: &Binary, left: &Shape, right: &Shape) -> Values {
    let op = binary.op.value;
    if op.is_set_operator() {
        left.values.clone()
    } else if binary.bool.is_some() {
        Values::Only(vec![0.0, 1.0])
    } else if op.is_comparison() {
        values::compare(op, &left.values, &right.values)
    } else {
        values::calculate(op, &left.values, &right.values)
    }
}

/// Two vectors, combined sample by sample.
fn matched(
    id: NodeId,
    binary: &Binary,
    values: Values,
    left: &Shape,
    right: &Shape,
    remarks: &mut Vec<Remark>,
) -> Shape {
    let matching = binary.matching.as_ref();
    let group = matching.and_then(|matching| matching.group.as_ref());
    let on = matching.filter(|matching| matching.kind == MatchingKind::On);
    let one_is_left = group.is_some_and(|group| !group.left);
    let (many, one) = if one_is_left { (right, left) } else { (left, right) };
    // If they match by this label only, all samples of a cluster match each other.
    if on.is_some_and(|on| on.labels.iter().all(|label| label.value == CLUSTER_ID)) {
        let single_sides = if group.is_some() { &[one][..] } else { &[one, many] };
        for side in single_sides {
            if let SampleCount::Many(cause) = &side.count {
                remarks.push(Remark::ManyToMany(id, cause.clone()));
            }
        }
    }
    let mut labels = many.labels.clone();
    if let Some(group) = group {
        for label in &group.labels {
            if let Some(known) = one.labels.get(&label.value) {
                labels.known.insert(label.value.clone(), known);
            } else {
                labels.known.remove(&label.value);
                remarks.push(Remark::Dropped(Dropped {
                    label: label.value.clone(),
                    needed: id,
                    lacking: if one_is_left { binary.left } else { binary.right },
                    is_copy: true,
                }));
            }
        }
    } else if let Some(on) = on {
        labels.open = false;
        labels.known.retain(|name, _| on.lists(name));
    } else if let Some(ignoring) = matching {
        labels.known.retain(|name, _| !ignoring.lists(name));
    }
    let count = match (&many.count, &one.count) {
        (count, _) if group.is_some() => count.clone(),
        (SampleCount::One, _) | (_, SampleCount::One) => SampleCount::One,
        _ => SampleCount::Unknown,
    };
    Shape { labels, count, values, surely: false, source: None }
}

/// Adds remarks about the labels of `on (…)` that only one side has, because its samples then never
/// match.
fn remark_missing_labels(
    id: NodeId,
    binary: &Binary,
    left: &Shape,
    right: &Shape,
    remarks: &mut Vec<Remark>,
) {
    let matching = binary.matching.as_ref();
    let Some(on) = matching.filter(|matching| matching.kind == MatchingKind::On) else { return };
    for label in &on.labels {
        let lacking = match (left.labels.get(&label.value), right.labels.get(&label.value)) {
            (None, Some(other)) if !other.is_empty() => binary.left,
            (Some(other), None) if !other.is_empty() => binary.right,
            _ => continue,
        };
        remarks.push(Remark::Dropped(Dropped {
            label: label.value.clone(),
            needed: id,
            lacking,
            is_copy: false,
        }));
    }
}
