//! Operators between two numbers.

use super::super::super::syntax::Operator;

/// Whether the results keep the metric's name.
pub(super) fn keeps_name(op: Operator) -> bool {
    op.is_comparison() || op.is_set_operator()
}

pub(super) fn calculated(op: Operator, left: f64, right: f64) -> f64 {
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
