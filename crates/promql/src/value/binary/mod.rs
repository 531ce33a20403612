//! Operators between two expressions.

mod arithmetic;
mod matching;
mod sets;

pub use arithmetic::calculated;

use super::super::dialect::Dialect;
use super::super::syntax::{Binary, Operator};
use super::error::EvalError;
use super::labels::LabelsPart;
use super::operand::Operand;
use super::pool::{Pool, Vector};
use super::relabeling::Relabeling;
use arithmetic::{keeps_name, passes};

/// Combines the values of two sides.
pub(super) fn calculate<'s>(
    pool: &mut Pool,
    binary: &Binary,
    left: Operand<'s>,
    right: Operand<'s>,
    dialect: Dialect,
) -> Result<Operand<'s>, EvalError> {
    let vectors = match (left, right) {
        (Operand::Scalars(left), Operand::Scalars(right)) => {
            let pairs = left.into_iter().zip(right);
            return Ok(Operand::Scalars(pairs.map(|(a, b)| scalar(binary, a, b)).collect()));
        }
        (Operand::Vectors(vectors), Operand::Scalars(scalars)) => {
            with_scalars(pool, binary, dialect, vectors, &scalars, Side::Left)?
        }
        (Operand::Scalars(scalars), Operand::Vectors(vectors)) => {
            with_scalars(pool, binary, dialect, vectors, &scalars, Side::Right)?
        }
        (left, right) => {
            let (left, right) = (left.into_vectors(), right.into_vectors());
            if binary.op.value.is_set_operator() {
                sets::combined(pool, binary, left, right)?
            } else {
                matching::matched(pool, binary, dialect, left, right)?
            }
        }
    };
    Ok(Operand::Vectors(vectors))
}

fn scalar(binary: &Binary, left: f64, right: f64) -> f64 {
    let op = binary.op.value;
    if op.is_comparison() { flag(passes(op, left, right)) } else { calculated(op, left, right) }
}

fn flag(is: bool) -> f64 {
    if is { 1.0 } else { 0.0 }
}

/// The side on which the vector is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

fn with_scalars(
    pool: &mut Pool,
    binary: &Binary,
    dialect: Dialect,
    mut vectors: Vec<Vector>,
    scalars: &[f64],
    side: Side,
) -> Result<Vec<Vector>, EvalError> {
    let op = binary.op.value;
    let mut unnamed =
        Relabeling::new(vectors.len(), |pool, id| pool.part(id, &LabelsPart::Unnamed));
    for (vector, scalar) in vectors.iter_mut().zip(scalars) {
        pool.charge(vector.len() as u64)?;
        vector.retain_mut(|sample| {
            let of_vector = sample.value;
            let (left, right) =
                if side == Side::Left { (of_vector, *scalar) } else { (*scalar, of_vector) };
            match combined(op, binary.bool.is_some(), left, right) {
                // A filter keeps the vector's values, on whichever side they are.
                Some(_) if is_filter(binary) => true,
                Some(value) => {
                    sample.value = value;
                    true
                }
                None => false,
            }
        });
        if binary.bool.is_some() || !keeps_name(op, dialect) {
            for sample in vector.iter_mut() {
                sample.labels = unnamed.of(pool, sample.labels)?;
            }
        }
        pool.expect_unique(vector)?;
    }
    Ok(vectors)
}

/// Whether the operator only chooses samples.
fn is_filter(binary: &Binary) -> bool {
    binary.op.value.is_comparison() && binary.bool.is_none()
}

/// The result for two numbers. None if a comparison drops them.
fn combined(op: Operator, bool: bool, left: f64, right: f64) -> Option<f64> {
    if !op.is_comparison() {
        return Some(calculated(op, left, right));
    }
    match (bool, passes(op, left, right)) {
        (true, passes) => Some(flag(passes)),
        (false, true) => Some(left),
        (false, false) => None,
    }
}
