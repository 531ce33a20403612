//! The samples that selectors find.

use std::borrow::Cow;
use std::collections::HashSet;

use super::super::dialect::Dialect;
use super::super::regex::TooLarge;
use super::super::syntax::{Expr, Query, Selector};
use super::error::EvalError;
use super::labels::Labels;
use super::operand::{Matrix, newest, window};
use super::plan::{Shift, Steps};
use super::pool::{Pool, Sample, Vector};
use super::series::{Point, Store};
use super::settings::Settings;

/// Whether a selector selects a series of its metric.
fn selects(selector: &Selector, labels: &Labels, dialect: Dialect) -> Result<bool, TooLarge> {
    // Matchers without patterns are faster, so they come first.
    for has_pattern in [false, true] {
        for matcher in selector.matchers.iter().filter(|m| m.pattern.is_some() == has_pattern) {
            let value = labels.get(&matcher.label.value);
            if !matcher.admits(value, dialect == Dialect::Three)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Removes the series that a query selects, and returns their number. None if the query is not just
/// a selector.
pub fn remove_selected(store: &mut Store, query: &Query) -> Result<Option<usize>, EvalError> {
    let Expr::Selector(selector) = &query.node(query.root()).expr else { return Ok(None) };
    if !selector.modifiers.is_empty() {
        return Ok(None);
    }
    let mut selected = HashSet::new();
    for (labels, _) in among(store, selector) {
        if selects(selector, labels, Dialect::Three)? {
            selected.insert(labels.clone());
        }
    }
    store.retain(|labels| !selected.contains(labels));
    Ok(Some(selected.len()))
}

/// Calls a function with each series that a selector selects.
fn for_each_selected<'s>(
    pool: &mut Pool,
    store: &'s Store,
    selector: &Selector,
    dialect: Dialect,
    mut with: impl FnMut(&mut Pool, &'s Labels, &'s [Point]) -> Result<(), EvalError>,
) -> Result<(), EvalError> {
    let patterns = selector.matchers.iter().filter(|matcher| matcher.pattern.is_some()).count();
    let cost = 1 + patterns as u64;
    pool.charge(store.out_of_place() as u64)?;
    let mut look_at = |(labels, points)| {
        pool.charge(cost)?;
        if selects(selector, labels, dialect)? { with(pool, labels, points) } else { Ok(()) }
    };
    among(store, selector).try_for_each(&mut look_at)
}

/// The series that a selector may select: those of its metric.
fn among<'s>(
    store: &'s Store,
    selector: &Selector,
) -> impl Iterator<Item = (&'s Labels, &'s [Point])> {
    // `{__name__=""}` selects series without a name.
    let metric = selector.metric().filter(|name| !name.is_empty());
    let all = metric.is_none().then(|| store.iter()).into_iter().flatten();
    metric.map(|name| store.of_metric(name)).into_iter().flatten().chain(all)
}

/// What is read from the sample that a selector finds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Value,
    Time,
}

/// For each step, the newest sample of each series that is not too old.
pub(super) fn instant(
    pool: &mut Pool,
    store: &Store,
    settings: &Settings,
    selector: &Selector,
    steps: Steps,
    reading: Reading,
) -> Result<Vec<Vector>, EvalError> {
    let shift = Shift::new(&selector.modifiers, settings.time);
    let mut vectors: Vec<Vector> = steps.times().map(|_| Vector::new()).collect();
    for_each_selected(pool, store, selector, settings.dialect, |pool, labels, points| {
        pool.charge(steps.count)?;
        let id = pool.intern(labels)?;
        for (vector, step) in vectors.iter_mut().zip(steps.times()) {
            let time = shift.from(step);
            let start = time.saturating_sub(settings.lookback);
            let newest = newest(points, start, time, settings.dialect);
            let Some(point) = newest.filter(|point| !point.is_stale()) else { continue };
            let value = if reading == Reading::Value { point.value } else { seconds(point.time) };
            vector.push(Sample { labels: id, value });
        }
        Ok(())
    })?;
    Ok(vectors)
}

#[allow(clippy::cast_precision_loss, reason = "as Prometheus does")]
pub(super) fn seconds(milliseconds: i64) -> f64 {
    milliseconds as f64 / 1000.0
}

/// The samples in the windows of all steps.
pub(super) fn range<'s>(
    pool: &mut Pool,
    store: &'s Store,
    settings: &Settings,
    selector: &Selector,
    steps: Steps,
    reach: i64,
) -> Result<Matrix<'s>, EvalError> {
    let shift = Shift::new(&selector.modifiers, settings.time);
    let dialect = settings.dialect;
    let (start, end) = (shift.from(steps.start).saturating_sub(reach), shift.from(steps.end));
    let mut series = Vec::new();
    for_each_selected(pool, store, selector, dialect, |pool, labels, points| {
        let points = window(points, start, end, dialect);
        pool.charge(points.len() as u64)?;
        let points = without_ends(points);
        if !points.is_empty() {
            series.push((pool.intern(labels)?, points));
        }
        Ok(())
    })?;
    Ok(Matrix { series, reach, shift, dialect })
}

/// The samples without the markers that end series. Most series have none.
fn without_ends(points: &[Point]) -> Cow<'_, [Point]> {
    // Checking all samples is faster than stopping at the first marker.
    let ends = points.iter().fold(false, |ends, point| ends | point.is_stale());
    if ends {
        points.iter().filter(|point| !point.is_stale()).copied().collect()
    } else {
        points.into()
    }
}
