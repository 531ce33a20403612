//! The values of a part of a query, at each of its steps.

use std::borrow::Cow;

use super::super::dialect::Dialect;
use super::plan::Shift;
use super::pool::{LabelsId, Vector};
use super::series::Point;

/// The values of a part of a query.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operand<'s> {
    /// A number for each step.
    Scalars(Vec<f64>),
    /// A text.
    Text(&'s str),
    /// A vector for each step.
    Vectors(Vec<Vector>),
    /// Samples over time. Each step sees a window of them.
    Matrix(Box<Matrix<'s>>),
    /// No value: the range around this selector reads the samples itself.
    Nothing,
    /// No value, because it is not needed. The node has this many samples.
    Skipped(usize),
}

impl Operand<'_> {
    /// The number of samples or series. If there are several steps, the greatest number.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Scalars(_) => 1,
            Self::Vectors(vectors) => vectors.iter().map(Vec::len).max().unwrap_or(0),
            Self::Matrix(matrix) => matrix.series.len(),
            Self::Skipped(count) => *count,
            Self::Text(_) | Self::Nothing => 0,
        }
    }

    /// A copy that borrows nothing. None for a text, or if there is no value.
    pub(super) fn owned(&self) -> Option<Operand<'static>> {
        Some(match self {
            Self::Scalars(values) => Operand::Scalars(values.clone()),
            Self::Vectors(vectors) => Operand::Vectors(vectors.clone()),
            Self::Matrix(matrix) => Operand::Matrix(Box::new(matrix.owned())),
            Self::Text(_) | Self::Nothing | Self::Skipped(_) => return None,
        })
    }

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

/// Series with their samples, and the window that a step sees.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix<'s> {
    pub(super) series: Vec<(LabelsId, Cow<'s, [Point]>)>,
    /// The length of the window, in milliseconds.
    pub(super) reach: i64,
    pub(super) shift: Shift,
    pub(super) dialect: Dialect,
}

impl Matrix<'_> {
    fn owned(&self) -> Matrix<'static> {
        let owned = |(id, points): &(LabelsId, Cow<'_, [Point]>)| (*id, points.to_vec().into());
        let series = self.series.iter().map(owned).collect();
        Matrix { series, reach: self.reach, shift: self.shift, dialect: self.dialect }
    }

    /// The samples in the window of a step.
    pub(super) fn seen<'m>(&self, points: &'m [Point], step: i64) -> &'m [Point] {
        let end = self.shift.from(step);
        window(points, end.saturating_sub(self.reach), end, self.dialect)
    }
}

/// The samples between two times.
pub(super) fn window(points: &[Point], start: i64, end: i64, dialect: Dialect) -> &[Point] {
    let points = up_to(points, end);
    let is_before = |point: &Point| is_before(point, start, dialect);
    // Most windows start before all samples, or are already cut.
    if !points.first().is_some_and(is_before) {
        return points;
    }
    points.get(points.partition_point(is_before)..).unwrap_or_default()
}

/// The newest sample between two times.
pub(super) fn newest(points: &[Point], start: i64, end: i64, dialect: Dialect) -> Option<&Point> {
    up_to(points, end).last().filter(|point| !is_before(point, start, dialect))
}

fn up_to(points: &[Point], end: i64) -> &[Point] {
    // Most queries are evaluated at the time of the newest sample.
    let is_newest = points.last().is_some_and(|last| last.time <= end);
    let after =
        if is_newest { points.len() } else { points.partition_point(|point| point.time <= end) };
    points.get(..after).unwrap_or_default()
}

/// Whether a sample is before a window that starts at a time.
fn is_before(point: &Point, start: i64, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Two => point.time < start,
        Dialect::Three => point.time <= start,
    }
}
