//! What a function of a range sees.

use super::super::super::dialect::Dialect;
use super::super::series::Point;

/// The samples of a series that a step sees. There is at least one.
pub(super) struct Window<'w> {
    pub(super) points: &'w [Point],
    /// The start and the end of the window, in milliseconds.
    pub(super) start: i64,
    pub(super) end: i64,
    /// The time of the step, which `offset` does not move.
    pub(super) step: i64,
    /// The length of the window, in milliseconds.
    pub(super) reach: i64,
    /// The numeric arguments. Missing ones are NaN.
    pub(super) parameters: [f64; 2],
    pub(super) dialect: Dialect,
}

impl Window<'_> {
    pub(super) fn values(&self) -> impl Iterator<Item = f64> {
        self.points.iter().map(|point| point.value)
    }
}

/// Computes the value of a function from a window. None if the window has too few samples.
pub(super) type OfWindow = fn(&Window) -> Option<f64>;
