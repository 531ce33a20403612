//! What a query can answer, whatever the cluster.
//!
//! One pass from operands to what uses them. What is not known is assumed to be
//! as the author needs it, so that what is said is worth being heard.

use std::collections::BTreeMap;

use super::ast::{Aggregation, Aggregator, Call, Expr, NodeId, Operator, Query, Type};
use super::shape::{Cause, Count, ID, Label, Labels, Origin, Shape};
use super::{Values, regex, values};

/// What a query can answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What its result can look like; a text has no such.
    pub shape: Option<Shape>,
    /// What was noticed on the way.
    pub remarks: Vec<Remark>,
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

impl Answer {
    /// What a query can answer.
    #[must_use]
    pub fn of(query: &Query) -> Self {
        let mut walk = Walk::over(query);
        Self { shape: walk.shapes.pop().flatten(), remarks: walk.remarks }
    }
}

/// The way from operands to what uses them.
pub(super) struct Walk {
    /// Of each node so far; a text has none.
    shapes: Vec<Option<Shape>>,
    pub(super) remarks: Vec<Remark>,
}

/// What each node of a query can look like; a text has no shape.
pub(super) fn shapes(query: &Query) -> Vec<Option<Shape>> {
    Walk::over(query).shapes
}

impl Walk {
    fn over(query: &Query) -> Self {
        let mut walk = Walk { shapes: Vec::new(), remarks: Vec::new() };
        for (id, node) in query.nodes() {
            let shape = match (&node.expr, node.kind) {
                (Expr::Text(_), _) | (_, Type::Text) => None,
                (Expr::Number(value), _) => Some(Shape::number(Values::just(*value))),
                (Expr::Selector(selector), _) => Some(Shape::of_selector(id, selector)),
                (Expr::Range(of, range), _) => walk.with_window(*of, range.value),
                (Expr::Subquery(subquery), _) => {
                    walk.with_window(subquery.of, subquery.reach.value)
                }
                (Expr::Paren(of), _) => walk.get(*of).cloned(),
                (Expr::Unary(negative, of), _) => {
                    let sign = Values::just(if *negative { -1.0 } else { 1.0 });
                    walk.get(*of).map(|of| Shape {
                        values: values::calculate(Operator::Multiply, &sign, &of.values),
                        ..of.clone()
                    })
                }
                (Expr::Call(call), kind) => Some(walk.of_call(query, call, kind)),
                (Expr::Aggregation(aggregation), _) => walk.of_aggregation(id, aggregation),
                (Expr::Binary(binary), _) => walk.of_binary(query, id, binary),
            };
            walk.shapes.push(shape.map(Shape::bounded));
        }
        walk
    }

    pub(super) fn get(&self, id: NodeId) -> Option<&Shape> {
        self.shapes.get(id.0 as usize)?.as_ref()
    }

    fn with_window(&self, of: NodeId, window: f64) -> Option<Shape> {
        let mut shape = self.get(of)?.clone();
        if let Some(origin) = &mut shape.origin {
            origin.window += window;
        }
        Some(shape)
    }

    fn of_call(&self, query: &Query, call: &Call, kind: Type) -> Shape {
        let name = call.function.name;
        let vector = call
            .arguments
            .iter()
            .find(|argument| matches!(query.node(**argument).kind, Type::Vector | Type::Range));
        let vector = vector.and_then(|argument| self.get(*argument));
        if kind == Type::Scalar {
            return Shape::number(Values::Any);
        }
        if name == "vector" {
            let number = call.arguments.first().and_then(|argument| self.get(*argument));
            return Shape::number(number.map_or(Values::Any, |n| n.values.clone()));
        }
        // Functions of the date answer for now where they are given nothing.
        let Some(vector) = vector else { return Shape::number(Values::Any) };
        let mut shape = vector.clone();
        match name {
            "absent" | "absent_over_time" => {
                // Some of what is matched by `=` becomes labels.
                shape.labels = Labels { known: BTreeMap::new(), open: true };
                shape.count = Count::One;
                shape.origin = None;
                shape.values = Values::just(1.0);
            }
            "label_replace" => return label_replace(query, call, shape),
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
        shape
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
                Values::Only(list) if list.iter().all(|v| [0.0, 1.0].contains(v)) => {
                    tally(list.contains(&0.0))
                }
                _ => Values::Any,
            },
            _ => Values::Any,
        };
        let mut shape = Shape { labels: kept, count, values, surely: of.surely, origin: of.origin };
        if op == Aggregator::CountValues {
            // It makes a label of the values.
            shape.labels.open = true;
            shape.count = Count::Unknown;
        }
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
}

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
