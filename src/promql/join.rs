//! What two expressions make together.

use super::answer::{Dropped, Remark, Walk};
use super::ast::{Binary, Expr, Join, MatchOp, Matcher, NodeId, Operator, Query, Selector, Type};
use super::shape::{Cause, Count, ID, Label, Origin, Shape};
use super::{Values, metrics, values};

impl Walk {
    pub(super) fn of_binary(
        &mut self,
        query: &Query,
        id: NodeId,
        binary: &Binary,
    ) -> Option<Shape> {
        let (left, right) = (self.get(binary.left)?.clone(), self.get(binary.right)?.clone());
        let kind = |id: NodeId| query.node(id).kind;
        let op = binary.op.value;
        if op == Operator::Or {
            return Some(self.of_or(query, id, binary, &left, &right));
        }
        let values = if op.joins_sets() {
            left.values.clone()
        } else if binary.bool.is_some() {
            Values::Only(vec![0.0, 1.0])
        } else if op.compares() {
            values::compare(op, &left.values, &right.values)
        } else {
            values::calculate(op, &left.values, &right.values)
        };
        let leaves_out = op.compares() && binary.bool.is_none() || op.joins_sets();
        let filtered = |origin: Option<Origin>| {
            origin.map(|origin| Origin { is_filtered: origin.is_filtered || leaves_out, ..origin })
        };
        match (kind(binary.left), kind(binary.right)) {
            (Type::Scalar, Type::Scalar) => return Some(Shape::number(values)),
            (_, Type::Scalar) => {
                let origin = filtered(left.origin);
                let surely = left.surely && !leaves_out;
                return Some(Shape { values, surely, origin, ..left });
            }
            (Type::Scalar, _) => {
                let origin = filtered(right.origin);
                let surely = right.surely && !leaves_out;
                // A comparison passes on the vector's value.
                let values = if leaves_out { right.values.clone() } else { values };
                return Some(Shape { values, surely, origin, ..right });
            }
            _ => {}
        }
        self.needs_matched_labels(id, binary, &left, &right);
        if op.joins_sets() {
            return Some(Shape { surely: false, origin: filtered(left.origin), ..left });
        }
        Some(self.matched(id, binary, values, &left, &right))
    }

    /// Two vectors, sample by sample.
    fn matched(
        &mut self,
        id: NodeId,
        binary: &Binary,
        values: Values,
        left: &Shape,
        right: &Shape,
    ) -> Shape {
        let matching = binary.matching.as_ref();
        let include = matching.and_then(|matching| matching.include.as_ref());
        let on = matching.filter(|matching| matching.join == Join::On);
        let is_whole = on.is_some_and(|on| on.labels.iter().all(|label| label.value == ID));
        let (many, one) = match include {
            Some(include) if !include.left => (right, left),
            _ => (left, right),
        };
        if is_whole {
            for side in [one, many] {
                if let Count::Many(cause) = &side.count
                    && (include.is_none() || std::ptr::eq(side, one))
                {
                    self.remarks.push(Remark::ManyToMany(id, cause.clone()));
                }
            }
        }
        let mut labels = many.labels.clone();
        if let Some(include) = include {
            let side = if std::ptr::eq(one, left) { binary.left } else { binary.right };
            for label in &include.labels {
                if let Some(known) = one.labels.get(&label.value) {
                    labels.known.insert(label.value.clone(), known);
                } else {
                    labels.known.remove(&label.value);
                    self.remarks.push(Remark::Dropped(Dropped {
                        label: label.value.clone(),
                        needed: id,
                        lacking: side,
                        is_copy: true,
                    }));
                }
            }
        } else if let Some(on) = on {
            labels.open = false;
            labels.known.retain(|name, _| on.labels.iter().any(|label| label.value == *name));
        } else if let Some(matching) = matching {
            labels.known.retain(|name, _| matching.labels.iter().all(|label| label.value != *name));
        }
        let count = match (&many.count, &one.count) {
            (count, _) if include.is_some() => count.clone(),
            (Count::One, _) | (_, Count::One) => Count::One,
            _ => Count::Unknown,
        };
        Shape { labels, count, values, surely: false, origin: None }
    }

    /// `on (label)`, and one side has the label and the other has not.
    fn needs_matched_labels(&mut self, id: NodeId, binary: &Binary, left: &Shape, right: &Shape) {
        let Some(matching) = binary.matching.as_ref().filter(|m| m.join == Join::On) else {
            return;
        };
        for label in &matching.labels {
            let lacking = match (left.labels.get(&label.value), right.labels.get(&label.value)) {
                (None, Some(other)) if !other.is_absent() => binary.left,
                (Some(other), None) if !other.is_absent() => binary.right,
                _ => continue,
            };
            self.remarks.push(Remark::Dropped(Dropped {
                label: label.value.clone(),
                needed: id,
                lacking,
                is_copy: false,
            }));
        }
    }

