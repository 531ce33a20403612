//! Functions of the samples in a window.

use super::super::error::EvalError;
use super::super::labels::LabelsPart;
use super::super::operand::{Matrix, Operand};
use super::super::pool::{Pool, Sample, Vector};
use super::super::relabeling::Origins;
use super::super::series::Point;
use super::window::{OfWindow, Window};
use super::{Arguments, extrapolation, over_time, regression};

fn function(name: &str) -> Option<OfWindow> {
    over_time::function(name)
        .or_else(|| extrapolation::function(name))
        .or_else(|| regression::function(name))
}

pub(super) fn over_windows(
    pool: &mut Pool,
    arguments: &mut Arguments,
) -> Result<Vec<Vector>, EvalError> {
    let name = arguments.call.function.name;
    let Some(function) = function(name) else {
        return Err(EvalError::unsupported(format!("`{name}` is not known here")));
    };
    let is_matrix = |operand: &Operand| matches!(operand, Operand::Matrix(_));
    let Some(at) = arguments.operands.iter().position(is_matrix) else { return Ok(Vec::new()) };
    let Operand::Matrix(matrix) = arguments.operands.remove(at) else { return Ok(Vec::new()) };
    let keeps_name = name == "last_over_time";
    let mut origins = Origins::default();
    let mut vectors: Vec<Vector> = arguments.steps.times().map(|_| Vector::new()).collect();
    for (series, points) in &matrix.series {
        let labels = if keeps_name { *series } else { pool.part(*series, &LabelsPart::Unnamed)? };
        pool.charge(arguments.steps.count)?;
        for ((i, vector), step) in vectors.iter_mut().enumerate().zip(arguments.steps.times()) {
            let points = matrix.seen(points, step);
            pool.charge(points.len() as u64)?;
            if points.is_empty() {
                continue;
            }
            let parameters = [0, 1].map(|at| arguments.scalar(at, i).unwrap_or(f64::NAN));
            if name == "holt_winters" {
                regression::expect_factors(parameters)?;
            }
            if let Some(value) = function(&window(&matrix, points, step, parameters)) {
                // `absent_over_time` uses only the times of the samples.
                if name != "absent_over_time" {
                    origins.expect_one(labels, *series)?;
                }
                vector.push(Sample { labels, value });
            }
        }
    }
    Ok(vectors)
}

fn window<'w>(matrix: &Matrix, points: &'w [Point], step: i64, parameters: [f64; 2]) -> Window<'w> {
    let (reach, dialect) = (matrix.reach, matrix.dialect);
    let end = matrix.shift.from(step);
    let start = end.saturating_sub(reach);
    Window { points, start, end, step, reach, parameters, dialect }
}
