//! Operators between two numbers.

use super::super::super::dialect::Dialect;
use super::super::super::syntax::Operator;

/// Whether results keep the metric's name. Prometheus 2 forgets to drop it after `atan2`.
pub(super) fn keeps_name(op: Operator, dialect: Dialect) -> bool {
    let is_forgotten = op == Operator::Atan2 && dialect == Dialect::Two;
    op.is_comparison() || op.is_set_operator() || is_forgotten
}

/// The result of an operator that is not a comparison.
pub fn calculated(op: Operator, left: f64, right: f64) -> f64 {
    match op {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide => left / right,
        Operator::Modulo => left % right,
        Operator::Power => left.powf(right),
        Operator::Atan2 => left.atan2(right),
        _ => f64::NAN,
    }
}

pub(super) fn passes(op: Operator, left: f64, right: f64) -> bool {
    match op {
        Operator::Equal => left == right,
        Operator::NotEqual => left != right,
        Operator::Less => left < right,
        Operator::LessOrEqual => left <= right,
        Operator::Greater => left > right,
        _ => left >= right,
    }
}
