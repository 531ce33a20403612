//! Which part of a query is to blame for an answer.

use crate::promql::{Aggregation, Expr, NodeId, Operator, Query};

use super::outcome::Outcome;

/// The part that is to blame for an outcome. `counts` has the number of samples of each node.
pub(super) fn blame(query: &Query, counts: &[usize], outcome: &Outcome) -> NodeId {
    if let Outcome::Error(_) = outcome {
        let failed = NodeId::new(counts.len().min(query.root().index()));
        return failed;
    }
    let mut id = query.root();
    while let Some(inner) = next(query, id, counts, outcome) {
        id = inner;
    }
    id
}

/// The operand to blame instead of the node. None if the node itself is to blame.
fn next(query: &Query, id: NodeId, counts: &[usize], outcome: &Outcome) -> Option<NodeId> {
    let count = |id: NodeId| counts.get(id.index()).copied().unwrap_or(0);
    match &query.node(id).expr {
        Expr::Paren(of) | Expr::Unary(false, of) => Some(*of),
        Expr::Binary(binary) => {
            let (left, right) = (binary.left, binary.right);
            match (outcome, binary.op.value) {
                (Outcome::NoSample, Operator::Or) => None,
                (Outcome::NoSample, Operator::Unless) => (count(left) == 0).then_some(left),
                (Outcome::NoSample, _) => [left, right].into_iter().find(|side| count(*side) == 0),
                (Outcome::SeveralSamples(_), Operator::Or) => {
                    [left, right].into_iter().find(|side| count(*side) == count(id))
                }
                (Outcome::SeveralSamples(_), Operator::And | Operator::Unless) => Some(left),
                (Outcome::SeveralSamples(_), _) => {
                    [left, right].into_iter().find(|side| count(*side) > 1)
                }
                (_, Operator::Or) => Some(if count(left) > 0 { left } else { right }),
                (_, Operator::And | Operator::Unless) => Some(left),
                _ => None,
            }
        }
        Expr::Call(call) => {
            let of = call.vector(query)?;
            (*outcome == Outcome::NoSample && count(of) == 0).then_some(of)
        }
        Expr::Aggregation(Aggregation { of, op, .. }) => match outcome {
            Outcome::NoSample => (count(*of) == 0).then_some(*of),
            Outcome::OtherValue(_) => (op.value.picks() && count(*of) == 1).then_some(*of),
            _ => None,
        },
        _ => None,
    }
}
