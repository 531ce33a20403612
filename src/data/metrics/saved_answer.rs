//! Answers of Prometheus's API, saved to a file, as the series of a cluster.

use crate::promql::{Inserted, Point};
use crate::text::Failure;

use super::api::{self, ApiAnswer, Reply};
use super::series::Series;

/// The series of an answer, and a note about them. Series of `/api/v1/series` have no values and no
/// times: each gets the value 1 at `now`. Without `time`, the time of the query is that of the
/// newest sample.
pub fn series(
    text: &str,
    time: Option<i64>,
    now: i64,
) -> Result<(Series, Option<String>), Failure> {
    let mut series = Series::default();
    let mut note = None;
    let Reply { answer, warnings } = api::read(text)?;
    if !warnings.is_empty() {
        let words = api::quoted(&warnings);
        return Err(Failure::new(format!(
            "it may be only a part, because the server warned {words}"
        )));
    }
    let sets = match answer {
        ApiAnswer::Vector(samples) => {
            samples.into_iter().map(|(labels, point)| (labels, vec![point])).collect()
        }
        ApiAnswer::Matrix(sets) => sets,
        ApiAnswer::Series(sets) => {
            note = Some("these series have no values, so each counts as 1".to_owned());
            let point = Point { time: time.unwrap_or(now), value: 1.0 };
            sets.into_iter().map(|labels| (labels, vec![point])).collect()
        }
        ApiAnswer::Error { kind, words } => {
            return Err(Failure::new(format!("it is an error: {kind}: {words}")));
        }
        ApiAnswer::Scalar(_) | ApiAnswer::Text(_) => return Err("it has no series".into()),
    };
    let mut newest = None;
    for (labels, points) in sets {
        for point in points {
            newest = newest.max(Some(point.time));
            if series.store.insert(labels.clone(), point) == Inserted::Conflict {
                return Err(Failure::new(format!(
                    "the series {labels} has two values at one time"
                )));
            }
        }
    }
    series.time = time.or(newest).unwrap_or(now);
    Ok((series, note))
}
