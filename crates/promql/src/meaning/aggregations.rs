//! What an aggregation makes of its operand.

use super::super::syntax::{Aggregation, Aggregator, Grouping, NodeId};
use super::labels::{CLUSTER_ID, Label, Labels};
use super::remark::{Dropped, Remark};
use super::shape::{ManyCause, SampleCount, Shape};
use super::values::Values;

pub(super) fn aggregation(
    id: NodeId,
    aggregation: &Aggregation,
    of: Shape,
    parameter: Option<&Shape>,
    remarks: &mut Vec<Remark>,
) -> Shape {
    let op = aggregation.op.value;
    let grouping = aggregation.grouping.as_ref();
    let labels = group_labels(id, aggregation, &of.labels, remarks);
    let count = group_count(id, op, &labels, &of.count);
    let values = combined_values(op, &of);
    let mut shape = Shape { labels, count, values, surely: of.surely, source: of.source };
    if op == Aggregator::CountValues {
        // `count_values` turns the values into a label.
        shape.labels.open = true;
        shape.count = SampleCount::Unknown;
    }
    if op.picks() {
        shape.labels = of.labels;
        if parameter.is_none_or(|number| number.values != Values::just(1.0)) {
            shape.count = of.count;
        } else if of.count != SampleCount::One {
            for (name, label) in &mut shape.labels.known {
                let is_grouped = grouping.is_some_and(|grouping| lists(grouping, name));
                if !matches!(label, Label::Fixed(_)) && name != CLUSTER_ID && !is_grouped {
                    *label = Label::Picked;
                }
            }
        }
    }
    shape
}

fn lists(grouping: &Grouping, label: &str) -> bool {
    grouping.labels.iter().any(|listed| listed.value == label)
}

/// The labels that tell the groups of an aggregation apart.
fn group_labels(
    id: NodeId,
    aggregation: &Aggregation,
    of: &Labels,
    remarks: &mut Vec<Remark>,
) -> Labels {
    let Some(grouping) = &aggregation.grouping else { return Labels::default() };
    if grouping.without {
        let mut labels = of.clone();
        for label in &grouping.labels {
            labels.known.remove(&label.value);
        }
        return labels;
    }
    let mut labels = Labels::default();
    for label in &grouping.labels {
        if let Some(known) = of.get(&label.value) {
            labels.known.insert(label.value.clone(), known);
        } else {
            remarks.push(Remark::Dropped(Dropped {
                label: label.value.clone(),
                needed: id,
                lacking: aggregation.of,
                is_copy: false,
            }));
        }
    }
    labels
}

fn group_count(id: NodeId, op: Aggregator, labels: &Labels, of: &SampleCount) -> SampleCount {
    if labels.open {
        return of.clone();
    }
    let is_single = |name: &str, label: &Label| {
        name == CLUSTER_ID || matches!(label, Label::Fixed(_) | Label::Picked)
    };
    if *of == SampleCount::One || labels.known.iter().all(|(name, label)| is_single(name, label)) {
        return SampleCount::One;
    }
    if let Some((name, _)) = labels.known.iter().find(|(_, label)| **label == Label::Plural) {
        return SampleCount::Many(ManyCause::By(id, name.clone()));
    }
    match of {
        SampleCount::Many(ManyCause::Or(..)) if !op.picks() => of.clone(),
        _ => SampleCount::Unknown,
    }
}

fn combined_values(op: Aggregator, of: &Shape) -> Values {
    let is_one = of.count == SampleCount::One;
    match op {
        Aggregator::Group => Values::just(1.0),
        Aggregator::Count if is_one => Values::just(1.0),
        Aggregator::Count => Values::Tally { zero: false },
        Aggregator::Max | Aggregator::Min | Aggregator::Topk | Aggregator::Bottomk => {
            of.values.clone()
        }
        Aggregator::Sum => match &of.values {
            Values::Only(list) if *list == [0.0] => Values::just(0.0),
            // A sum of zeros and ones counts the ones.
            Values::Only(list) if list.iter().all(|v| [0.0, 1.0].contains(v)) => {
                if is_one {
                    of.values.clone()
                } else {
                    Values::Tally { zero: list.contains(&0.0) }
                }
            }
            _ => Values::Any,
        },
        _ => Values::Any,
    }
}
