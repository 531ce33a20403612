//! Computes in one pass, operands before their users, what the result of each node can look like.
//!
//! Unknown facts are assumed to be what the author needs, so that every remark is about a real
//! mistake.

use super::super::syntax::{Expr, NodeId, Operator, Query, Type};
use super::aggregations::aggregation;
use super::binary::binary;
use super::calls::call;
use super::remark::Remark;
use super::shape::Shape;
use super::values::{self, Values};

/// What a query can answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What its result can look like. None for a string.
    pub shape: Option<Shape>,
    /// The parts that cannot do what they are for.
    pub remarks: Vec<Remark>,
}

impl Answer {
    /// What a query can answer.
    pub fn of(query: &Query) -> Self {
        let mut shapes = Shapes::of(query);
        Self { shape: shapes.of_nodes.pop().flatten(), remarks: shapes.remarks }
    }
}

/// The shapes of a query's nodes.
pub(super) struct Shapes {
    /// None for strings.
    of_nodes: Vec<Option<Shape>>,
    remarks: Vec<Remark>,
}

impl Shapes {
    pub(super) fn of(query: &Query) -> Self {
        let mut shapes = Self { of_nodes: Vec::new(), remarks: Vec::new() };
        for (id, node) in query.nodes() {
            let shape = if node.kind == Type::Text {
                None
            } else {
                shapes.of_expression(query, id, &node.expr)
            };
            shapes.of_nodes.push(shape.map(Shape::bounded));
        }
        shapes
    }

    pub(super) fn get(&self, id: NodeId) -> Option<&Shape> {
        self.of_nodes.get(id.index())?.as_ref()
    }

    fn of_expression(&mut self, query: &Query, id: NodeId, expr: &Expr) -> Option<Shape> {
        match expr {
            Expr::Text(_) => None,
            Expr::Number(value) => Some(Shape::number(Values::just(*value))),
            Expr::Selector(selector) => Some(Shape::of_selector(id, selector)),
            Expr::Range(of, range) => self.with_window(*of, range.value),
            Expr::Subquery(subquery) => self.with_window(subquery.of, subquery.reach.value),
            Expr::Paren(of) => self.get(*of).cloned(),
            Expr::Unary(negative, of) => {
                let sign = Values::just(if *negative { -1.0 } else { 1.0 });
                let of = self.get(*of)?;
                let values = values::calculate(Operator::Multiply, &sign, &of.values);
                Some(Shape { values, ..of.clone() })
            }
            Expr::Call(of) => Some(call(query, of, |argument| self.get(argument))),
            Expr::Aggregation(of) => {
                let operand = self.get(of.of)?.clone();
                let parameter = of.parameter.and_then(|parameter| self.get(parameter)).cloned();
                let remarks = &mut self.remarks;
                Some(aggregation(id, of, operand, parameter.as_ref(), remarks))
            }
            Expr::Binary(of) => {
                let (left, right) = (self.get(of.left)?.clone(), self.get(of.right)?.clone());
                Some(binary(query, id, of, left, right, &mut self.remarks))
            }
        }
    }

    fn with_window(&self, of: NodeId, window: f64) -> Option<Shape> {
        let mut shape = self.get(of)?.clone();
        if let Some(source) = &mut shape.source {
            source.window += window;
        }
        Some(shape)
    }
}