    fn of_or(
        &mut self,
        query: &Query,
        id: NodeId,
        binary: &Binary,
        left: &Shape,
        right: &Shape,
    ) -> Shape {
        self.needs_matched_labels(id, binary, left, right);
        let difference = difference(binary, left, right);
        let disjoint = are_disjoint(query, left, right);
        let never = difference.is_none()
            && sure_to_meet(binary, left, right)
            && (left.surely && left.labels.known.is_empty() || covers(query, left, right));
        if never {
            self.remarks.push(Remark::Unreachable(id));
        }
        let count = match (&left.count, &right.count) {
            (many @ Count::Many(_), _) | (_, many @ Count::Many(_)) => many.clone(),
            _ if disjoint || never => Count::Unknown,
            _ => match difference {
                Some(label) => Count::Many(Cause::Or(id, label.to_owned())),
                None if left.count == Count::One && right.count == Count::One => Count::One,
                None => Count::Unknown,
            },
        };
        let mut labels = left.labels.clone();
        labels.open |= right.labels.open;
        for (name, label) in &right.labels.known {
            labels
                .known
                .entry(name.clone())
                .and_modify(|known| *known = known.or(label))
                .or_insert(if *label == Label::Plural { Label::Plural } else { Label::Some });
        }
        for (name, label) in &mut labels.known {
            if right.labels.get(name).is_none() && *label != Label::Plural && name != ID {
                *label = Label::Some;
            }
        }
        let values = left.values.or(&right.values);
        Shape { labels, count, values, surely: left.surely || right.surely, origin: None }
    }
}

/// A label in which samples of the two sides can differ, so that both pass an `or`.
fn difference<'s>(binary: &'s Binary, left: &'s Shape, right: &'s Shape) -> Option<&'s str> {
    if let Some(on) = binary.matching.as_ref().filter(|m| m.join == Join::On) {
        let mut names = on.labels.iter().map(|label| label.value.as_str());
        return names.find(|name| {
            // Where one side lacks it, it was remarked already.
            let sides = (left.labels.get(name), right.labels.get(name));
            matches!(&sides, (Some(a), Some(b)) if a.differs(b))
        });
    }
    let ignored = binary.matching.as_ref().map_or(&[][..], |matching| &matching.labels);
    let names = left.labels.known.keys().chain(right.labels.known.keys());
    let mut names = names.filter(|name| ignored.iter().all(|label| label.value != **name));
    let differs = |name: &&String| match (left.labels.get(name), right.labels.get(name)) {
        (Some(a), Some(b)) => a.differs(&b),
        (None, Some(there)) | (Some(there), None) => !there.is_absent(),
        (None, None) => false,
    };
    names.find(differs).map(String::as_str)
}

/// Whether both sides have just the same labels, of those that count.
fn sure_to_meet(binary: &Binary, left: &Shape, right: &Shape) -> bool {
    let both = |name: &str| left.labels.get(name).is_some() == right.labels.get(name).is_some();
    match &binary.matching {
        Some(matching) if matching.join == Join::On => {
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

/// Whether the two come from series of one metric that a matcher tells apart: where one
/// cluster has a single such series, only one of them answers.
fn are_disjoint(query: &Query, left: &Shape, right: &Shape) -> bool {
    let Some((left, right)) = origins(query, left, right) else { return false };
    let metric = left.metric().unwrap_or_default();
    let apart = |a: &Matcher, b: &Matcher| {
        let same = a.value.value == b.value.value;
        match (a.op, b.op) {
            (MatchOp::Equal, MatchOp::Equal) => {
                !same && metrics::plurals(metric).all(|(label, _)| label != a.label.value)
            }
            (MatchOp::Equal, MatchOp::NotEqual)
            | (MatchOp::NotEqual, MatchOp::Equal)
            | (MatchOp::Regex, MatchOp::NotRegex)
            | (MatchOp::NotRegex, MatchOp::Regex) => same,
            _ => false,
        }
    };
    // Nobody writes more by hand, and every one is held against every other.
    left.matchers.iter().take(50).any(|a| {
        let same_label = |b: &&Matcher| a.label.value == b.label.value;
        right.matchers.iter().take(50).filter(same_label).any(|b| apart(a, b))
    })
}

/// Whether `left` has a sample whenever `right` has one.
fn covers(query: &Query, left: &Shape, right: &Shape) -> bool {
    let (Some(a), Some(b)) = (left.origin, right.origin) else { return false };
    let Some((wide, narrow)) = origins(query, left, right) else { return false };
    let same = |a: &Matcher, b: &Matcher| {
        (&a.label.value, a.op, &a.value.value) == (&b.label.value, b.op, &b.value.value)
    };
    let shifted = |s: &Selector| s.shift.offset.is_some() || s.shift.at.is_some();
    !a.is_filtered
        && a.window >= b.window
        && !shifted(wide)
        && !shifted(narrow)
        && wide.matchers.len() <= narrow.matchers.len().min(50)
        && wide.matchers.iter().all(|w| narrow.matchers.iter().any(|n| same(w, n)))
}

/// The selectors that two shapes come from, if those are of one metric.
fn origins<'q>(
    query: &'q Query,
    left: &Shape,
    right: &Shape,
) -> Option<(&'q Selector, &'q Selector)> {
    let selector = |shape: &Shape| match &query.node(shape.origin?.selector).expr {
        Expr::Selector(selector) => Some(selector),
        _ => None,
    };
    let (left, right) = (selector(left)?, selector(right)?);
    (left.metric().is_some() && left.metric() == right.metric()).then_some((left, right))
}
