//! What the result of an expression can look like, whatever the cluster: which
//! labels its samples have, whether there can be several at once, which values.
//!
//! One pass from operands to what uses them. What is not known is assumed to be
//! as the author needs it, so that what is said is worth being heard.

use std::collections::BTreeMap;

use super::ast::{
    Aggregation, Aggregator, Binary, Call, Expr, Join, MatchOp, Matcher, NodeId, Operator, Query,
    Selector, Type,
};
use super::{Values, metrics, regex, values};

/// What the samples of a vector can look like.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Their labels.
    pub labels: Labels,
    /// How many there can be at once.
    pub count: Count,
    /// Their values.
    pub values: Values,
    /// Whether there is always one.
    pub surely: bool,
    /// The one selector that decides whether there is any.
    origin: Option<Origin>,
}

/// How many samples there can be at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// At most one.
    One,
    /// That depends on what is not known here.
    Unknown,
    /// Several, and why.
    Many(Cause),
}

/// Why there can be several samples at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Both sides of the `or` can answer at once, as they differ in a label.
    Or(NodeId, String),
    /// The aggregation makes a sample for each value of a label.
    By(NodeId, String),
}

/// The labels of samples, the metric's name left out.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// What is known of single ones.
    pub known: BTreeMap<String, Label>,
    /// Whether there may be others.
    pub open: bool,
}

/// What is known of one label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// It has this value.
    Fixed(String),
    /// It has some value.
    Some,
    /// There are series with several values at once.
    Plural,
    /// It has the value of a series picked from several.
    Picked,
}

/// Where the samples come from.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Origin {
    selector: NodeId,
    /// How far back, in seconds.
    window: f64,
    /// Whether some of its samples are left out.
    is_filtered: bool,
}

/// An arm of `or`, or the match of two sides, that cannot do what it is there for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// The right side of this `or` never answers.
    Unreachable(NodeId),
    /// The side of a match that must have one sample can have several.
    ManyToMany(NodeId, Cause),
    /// A label is asked for that the expression has not kept.
    Dropped(Dropped),
}

/// A label that was dropped and is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The label.
    pub label: String,
    /// Who needs it.
    pub needed: NodeId,
    /// The expression that has it no more.
    pub lacking: NodeId,
    /// Whether it is only copied, as by `group_left (label)`: the result lacks a label, no more.
    pub is_copy: bool,
}

/// The shapes of a query's expressions.
#[derive(Clone, Debug)]
pub struct Shapes {
    shapes: Vec<Option<Shape>>,
    /// What was noticed on the way.
    pub remarks: Vec<Remark>,
}

impl Shapes {
    /// The shapes of a query's expressions.
    #[must_use]
    pub fn of(query: &Query) -> Self {
        let mut shapes = Self { shapes: Vec::new(), remarks: Vec::new() };
        for (id, node) in query.nodes() {
            let shape = match (&node.expr, node.kind) {
                (Expr::Text(_), _) | (_, Type::Text) => None,
                (Expr::Number(value), _) => Some(Shape::number(Values::just(*value))),
                (Expr::Selector(selector), _) => Some(Shape::of_selector(id, selector)),
                (Expr::Range(of, range), _) => shapes.with_window(*of, range.value),
                (Expr::Subquery(subquery), _) => {
                    shapes.with_window(subquery.of, subquery.reach.value)
                }
                (Expr::Paren(of), _) => shapes.get(*of).cloned(),
                (Expr::Unary(negative, of), _) => {
                    let sign = Values::just(if *negative { -1.0 } else { 1.0 });
                    shapes.get(*of).map(|of| Shape {
                        values: values::calculate(Operator::Multiply, &sign, &of.values),
                        ..of.clone()
                    })
                }
                (Expr::Call(call), kind) => shapes.of_call(query, call, kind),
                (Expr::Aggregation(aggregation), _) => shapes.of_aggregation(id, aggregation),
                (Expr::Binary(binary), _) => shapes.of_binary(query, id, binary),
            };
            shapes.shapes.push(shape);
        }
        shapes
    }

