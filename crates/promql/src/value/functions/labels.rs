//! `label_replace` and `label_join`.

use super::super::super::dialect::Dialect;
use super::super::super::regex;
use super::super::aggregate::is_label;
use super::super::error::EvalError;
use super::super::labels::Labels;
use super::super::pool::{Pool, Vector};
use super::super::relabeling::Relabeling;
use super::Arguments;
use super::label_text::{LONGEST, expanded};

pub(super) fn label_replace(
    pool: &mut Pool,
    arguments: &mut Arguments,
) -> Result<Vec<Vector>, EvalError> {
    let vectors = arguments.vectors(0);
    // Prometheus notices mistakes only if it has a step to evaluate.
    if vectors.is_empty() {
        return Ok(vectors);
    }
    let dialect = arguments.settings.dialect;
    let (target, replacement) = (arguments.text(1), arguments.text(2));
    let (source, pattern) = (arguments.text(3), arguments.text(4));
    let ready = regex::ready(pattern).map_err(|_| {
        let words = format!("invalid regular expression in label_replace(): {pattern}");
        EvalError::execution(words)
    })?;
    check_label(target, "destination", "label_replace", dialect)?;
    relabeled(pool, vectors, |labels| {
        let found = ready.groups(labels.get(source), dialect == Dialect::Three)?;
        let Some(found) = found else { return Ok(labels.clone()) };
        let value = expanded(replacement, &found).ok_or_else(too_long)?;
        Ok(labels.with(target, &value))
    })
}

/// The text that `label_replace` makes of a text. None if the pattern does not match.
pub fn label_replaced(
    pattern: &str,
    text: &str,
    replacement: &str,
) -> Result<Option<String>, EvalError> {
    let ready = regex::ready(pattern).map_err(|_| EvalError::unsupported("the pattern"))?;
    let found = ready.groups(text, true)?;
    found.map(|found| expanded(replacement, &found).ok_or_else(too_long)).transpose()
}

pub(super) fn label_join(
    pool: &mut Pool,
    arguments: &mut Arguments,
) -> Result<Vec<Vector>, EvalError> {
    let vectors = arguments.vectors(0);
    // Prometheus notices mistakes only if it has a step to evaluate.
    if vectors.is_empty() {
        return Ok(vectors);
    }
    let dialect = arguments.settings.dialect;
    let (target, separator) = (arguments.text(1), arguments.text(2));
    let sources: Vec<&str> = (3..arguments.operands.len()).map(|at| arguments.text(at)).collect();
    for source in &sources {
        check_label(source, "source", "label_join", dialect)?;
    }
    check_label(target, "destination", "label_join", dialect)?;
    relabeled(pool, vectors, |labels| {
        let values: Vec<&str> = sources.iter().map(|source| labels.get(source)).collect();
        let length: usize = values.iter().map(|value| value.len() + separator.len()).sum();
        if length > LONGEST {
            return Err(too_long());
        }
        Ok(labels.with(target, &values.join(separator)))
    })
}

fn too_long() -> EvalError {
    EvalError::unsupported(format!("a label's value is longer than {} KiB", LONGEST >> 10))
}

fn check_label(name: &str, role: &str, by: &str, dialect: Dialect) -> Result<(), EvalError> {
    if is_label(name, dialect) {
        return Ok(());
    }
    Err(EvalError::execution(format!("invalid {role} label name in {by}(): {name}")))
}

fn relabeled(
    pool: &mut Pool,
    mut vectors: Vec<Vector>,
    change: impl Fn(&Labels) -> Result<Labels, EvalError>,
) -> Result<Vec<Vector>, EvalError> {
    let mut relabeling = Relabeling::new(vectors.len(), |pool, id| {
        let changed = change(pool.labels(id))?;
        pool.intern(&changed)
    });
    for vector in &mut vectors {
        pool.charge(vector.len() as u64)?;
        for sample in vector.iter_mut() {
            sample.labels = relabeling.of(pool, sample.labels)?;
        }
        pool.expect_unique(vector)?;
    }
    Ok(vectors)
}
