//! Quantiles of classic histograms, whose buckets are series with the label `le`.

use super::super::super::dialect::Dialect;
use super::super::error::EvalError;
use super::super::labels::LabelsPart;
use super::super::marks::Marks;
use super::super::pool::{LabelsId, Pool, Sample, Vector};
use super::Arguments;

/// The label of a bucket's upper bound.
const BOUND: &str = "le";

#[derive(Clone, Copy, Debug)]
struct Bucket {
    bound: f64,
    count: f64,
}

pub(super) fn quantile(
    pool: &mut Pool,
    arguments: &mut Arguments,
) -> Result<Vec<Vector>, EvalError> {
    let mut quantiles = Vec::new();
    for (step, vector) in arguments.vectors(1).into_iter().enumerate() {
        let q = arguments.scalar(0, step).unwrap_or(f64::NAN);
        let mut vector_of_quantiles = Vector::new();
        for (labels, buckets) in histograms(pool, &vector)? {
            let value = bucket_quantile(q, buckets, arguments.settings.dialect);
            vector_of_quantiles
                .push(Sample { labels: pool.part(labels, &LabelsPart::Unnamed)?, value });
        }
        pool.expect_unique(&vector_of_quantiles)?;
        quantiles.push(vector_of_quantiles);
    }
    Ok(quantiles)
}

/// Evaluates `histogram_fraction`. Prometheus 2 and the first releases of 3 ignore classic
/// histograms.
pub(super) fn fraction(
    pool: &mut Pool,
    arguments: &mut Arguments,
) -> Result<Vec<Vector>, EvalError> {
    let vectors = arguments.vectors(2);
    for vector in &vectors {
        if arguments.settings.dialect == Dialect::Three && !histograms(pool, vector)?.is_empty() {
            return Err(EvalError::unsupported(
                "versions of Prometheus differ on `histogram_fraction` of classic histograms",
            ));
        }
    }
    Ok(vectors.iter().map(|_| Vector::new()).collect())
}

/// The histograms of a vector: their labels without the bound, and their buckets.
fn histograms(
    pool: &mut Pool,
    vector: &[Sample],
) -> Result<Vec<(LabelsId, Vec<Bucket>)>, EvalError> {
    pool.charge(vector.len() as u64)?;
    let (mut places, unbounded) = (Marks::default(), LabelsPart::Without(vec![BOUND]));
    let mut histograms: Vec<(LabelsId, Vec<Bucket>)> = Vec::new();
    for sample in vector {
        let bound = pool.labels(sample.labels).get(BOUND).parse::<f64>();
        let Ok(bound) = bound else { continue };
        // Two metrics with the same labels are two histograms. Their quantiles have no names, so
        // they would be the same series, and the query fails.
        let labels = pool.part(sample.labels, &unbounded)?;
        let at = places.place(labels, histograms.len());
        if at == histograms.len() {
            histograms.push((labels, Vec::new()));
        }
        histograms[at].1.push(Bucket { bound, count: sample.value });
    }
    Ok(histograms)
}

fn bucket_quantile(q: f64, buckets: Vec<Bucket>, dialect: Dialect) -> f64 {
    if q.is_nan() {
        return f64::NAN;
    }
    if q < 0.0 {
        return f64::NEG_INFINITY;
    }
    if q > 1.0 {
        return f64::INFINITY;
    }
    let buckets = cumulative(buckets, dialect);
    let [lower @ .., last] = buckets.as_slice() else { return f64::NAN };
    let Some(second_last) = lower.last() else { return f64::NAN };
    if last.bound != f64::INFINITY || last.count == 0.0 {
        return f64::NAN;
    }
    let mut rank = q * last.count;
    // This is Go's binary search, which also ends if NaN counts break the order.
    let (mut from, mut to) = (0, lower.len());
    while from < to {
        let middle = from.midpoint(to);
        if lower[middle].count >= rank { to = middle } else { from = middle + 1 }
    }
    let Some(bucket) = lower.get(from) else { return second_last.bound };
    let Some(before) = from.checked_sub(1).and_then(|at| lower.get(at)) else {
        if bucket.bound <= 0.0 {
            return bucket.bound;
        }
        return bucket.bound * (rank / bucket.count);
    };
    rank -= before.count;
    before.bound + (bucket.bound - before.bound) * (rank / (bucket.count - before.count))
}

/// Sorts the buckets by bound, merges equal bounds, and makes the counts monotonic.
fn cumulative(mut buckets: Vec<Bucket>, dialect: Dialect) -> Vec<Bucket> {
    buckets.sort_by(|a, b| a.bound.total_cmp(&b.bound));
    let mut merged: Vec<Bucket> = Vec::with_capacity(buckets.len());
    for bucket in buckets {
        match merged.last_mut() {
            Some(last) if last.bound == bucket.bound => last.count += bucket.count,
            _ => merged.push(bucket),
        }
    }
    let mut most = merged.first().map_or(0.0, |first| first.count);
    for bucket in merged.iter_mut().skip(1) {
        // Prometheus 3 treats tiny differences as rounding errors.
        let is_same = dialect == Dialect::Three && almost_equal(bucket.count, most);
        if bucket.count > most && !is_same {
            most = bucket.count;
        } else if bucket.count < most || is_same {
            bucket.count = most;
        }
    }
    merged
}

fn almost_equal(a: f64, b: f64) -> bool {
    let (size, difference) = (a.abs() + b.abs(), (a - b).abs());
    a == b || size > 0.0 && difference / size.min(f64::MAX) < 1e-12
}