    /// The shape of an expression; a text has none.
    #[must_use]
    pub fn get(&self, id: NodeId) -> Option<&Shape> {
        self.shapes.get(id.0 as usize)?.as_ref()
    }

    fn with_window(&self, of: NodeId, window: f64) -> Option<Shape> {
        let mut shape = self.get(of)?.clone();
        if let Some(origin) = &mut shape.origin {
            origin.window += window;
        }
        Some(shape)
    }

    fn of_call(&self, query: &Query, call: &Call, kind: Type) -> Option<Shape> {
        let name = call.function.name;
        let vector = call
            .arguments
            .iter()
            .find(|argument| matches!(query.node(**argument).kind, Type::Vector | Type::Range));
        let vector = vector.and_then(|argument| self.get(*argument));
        if kind == Type::Scalar {
            return Some(Shape::number(Values::Any));
        }
        if name == "vector" {
            let number = call.arguments.first().and_then(|argument| self.get(*argument));
            return Some(Shape::number(number.map_or(Values::Any, |n| n.values.clone())));
        }
        // Functions of the date answer for now where they are given nothing.
        let Some(vector) = vector else { return Some(Shape::number(Values::Any)) };
        let mut shape = vector.clone();
        match name {
            "absent" | "absent_over_time" => {
                shape.labels = Labels::default();
                shape.count = Count::One;
                shape.origin = None;
                shape.values = Values::just(1.0);
            }
            "label_replace" => return Some(label_replace(query, call, shape)),
            "label_join" => {
                if let Some(label) = text(query, call, 1) {
                    shape.labels.known.insert(label.to_owned(), Label::Some);
                }
            }
            "sort" | "sort_desc" | "max_over_time" | "min_over_time" | "last_over_time" | "abs"
            | "ceil" | "floor" | "round" => {}
            "present_over_time" => shape.values = Values::just(1.0),
            "sgn" => shape.values = Values::Only(vec![-1.0, 0.0, 1.0]),
            _ => shape.values = Values::Any,
        }
        if matches!(name, "rate" | "irate" | "increase" | "delta" | "idelta" | "deriv") {
            // They want two samples of each series.
            shape.origin = shape.origin.map(|origin| Origin { is_filtered: true, ..origin });
        }
        Some(shape)
    }

    fn of_aggregation(&mut self, id: NodeId, aggregation: &Aggregation) -> Option<Shape> {
        let op = aggregation.op.value;
        let of = self.get(aggregation.of)?.clone();
        let grouping = aggregation.grouping.as_ref();
        let mut kept = Labels { known: BTreeMap::new(), open: false };
        match grouping {
            Some(grouping) if grouping.without => {
                kept = of.labels.clone();
                for label in &grouping.labels {
                    kept.known.remove(&label.value);
                }
            }
            Some(grouping) => {
                for label in &grouping.labels {
                    match of.labels.get(&label.value) {
                        Some(known) => {
                            kept.known.insert(label.value.clone(), known);
                        }
                        None => self.remarks.push(Remark::Dropped(Dropped {
                            label: label.value.clone(),
                            needed: id,
                            lacking: aggregation.of,
                            is_copy: false,
                        })),
                    }
                }
            }
            None => {}
        }
        let plural = kept.known.iter().find(|(_, label)| **label == Label::Plural);
        let settled = |label: &Label| matches!(label, Label::Fixed(_) | Label::Picked);
        let count = if kept.open {
            of.count.clone()
        } else if of.count == Count::One
            || kept.known.iter().all(|(name, label)| name == ID || settled(label))
        {
            Count::One
        } else if let Some((name, _)) = plural {
            Count::Many(Cause::By(id, name.clone()))
        } else {
            match &of.count {
                Count::Many(Cause::Or(..)) if !op.picks() => of.count.clone(),
                _ => Count::Unknown,
            }
        };
        let tally =
            |zero| if of.count == Count::One { of.values.clone() } else { Values::Tally { zero } };
        let values = match op {
            Aggregator::Group => Values::just(1.0),
            Aggregator::Count if of.count == Count::One => Values::just(1.0),
            Aggregator::Count => Values::Tally { zero: false },
            Aggregator::Max | Aggregator::Min | Aggregator::Topk | Aggregator::Bottomk => {
                of.values.clone()
            }
            Aggregator::Sum => match &of.values {
                Values::Only(list) if *list == [0.0] => Values::just(0.0),
                Values::Only(list) if list.iter().all(|v| *v == 0.0 || *v == 1.0) => {
                    tally(list.contains(&0.0))
                }
                _ => Values::Any,
            },
            _ => Values::Any,
        };
        let mut shape = Shape { labels: kept, count, values, surely: of.surely, origin: of.origin };
        if op.picks() {
            shape.labels = of.labels;
            let one = aggregation.parameter.and_then(|parameter| self.get(parameter));
            if one.is_none_or(|one| one.values != Values::just(1.0)) {
                shape.count = of.count;
            } else if of.count != Count::One {
                let grouped = |name: &String| {
                    grouping.is_some_and(|g| g.labels.iter().any(|l| l.value == *name))
                };
                for (name, label) in &mut shape.labels.known {
                    if !matches!(label, Label::Fixed(_)) && name != ID && !grouped(name) {
                        *label = Label::Picked;
                    }
                }
            }
        }
        Some(shape)
    }

