//! The times at which each part of a query is evaluated.

use super::super::dialect::Dialect;
use super::super::syntax::{AtTime, Expr, NodeId, Query, Subquery, TimeModifiers};
use super::error::EvalError;
use super::pool::Pool;
use super::settings::Settings;

/// Times at equal distances, in milliseconds. There are none if the end is before the start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    pub(super) start: i64,
    pub(super) end: i64,
    interval: u64,
    pub(super) count: u64,
}

impl Steps {
    fn new(start: i64, end: i64, interval: u64) -> Self {
        let count = if end < start { 0 } else { end.abs_diff(start) / interval.max(1) + 1 };
        Self { start, end, interval, count }
    }

    pub(super) fn times(self) -> impl Iterator<Item = i64> {
        (0..self.count).map(move |step| self.start.wrapping_add_unsigned(step * self.interval))
    }
}

/// What a part of a query is evaluated for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    /// For its values at these times.
    Values(Steps),
    /// For the times of its samples, which `timestamp` needs.
    Times(Steps),
    /// For nothing. The range around a selector reads the samples itself.
    Nothing,
}

/// How `offset` and `@` move the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shift {
    at: Option<i64>,
    offset: i64,
}

impl Shift {
    pub(super) fn new(modifiers: &TimeModifiers, query_time: i64) -> Self {
        let at = modifiers.at.as_ref().map(|at| match at.value {
            AtTime::Seconds(seconds) => milliseconds(seconds),
            // An instant query starts and ends at its time.
            AtTime::Start | AtTime::End => query_time,
        });
        let offset = modifiers.offset.as_ref().map_or(0, |offset| milliseconds(offset.value));
        Self { at, offset }
    }

    /// The time to look at, for an evaluation at `time`.
    pub(super) fn from(self, time: i64) -> i64 {
        self.at.unwrap_or(time).saturating_sub(self.offset)
    }
}

#[allow(clippy::cast_possible_truncation, reason = "it saturates")]
pub(super) fn milliseconds(seconds: f64) -> i64 {
    (seconds * 1000.0).round() as i64
}

/// The role of each node, by its index. Operands come before their users, so this goes backwards.
pub(super) fn plan(
    query: &Query,
    settings: &Settings,
    pool: &mut Pool,
) -> Result<Vec<Role>, EvalError> {
    let now = Steps::new(settings.time, settings.time, 1);
    let count = query.root().index() + 1;
    let mut roles = vec![Role::Values(now); count];
    for id in (0..count).rev().map(NodeId::new) {
        let role = roles[id.index()];
        let (Role::Values(steps) | Role::Times(steps)) = role else { continue };
        pool.charge(steps.count)?;
        let mut operand = |of: NodeId, role: Role| roles[of.index()] = role;
        match &query.node(id).expr {
            Expr::Number(_) | Expr::Text(_) | Expr::Selector(_) => {}
            Expr::Range(of, _) => operand(*of, Role::Nothing),
            Expr::Subquery(subquery) => {
                operand(subquery.of, Role::Values(inner_steps(subquery, steps, settings)?));
            }
            Expr::Call(call) => {
                for argument in &call.arguments {
                    let is_selector =
                        matches!(query.node(query.bare(*argument)).expr, Expr::Selector(_));
                    let times = is_selector && call.function.name == "timestamp";
                    let role = if times { Role::Times(steps) } else { Role::Values(steps) };
                    operand(*argument, role);
                }
            }
            Expr::Aggregation(aggregation) => {
                operand(aggregation.of, role);
                if let Some(parameter) = aggregation.parameter {
                    operand(parameter, role);
                }
            }
            Expr::Binary(binary) => {
                operand(binary.left, role);
                operand(binary.right, role);
            }
            Expr::Unary(_, of) | Expr::Paren(of) => operand(*of, role),
        }
    }
    Ok(roles)
}

/// The multiples of the step that are in the window of a subquery.
pub(super) fn inner_steps(
    subquery: &Subquery,
    outer: Steps,
    settings: &Settings,
) -> Result<Steps, EvalError> {
    let interval = subquery.step.as_ref().map_or(settings.step, |step| milliseconds(step.value));
    if interval < 1 {
        return Err(EvalError::unsupported("a subquery's step is shorter than a millisecond"));
    }
    let shift = Shift::new(&subquery.modifiers, settings.time);
    let reach = milliseconds(subquery.reach.value);
    let bound = shift.from(outer.start).saturating_sub(reach);
    let mut start = bound / interval * interval;
    let is_outside = match settings.dialect {
        Dialect::Two => start < bound,
        Dialect::Three => start <= bound,
    };
    if is_outside {
        start = start.saturating_add(interval);
    }
    Ok(Steps::new(start, shift.from(outer.end), interval.unsigned_abs()))
}
