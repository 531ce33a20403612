//! Calls of functions.

mod absent;
mod dates;
mod elementwise;
mod extrapolation;
mod histogram;
mod label_text;
mod labels;
mod over_time;
mod ranges;
mod regression;
mod window;

pub use absent::absent_labels;
pub use labels::label_replaced;

use super::super::syntax::{Call, Expr, Query};
use super::error::EvalError;
use super::labels::{Labels, LabelsPart};
use super::operand::Operand;
use super::plan::Steps;
use super::pool::{Pool, Sample, Vector};
use super::relabeling::Relabeling;
use super::selectors::seconds;
use super::settings::Settings;

/// A call and the values of its arguments.
pub(super) struct Arguments<'a> {
    pub(super) call: &'a Call,
    pub(super) query: &'a Query,
    pub(super) operands: Vec<Operand<'a>>,
    pub(super) steps: Steps,
    pub(super) settings: &'a Settings,
}

impl Arguments<'_> {
    /// The vectors of an argument.
    fn vectors(&mut self, at: usize) -> Vec<Vector> {
        let operand = self.operands.get_mut(at);
        let operand = operand.map(|operand| std::mem::replace(operand, Operand::Nothing));
        operand.map(Operand::into_vectors).unwrap_or_default()
    }

    /// The value of a scalar argument at a step.
    fn scalar(&self, at: usize, step: usize) -> Option<f64> {
        self.operands.get(at)?.scalars().get(step).copied()
    }

    fn text(&self, at: usize) -> &str {
        self.operands.get(at).map_or("", Operand::text)
    }
}

/// The values of a call.
pub(super) fn call(
    pool: &mut Pool,
    mut arguments: Arguments,
) -> Result<Operand<'static>, EvalError> {
    let name = arguments.call.function.name;
    if arguments.call.function.is_experimental {
        return Err(EvalError::unsupported(format!("`{name}` is experimental")));
    }
    let vectors = match name {
        "time" => {
            return Ok(Operand::Scalars(arguments.steps.times().map(seconds).collect()));
        }
        "pi" => {
            let pi = |_| std::f64::consts::PI;
            return Ok(Operand::Scalars(arguments.steps.times().map(pi).collect()));
        }
        "scalar" => {
            let single = |vector: Vector| match vector.as_slice() {
                [sample] => sample.value,
                _ => f64::NAN,
            };
            let scalars = arguments.vectors(0).into_iter().map(single).collect();
            return Ok(Operand::Scalars(scalars));
        }
        "vector" => vector(pool, arguments.operands.first().map_or(&[], |o| o.scalars()))?,
        "absent" => absent::absent(pool, &mut arguments)?,
        "sort" => sorted(arguments.vectors(0), false),
        "sort_desc" => sorted(arguments.vectors(0), true),
        "label_replace" => labels::label_replace(pool, &mut arguments)?,
        "label_join" => labels::label_join(pool, &mut arguments)?,
        "histogram_quantile" => histogram::quantile(pool, &mut arguments)?,
        "histogram_fraction" => histogram::fraction(pool, &mut arguments)?,
        // These functions skip plain numbers, and series from texts have no native histograms.
        "histogram_avg" | "histogram_count" | "histogram_stddev" | "histogram_stdvar"
        | "histogram_sum" => arguments.vectors(0).iter().map(|_| Vector::new()).collect(),
        "timestamp" => timestamps(pool, &mut arguments)?,
        "clamp" => clamp(pool, &mut arguments)?,
        _ => {
            if let Some(part) = dates::part(name) {
                dates::dates(pool, &mut arguments, part)?
            } else if let Some(function) = elementwise::function(name) {
                let vectors = arguments.vectors(0);
                mapped(pool, vectors, |step, value| {
                    function(value, arguments.scalar(1, step), arguments.steps)
                })?
            } else if name == "absent_over_time" {
                absent::absent_over_time(pool, &mut arguments)?
            } else {
                ranges::over_windows(pool, &mut arguments)?
            }
        }
    };
    Ok(Operand::Vectors(vectors))
}

fn vector(pool: &mut Pool, scalars: &[f64]) -> Result<Vec<Vector>, EvalError> {
    let labels = pool.intern(&Labels::default())?;
    pool.charge(scalars.len() as u64)?;
    Ok(scalars.iter().map(|value| vec![Sample { labels, value: *value }]).collect())
}

/// Computes each value from its step and the previous value, and drops the names.
fn mapped(
    pool: &mut Pool,
    mut vectors: Vec<Vector>,
    change: impl Fn(usize, f64) -> f64,
) -> Result<Vec<Vector>, EvalError> {
    let mut unnamed =
        Relabeling::new(vectors.len(), |pool, id| pool.part(id, &LabelsPart::Unnamed));
    for (step, vector) in vectors.iter_mut().enumerate() {
        pool.charge(vector.len() as u64)?;
        for sample in vector.iter_mut() {
            sample.value = change(step, sample.value);
            sample.labels = unnamed.of(pool, sample.labels)?;
        }
        pool.expect_unique(vector)?;
    }
    Ok(vectors)
}

/// The times of the samples. If the argument is a selector, the values of its vector are already
/// times.
fn timestamps(pool: &mut Pool, arguments: &mut Arguments) -> Result<Vec<Vector>, EvalError> {
    let vectors = arguments.vectors(0);
    let (query, call) = (arguments.query, arguments.call);
    let of = call.arguments.first().map(|id| &query.node(query.bare(*id)).expr);
    if matches!(of, Some(Expr::Selector(_))) {
        return mapped(pool, vectors, |_, time| time);
    }
    let times: Vec<f64> = arguments.steps.times().map(seconds).collect();
    mapped(pool, vectors, |step, _| times.get(step).copied().unwrap_or(f64::NAN))
}

fn clamp(pool: &mut Pool, arguments: &mut Arguments) -> Result<Vec<Vector>, EvalError> {
    let mut vectors = arguments.vectors(0);
    let bound = |at, step| arguments.scalar(at, step).unwrap_or(f64::NAN);
    for (step, vector) in vectors.iter_mut().enumerate() {
        if bound(2, step) < bound(1, step) {
            vector.clear();
        }
    }
    mapped(pool, vectors, |step, value| {
        elementwise::greater(bound(1, step), elementwise::smaller(bound(2, step), value))
    })
}

/// Sorts by value. NaN is last in both directions.
fn sorted(mut vectors: Vec<Vector>, descending: bool) -> Vec<Vector> {
    for vector in &mut vectors {
        vector.sort_by(|a, b| {
            let order = a.value.partial_cmp(&b.value).unwrap_or(std::cmp::Ordering::Equal);
            let order = if descending { order.reverse() } else { order };
            a.value.is_nan().cmp(&b.value.is_nan()).then(order)
        });
    }
    vectors
}
