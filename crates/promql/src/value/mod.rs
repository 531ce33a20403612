//! The value of a query over given series, as Prometheus calculates it.
//!
//! Each node of a query is evaluated once, in order, for all the times at which its value is
//! needed. `plan` finds these times: a subquery needs its operand at many times, and everything
//! else at one time. So no code walks the query by recursion. `pool` limits what an evaluation
//! costs.

#![allow(clippy::float_cmp, reason = "Prometheus compares exactly")]
#![allow(clippy::cast_precision_loss, reason = "Prometheus makes floats of times and counts")]

mod aggregate;
mod answer;
mod binary;
mod error;
mod evaluator;
mod exposition;
mod functions;
mod interner;
mod kahan;
mod labels;
mod labels_id;
mod marks;
mod numbers;
mod operand;
mod plan;
mod pool;
mod quantile;
mod relabeling;
mod selectors;
mod series;
mod settings;

pub use answer::Value;
pub use binary::calculated;
pub use error::EvalError;
pub use evaluator::evaluate;
pub use evaluator::{Evaluation, KnownValues, Step, evaluate_counted};
pub use exposition::{
    Exposition, Format, LineFault, Malformations, Malformed, ReadError, read, read_from,
    series_labels,
};
pub use functions::{absent_labels, label_replaced};
pub use interner::Interner;
pub use labels::Labels;
pub use numbers::in_decimal;
pub use numbers::{in_json, seconds};
pub use selectors::remove_selected;
pub use series::{Inserted, Point, Store};
pub use settings::{Limits, Settings};