    fn of_binary(&mut self, query: &Query, id: NodeId, binary: &Binary) -> Option<Shape> {
        let (left, right) = (self.get(binary.left)?.clone(), self.get(binary.right)?.clone());
        let kind = |id: NodeId| query.node(id).kind;
        let op = binary.op.value;
        if op == Operator::Or {
            return Some(self.of_or(query, id, binary, left, right));
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
                return Some(Shape { values, origin, surely, ..left });
            }
            (Type::Scalar, _) => {
                let origin = filtered(right.origin);
                let surely = right.surely && !leaves_out;
                // A comparison passes on the vector's value.
                let values = if leaves_out { right.values.clone() } else { values };
                return Some(Shape { values, origin, surely, ..right });
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
        left: Shape,
        right: Shape,
    ) -> Shape {
        self.needs_matched_labels(id, binary, &left, &right);
        let on = binary.matching.as_ref().filter(|m| m.join == Join::On);
        let ignoring: Vec<&str> = match &binary.matching {
            Some(matching) if matching.join == Join::Ignoring => {
                matching.labels.iter().map(|label| label.value.as_str()).collect()
            }
            _ => Vec::new(),
        };
        let difference = match on {
            Some(on) => on.labels.iter().map(|label| label.value.as_str()).find(|name| {
                let sides = (left.labels.get(name), right.labels.get(name));
                // Where one side lacks it, it was remarked already.
                matches!(&sides, (Some(a), Some(b)) if a.differs(b))
            }),
            None => {
                let names = left.labels.known.keys().chain(right.labels.known.keys());
                names
                    .filter(|name| !ignoring.contains(&name.as_str()))
                    .find(|name| match (left.labels.get(name), right.labels.get(name)) {
                        (Some(a), Some(b)) => a.differs(&b),
                        (None, Some(there)) | (Some(there), None) => !there.is_absent(),
                        (None, None) => false,
                    })
                    .map(String::as_str)
            }
        };
        let disjoint = self.are_disjoint(query, &left, &right);
        let never = difference.is_none()
            && (left.surely || self.covers(query, on.is_some(), &left, &right));
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

    /// Whether the two come from series of one metric that a matcher tells apart: where one
    /// cluster has a single such series, only one of them answers.
    fn are_disjoint(&self, query: &Query, left: &Shape, right: &Shape) -> bool {
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
    fn covers(&self, query: &Query, on: bool, left: &Shape, right: &Shape) -> bool {
        let (Some(a), Some(b)) = (left.origin, right.origin) else { return false };
        let Some((wide, narrow)) = origins(query, left, right) else { return false };
        let same = |a: &Matcher, b: &Matcher| {
            (&a.label.value, a.op, &a.value.value) == (&b.label.value, b.op, &b.value.value)
        };
        let shifted = |s: &Selector| s.shift.offset.is_some() || s.shift.at.is_some();
        let names_agree = on
            || !left.labels.open
                && !right.labels.open
                && left.labels.known.keys().eq(right.labels.known.keys());
        names_agree
            && !a.is_filtered
            && a.window >= b.window
            && !shifted(wide)
            && !shifted(narrow)
            && wide.matchers.len() <= narrow.matchers.len().min(50)
            && wide.matchers.iter().all(|w| narrow.matchers.iter().any(|n| same(w, n)))
    }
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

/// The label that tells clusters apart where several share one Prometheus.
pub const ID: &str = "_id";

fn text<'q>(query: &'q Query, call: &Call, at: usize) -> Option<&'q str> {
    match &query.node(query.bare(*call.arguments.get(at)?)).expr {
        Expr::Text(text) => Some(text),
        _ => None,
    }
}

fn label_replace(query: &Query, call: &Call, mut shape: Shape) -> Shape {
    let argument = |at| text(query, call, at).unwrap_or_default();
    let (target, replacement, source, pattern) =
        (argument(1), argument(2), argument(3), argument(4));
    let value = match shape.labels.get(source) {
        _ if source.is_empty() => Some(String::new()),
        Some(Label::Fixed(value)) => Some(value),
        Some(_) => None,
        None => Some(String::new()),
    };
    let matches = match value {
        Some(value) => regex::matches(pattern, &value),
        None => (pattern == ".*" || pattern == "(.*)").then_some(true),
    };
    let label = match matches {
        Some(false) => return shape,
        Some(true) if !replacement.contains('$') => Label::Fixed(replacement.to_owned()),
        _ => match shape.labels.known.get(source) {
            Some(Label::Plural) => Label::Plural,
            _ => Label::Some,
        },
    };
    shape.labels.known.insert(target.to_owned(), label);
    shape
}

impl Shape {
    /// One sample without labels.
    fn number(values: Values) -> Self {
        Self { labels: Labels::default(), count: Count::One, values, surely: true, origin: None }
    }

    fn of_selector(id: NodeId, selector: &Selector) -> Self {
        let mut labels = Labels { known: BTreeMap::new(), open: true };
        let metric = selector.metric().unwrap_or_default();
        for (name, label) in metrics::plurals(metric) {
            labels.known.insert(name.to_owned(), label);
        }
        for matcher in &selector.matchers {
            let label = match matcher.op {
                MatchOp::Equal => Label::Fixed(matcher.value.value.clone()),
                MatchOp::Regex if !regex::names_several(&matcher.value.value) => Label::Some,
                _ => continue,
            };
            if matcher.label.value != ID {
                labels.known.insert(matcher.label.value.clone(), label);
            }
        }
        let origin = Some(Origin { selector: id, window: 0.0, is_filtered: false });
        Self { labels, count: Count::Unknown, values: Values::Any, surely: false, origin }
    }
}

impl Labels {
    /// What is known of a label; nothing where there is certainly none.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Label> {
        match self.known.get(name) {
            Some(label) => Some(label.clone()),
            None if self.open => Some(Label::Some),
            None => None,
        }
    }
}

impl Label {
    fn is_absent(&self) -> bool {
        *self == Self::Fixed(String::new())
    }

    /// Whether two samples with these labels can differ in it.
    fn differs(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fixed(a), Self::Fixed(b)) => a != b,
            (Self::Some, _) | (_, Self::Some) => false,
            _ => true,
        }
    }

    fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Self::Plural, _) | (_, Self::Plural) => Self::Plural,
            _ => Self::Some,
        }
    }
}
