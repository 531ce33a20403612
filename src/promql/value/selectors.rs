//! Which samples selectors see.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::regex;
use super::super::syntax::{Expr, MatchOp, Matcher, Query, Selector};
use super::error::EvalError;
use super::labels::{Labels, METRIC_NAME};
use super::operand::{Matrix, window};
use super::plan::{Shift, Steps};
use super::pool::{Pool, Sample, Vector};
use super::series::{Point, Store};
use super::settings::{Dialect, Settings};

/// What a series has to pass to be selected. Tests that only compare texts come first.
struct Tests<'q>(Vec<Test<'q>>);

/// A matcher that is ready to compare.
struct Test<'q> {
    label: &'q str,
    value: &'q str,
    /// Compiled when the first series needs it.
    pattern: Option<LazyPattern>,
    /// Whether it selects what does not match.
    negative: bool,
}

struct LazyPattern {
    dialect: Dialect,
    compiled: Option<Arc<::regex::Regex>>,
}

impl<'q> Test<'q> {
    fn new(matcher: &'q Matcher, dialect: Dialect) -> Self {
        let is_pattern = matches!(matcher.op, MatchOp::Regex | MatchOp::NotRegex);
        let negative = matches!(matcher.op, MatchOp::NotEqual | MatchOp::NotRegex);
        Self {
            label: &matcher.label.value,
            value: &matcher.value.value,
            pattern: is_pattern.then_some(LazyPattern { dialect, compiled: None }),
            negative,
        }
    }

    fn takes(&mut self, labels: &Labels) -> Result<bool, EvalError> {
        let value = labels.get(self.label);
        let same = match &mut self.pattern {
            Some(pattern) => pattern.of(self.value)?.is_match(value),
            None => value == self.value,
        };
        Ok(same != self.negative)
    }
}

impl LazyPattern {
    fn of(&mut self, text: &str) -> Result<&::regex::Regex, EvalError> {
        if self.compiled.is_none() {
            self.compiled = regex::compiled(text, self.dialect == Dialect::Three);
        }
        let too_large = || EvalError::unsupported("a regular expression is too large");
        self.compiled.as_deref().ok_or_else(too_large)
    }
}

impl<'q> Tests<'q> {
    fn new(selector: &'q Selector, dialect: Dialect) -> Self {
        let matchers = selector.matchers.iter().map(|matcher| Test::new(matcher, dialect));
        let name = selector.name.as_ref().map(|name| {
            let value = name.value.as_str();
            Test { label: METRIC_NAME, value, pattern: None, negative: false }
        });
        let mut tests: Vec<Test> = name.into_iter().chain(matchers).collect();
        tests.sort_by_key(|test| test.pattern.is_some());
        Self(tests)
    }

    fn take(&mut self, labels: &Labels) -> Result<bool, EvalError> {
        for test in &mut self.0 {
            if !test.takes(labels)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Removes the series that a query selects, and returns how many there were. None: the query is
/// more than a selector.
pub(crate) fn remove(store: &mut Store, query: &Query) -> Result<Option<usize>, EvalError> {
    let Expr::Selector(selector) = &query.node(query.root()).expr else { return Ok(None) };
    if !selector.modifiers.is_empty() {
        return Ok(None);
    }
    let mut tests = Tests::new(selector, Dialect::Three);
    let mut selected = HashSet::new();
    for (labels, _) in store.iter() {
        if tests.take(labels)? {
            selected.insert(labels.clone());
        }
    }
    store.retain(|labels| !selected.contains(labels));
    Ok(Some(selected.len()))
}

/// The series that a selector selects.
fn selected<'s>(
    pool: &mut Pool,
    store: &'s Store,
    selector: &Selector,
    dialect: Dialect,
) -> Result<Vec<(&'s Labels, &'s [Point])>, EvalError> {
    let mut tests = Tests::new(selector, dialect);
    let patterns = tests.0.iter().filter(|test| test.pattern.is_some()).count();
    let cost = 1 + patterns as u64;
    let mut found = Vec::new();
    let mut look_at = |(labels, points)| {
        pool.charge(cost)?;
        if tests.take(labels)? {
            found.push((labels, points));
        }
        Ok(())
    };
    // `{__name__=""}` is a series without a name.
    match selector.metric().filter(|name| !name.is_empty()) {
        Some(name) => store.of_metric(name).try_for_each(&mut look_at)?,
        None => store.iter().try_for_each(&mut look_at)?,
    }
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
