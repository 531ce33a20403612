//! Which samples selectors see.

use super::super::regex;
use super::super::syntax::{Expr, MatchOp, Matcher, Query, Selector};
use super::error::EvalError;
use super::labels::{Labels, METRIC_NAME};
use super::operand::{Matrix, window};
use super::plan::{Shift, Steps};
use super::pool::{Pool, Sample, Vector};
use super::series::{Point, Store};
use super::settings::{Dialect, Settings};

/// A matcher that is ready to compare.
struct Test<'q> {
    label: &'q str,
    value: &'q str,
    pattern: Option<::regex::Regex>,
    /// Whether it selects what does not match.
    negative: bool,
}

impl<'q> Test<'q> {
    fn new(matcher: &'q Matcher, dialect: Dialect) -> Result<Self, EvalError> {
        let value = matcher.value.value.as_str();
        let pattern = match matcher.op {
            MatchOp::Equal | MatchOp::NotEqual => None,
            MatchOp::Regex | MatchOp::NotRegex => Some(compiled(value, dialect)?),
        };
        let negative = matches!(matcher.op, MatchOp::NotEqual | MatchOp::NotRegex);
        Ok(Self { label: &matcher.label.value, value, pattern, negative })
    }

    fn takes(&self, labels: &Labels) -> bool {
        let value = labels.get(self.label);
        let same = match &self.pattern {
            Some(pattern) => pattern.is_match(value),
            None => value == self.value,
        };
        same != self.negative
    }
}

fn compiled(pattern: &str, dialect: Dialect) -> Result<::regex::Regex, EvalError> {
    regex::compiled(pattern, dialect == Dialect::Three)
        .ok_or_else(|| EvalError::unsupported("a regular expression is too large"))
}

/// What a series has to pass to be selected.
fn tests(selector: &Selector, dialect: Dialect) -> Result<Vec<Test<'_>>, EvalError> {
    let tests = selector.matchers.iter().map(|matcher| Test::new(matcher, dialect));
    let mut tests: Vec<Test> = tests.collect::<Result<_, _>>()?;
    if let Some(name) = &selector.name {
        let (label, value) = (METRIC_NAME, name.value.as_str());
        tests.insert(0, Test { label, value, pattern: None, negative: false });
    }
    Ok(tests)
}

/// Removes the series that a query selects, and returns how many there were. None: the query is
/// more than a selector.
pub(crate) fn remove(store: &mut Store, query: &Query) -> Result<Option<usize>, EvalError> {
    let Expr::Selector(selector) = &query.node(query.root()).expr else { return Ok(None) };
    if !selector.modifiers.is_empty() {
        return Ok(None);
    }
    let tests = tests(selector, Dialect::Three)?;
    let before = store.len();
    store.retain(|labels| !tests.iter().all(|test| test.takes(labels)));
    Ok(Some(before - store.len()))
}

/// The series that a selector selects.
fn selected<'s>(
    pool: &mut Pool,
    store: &'s Store,
    selector: &Selector,
    dialect: Dialect,
) -> Result<Vec<(&'s Labels, &'s [Point])>, EvalError> {
    let tests = tests(selector, dialect)?;
    pool.charge(store.len() as u64)?;
    let is_selected = |(labels, _): &(&Labels, &[Point])| tests.iter().all(|t| t.takes(labels));
    let found: Vec<_> = store.iter().filter(is_selected).collect();
    let patterns = tests.iter().filter(|test| test.pattern.is_some()).count();
    pool.charge((store.len() * patterns) as u64)?;
    Ok(found)
}

/// What is read of the sample that a selector finds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Value,
    Time,
}

/// For each step, the newest sample of each series, unless it is too old.
pub(super) fn instant(
    pool: &mut Pool,
    store: &Store,
    settings: &Settings,
    selector: &Selector,
    (steps, reading): (Steps, Reading),
) -> Result<Vec<Vector>, EvalError> {
    let shift = Shift::new(&selector.modifiers, settings.time);
    let mut vectors: Vec<Vector> = steps.times().map(|_| Vector::new()).collect();
    for (labels, points) in selected(pool, store, selector, settings.dialect)? {
        pool.charge(steps.count())?;
        let id = pool.intern(labels.clone())?;
        for (vector, step) in vectors.iter_mut().zip(steps.times()) {
            let time = shift.from(step);
            let start = time.saturating_sub(settings.lookback);
            let newest = window(points, start, time, settings.dialect).last();
            let Some(point) = newest.filter(|point| !point.is_stale()) else { continue };
            let value = if reading == Reading::Value { point.value } else { seconds(point.time) };
            vector.push(Sample { labels: id, value });
        }
    }
    Ok(vectors)
}

#[allow(clippy::cast_precision_loss, reason = "as Prometheus does")]
pub(super) fn seconds(milliseconds: i64) -> f64 {
    milliseconds as f64 / 1000.0
}

/// The samples that the windows of all steps see.
pub(super) fn range(
    pool: &mut Pool,
    store: &Store,
    settings: &Settings,
    selector: &Selector,
    (steps, reach): (Steps, i64),
) -> Result<Matrix, EvalError> {
    let shift = Shift::new(&selector.modifiers, settings.time);
    let dialect = settings.dialect;
    let (start, end) = (shift.from(steps.start).saturating_sub(reach), shift.from(steps.end));
    let mut series = Vec::new();
    for (labels, points) in selected(pool, store, selector, dialect)? {
        let points = window(points, start, end, dialect);
        pool.charge(points.len() as u64)?;
        let points: Vec<Point> = points.iter().filter(|p| !p.is_stale()).copied().collect();
        if !points.is_empty() {
            series.push((pool.intern(labels.clone())?, points));
        }
    }
    Ok(Matrix { series, reach, shift, dialect })
}
