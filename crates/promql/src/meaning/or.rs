//! `or`: the samples of the left side, and the samples of the right side that have no match on the
//! left.

use super::super::syntax::{Binary, Expr, MatchOp, Matcher, MatchingKind, NodeId, Query, Selector};
use super::labels::{CLUSTER_ID, Label, Labels};
use super::metrics;
use super::remark::Remark;
use super::shape::{ManyCause, SampleCount, Shape};

/// Real selectors have fewer matchers. All are compared with each other, so a hostile query must
/// not have thousands.
const MOST_MATCHERS: usize = 50;

pub(super) fn or(
    query: &Query,
    id: NodeId,
    binary: &Binary,
    left: &Shape,
    right: &Shape,
    remarks: &mut Vec<Remark>,
) -> Shape {
    let difference = differing_label(binary, left, right);
    let is_unreachable = difference.is_none()
        && always_match(binary, left, right)
        && (left.surely && left.labels.known.is_empty() || covers(query, left, right));
    if is_unreachable {
        remarks.push(Remark::Unreachable(id));
    }
    let count = match (&left.count, &right.count) {
        (many @ SampleCount::Many(_), _) | (_, many @ SampleCount::Many(_)) => many.clone(),
        _ if is_unreachable || are_exclusive(query, left, right) => SampleCount::Unknown,
        _ => match difference {
            Some(label) => SampleCount::Many(ManyCause::Or(id, label.to_owned())),
            None if left.count == SampleCount::One && right.count == SampleCount::One => {
                SampleCount::One
            }
            None => SampleCount::Unknown,
        },
    };
    let labels = labels_of_either(&left.labels, &right.labels);
    let values = left.values.or(&right.values);
    Shape { labels, count, values, surely: left.surely || right.surely, source: None }
}

fn labels_of_either(left: &Labels, right: &Labels) -> Labels {
    let mut labels = left.clone();
    labels.open |= right.open;
    for (name, label) in &right.known {
        labels
            .known
            .entry(name.clone())
            .and_modify(|known| *known = known.or(label))
            .or_insert(if *label == Label::Plural { Label::Plural } else { Label::Some });
    }
    for (name, label) in &mut labels.known {
        if right.get(name).is_none() && *label != Label::Plural && name != CLUSTER_ID {
            *label = Label::Some;
        }
    }
    labels
}

/// A label in which samples of the two sides can differ, so that the `or` returns both.
fn differing_label<'s>(binary: &'s Binary, left: &'s Shape, right: &'s Shape) -> Option<&'s str> {
    if let Some(on) = binary.matching.as_ref().filter(|m| m.kind == MatchingKind::On) {
        let mut names = on.labels.iter().map(|label| label.value.as_str());
        return names.find(|name| {
            // If one side lacks a label, that is another remark.
            let sides = (left.labels.get(name), right.labels.get(name));
            matches!(&sides, (Some(a), Some(b)) if a.differs(b))
        });
    }
    let ignoring = binary.matching.as_ref();
    let names = left.labels.known.keys().chain(right.labels.known.keys());
    let mut names = names.filter(|name| ignoring.is_none_or(|ignoring| !ignoring.lists(name)));
    let differs = |name: &&String| match (left.labels.get(name), right.labels.get(name)) {
        (Some(a), Some(b)) => a.differs(&b),
        (None, Some(label)) | (Some(label), None) => !label.is_empty(),
        (None, None) => false,
    };
    names.find(differs).map(String::as_str)
}

/// Whether the labels to match are always equal, so that any sample on the left hides those on the
/// right.
fn always_match(binary: &Binary, left: &Shape, right: &Shape) -> bool {
    let both = |name: &str| left.labels.get(name).is_some() == right.labels.get(name).is_some();
    match &binary.matching {
        Some(matching) if matching.kind == MatchingKind::On => {
            matching.labels.iter().all(|label| both(&label.value))
        }
        Some(_) => false,
        None => {
            !left.labels.open
                && !right.labels.open
                && left.labels.known.keys().eq(right.labels.known.keys())
        }
    }
}

/// Whether the sides select series of one metric with matchers that exclude each other. If a
/// cluster has a single such series, only one side answers.
fn are_exclusive(query: &Query, left: &Shape, right: &Shape) -> bool {
    let Some((left, right)) = selectors_of_one_metric(query, left, right) else { return false };
    let plural_labels = metrics::plural_labels(left.metric().unwrap_or_default());
    let exclude = |a: &Matcher, b: &Matcher| {
        let same = a.value.value == b.value.value;
        match (a.op, b.op) {
            (MatchOp::Equal, MatchOp::Equal) => {
                !same && !plural_labels.contains(&a.label.value.as_str())
            }
            (MatchOp::Equal, MatchOp::NotEqual)
            | (MatchOp::NotEqual, MatchOp::Equal)
            | (MatchOp::Regex, MatchOp::NotRegex)
            | (MatchOp::NotRegex, MatchOp::Regex) => same,
            _ => false,
        }
    };
    left.matchers.iter().take(MOST_MATCHERS).any(|a| {
        let same_label = |b: &&Matcher| a.label.value == b.label.value;
        right.matchers.iter().take(MOST_MATCHERS).filter(same_label).any(|b| exclude(a, b))
    })
}

/// Whether `left` has a sample whenever `right` has one.
fn covers(query: &Query, left: &Shape, right: &Shape) -> bool {
    let (Some(a), Some(b)) = (left.source, right.source) else { return false };
    let Some((wide, narrow)) = selectors_of_one_metric(query, left, right) else { return false };
    let same = |a: &Matcher, b: &Matcher| {
        (&a.label.value, a.op, &a.value.value) == (&b.label.value, b.op, &b.value.value)
    };
    !a.is_filtered
        && a.window >= b.window
        && wide.modifiers.is_empty()
        && narrow.modifiers.is_empty()
        && wide.matchers.len() <= narrow.matchers.len().min(MOST_MATCHERS)
        && wide.matchers.iter().all(|w| narrow.matchers.iter().any(|n| same(w, n)))
}

/// The selectors that two shapes come from, if both select the same metric.
fn selectors_of_one_metric<'q>(
    query: &'q Query,
    left: &Shape,
    right: &Shape,
) -> Option<(&'q Selector, &'q Selector)> {
    let selector = |shape: &Shape| match &query.node(shape.source?.selector).expr {
        Expr::Selector(selector) => Some(selector),
        _ => None,
    };
    let (left, right) = (selector(left)?, selector(right)?);
    (left.metric().is_some() && left.metric() == right.metric()).then_some((left, right))
}
