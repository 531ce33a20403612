//! What the evaluation of a part of a query yields, at each of its steps.

use std::borrow::Cow;

use super::plan::Shift;
use super::pool::{LabelsId, Vector};
use super::series::Point;
use super::settings::Dialect;

/// The values of a part of a query.
#[derive(Debug)]
pub(super) enum Operand<'s> {
    /// A number for each step.
    Scalars(Vec<f64>),
    /// A text.
    Text(String),
    /// A vector for each step.
    Vectors(Vec<Vector>),
    /// Samples over time, of which each step sees a window.
    Matrix(Matrix<'s>),
    /// Nothing: what is around it does the work.
    Nothing,
}

impl Operand<'_> {
    pub(super) fn into_vectors(self) -> Vec<Vector> {
        if let Self::Vectors(vectors) = self { vectors } else { Vec::new() }
    }

    pub(super) fn scalars(&self) -> &[f64] {
        if let Self::Scalars(scalars) = self { scalars } else { &[] }
    }

    pub(super) fn text(&self) -> &str {
        if let Self::Text(text) = self { text } else { "" }
    }
}

/// Series with their samples, and which of them a step sees.
#[derive(Debug)]
pub(super) struct Matrix<'s> {
    pub(super) series: Vec<(LabelsId, Cow<'s, [Point]>)>,
    /// The length of the window, in milliseconds.
    pub(super) reach: i64,
    pub(super) shift: Shift,
    pub(super) dialect: Dialect,
}

impl Matrix<'_> {
    /// The samples that a step sees.
    pub(super) fn seen<'m>(&self, points: &'m [Point], step: i64) -> &'m [Point] {
        let end = self.shift.from(step);
        window(points, end.saturating_sub(self.reach), end, self.dialect)
    }
}

/// The samples between two times.
pub(super) fn window(points: &[Point], start: i64, end: i64, dialect: Dialect) -> &[Point] {
    // Most queries are asked at the time of the newest sample.
    let is_newest = points.last().is_some_and(|last| last.time <= end);
    let after =
        if is_newest { points.len() } else { points.partition_point(|point| point.time <= end) };
    let first = match dialect {
        Dialect::Two => points.partition_point(|point| point.time < start),
        Dialect::Three => points.partition_point(|point| point.time <= start),
    };
    points.get(first..after).unwrap_or_default()
}
