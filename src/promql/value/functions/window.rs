//! What a function of a range sees.

use super::super::super::dialect::Dialect;
use super::super::series::Point;

/// The samples of a series that a step sees. There is one at least.
pub(super) struct Window<'w> {
    pub(super) points: &'w [Point],
    /// Where the window starts and ends, in milliseconds.
    pub(super) start: i64,
    pub(super) end: i64,
    /// The time of the step, which `offset` does not move.
    pub(super) step: i64,
    /// The length of the window, in milliseconds.
    pub(super) reach: i64,
    /// The arguments that are numbers. One that is missing is NaN.
    pub(super) parameters: [f64; 2],
    pub(super) dialect: Dialect,
}

impl Window<'_> {
    pub(super) fn values(&self) -> impl Iterator<Item = f64> {
        self.points.iter().map(|point| point.value)
    }
}

/// A value for a window, if there is one.
pub(super) type OfWindow = fn(&Window) -> Option<f64>;
