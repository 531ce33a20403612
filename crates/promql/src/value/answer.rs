//! What a query answers.

use super::labels::Labels;
use super::series::Point;

/// What a query answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number without labels.
    Scalar(f64),
    /// A string.
    Text(String),
    /// One number for each series, in Prometheus's order.
    Vector(Vec<(Labels, f64)>),
    /// Samples over time for each series.
    Matrix(Vec<(Labels, Vec<Point>)>),
}
