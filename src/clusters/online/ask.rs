//! Which questions a server is asked about a query.

use std::time::Instant;

use crate::cluster::Exposure;
use crate::go::quoted;
use crate::metrics::{QueryError, Source};
use crate::promql::{CLUSTER_ID, Expr, MatchOp, Matcher, NodeId, Query, Selector};
use crate::text::Failure;

use super::asker::Asker;
use super::words::answer_in_words;
use super::{Asked, AskedQuery, AskedSelector, Missing, Presence, QuestionLimits};

/// Asks a server about distinct queries. The error says why it does not answer.
pub fn ask<'q>(
    source: &Source,
    queries: impl IntoIterator<Item = (&'q str, &'q Query)>,
    limits: QuestionLimits,
) -> Result<Asked, Failure> {
    let mut asker = Asker::new(source, limits);
    asker.greet()?;
    let mut answers = Asked::default();
    for (text, query) in queries {
        if !answers.queries.contains_key(text) {
            let answer = about_query(&mut asker, text, query)?;
            answers.queries.insert(text.to_owned(), answer);
        }
    }
    answers.questions = asker.questions;
    Ok(answers)
}

fn about_query(asker: &mut Asker<'_>, text: &str, query: &Query) -> Result<AskedQuery, Failure> {
    let started = Instant::now();
    let answer = asker.ask(text)?;
    let took = started.elapsed();
    // The server cannot read parts of a query either if it cannot read the query.
    let is_read = !matches!(&answer, Err(QueryError::Refused { kind, .. }) if kind == "bad_data");
    let selectors = query.nodes().filter_map(|(id, node)| match &node.expr {
        Expr::Selector(selector) if is_read => Some((id, selector)),
        _ => None,
    });
    let selectors = selectors.map(|(id, selector)| about_selector(asker, text, id, selector));
    let selectors = selectors.collect::<Result<_, _>>()?;
    let words = answer_in_words(&answer);
    let exposure = Exposure::of_answer(answer, asker.time());
    let exposure = exposure.map_err(|error| Failure::new(error.to_string()))?;
    Ok(AskedQuery { exposure, answer: words, took, selectors })
}

fn about_selector(
    asker: &mut Asker<'_>,
    text: &str,
    node: NodeId,
    selector: &Selector,
) -> Result<AskedSelector, Failure> {
    let written = |matcher: &Matcher| text.get(matcher.range.clone()).unwrap_or_default();
    let Some(metric) = selector.metric() else {
        let matchers: Vec<&str> = selector.matchers.iter().map(written).collect();
        let series = asker.series(&format!("{{{}}}", matchers.join(",")))?;
        return Ok(AskedSelector { node, metric: None, series, missing: Vec::new() });
    };
    let with = |matchers: &[&str]| {
        let name = format!("__name__={}", quoted(metric));
        format!("{{{}}}", [&[name.as_str()][..], matchers].concat().join(","))
    };
    let presence = asker.presence(&with(&[]))?;
    if !matches!(presence, Presence::Now(_)) {
        let missing = Vec::new();
        return Ok(AskedSelector { node, metric: Some(presence), series: 0, missing });
    }
    let mut missing = Vec::new();
    for (index, matcher) in selector.matchers.iter().enumerate() {
        if let Some(lack) = about_matcher(asker, text, matcher, with)? {
            missing.push((index, lack));
        }
    }
    let matchers = selector.matchers.iter().filter(|matcher| !is_name(matcher));
    let matchers: Vec<&str> = matchers.map(written).collect();
    let series = asker.series(&with(&matchers))?;
    Ok(AskedSelector { node, metric: Some(presence), series, missing })
}

/// What is missing from all series of the metric. `with` adds matchers to its name.
fn about_matcher(
    asker: &mut Asker<'_>,
    text: &str,
    matcher: &Matcher,
    with: impl Fn(&[&str]) -> String,
) -> Result<Option<Missing>, Failure> {
    // The names of the clusters on a server say nothing about the query.
    if is_name(matcher) || matcher.label.value == CLUSTER_ID || expects_no_label(matcher) {
        return Ok(None);
    }
    let label = text.get(matcher.label.range.clone()).unwrap_or_default();
    let has_label = format!("{label}!=\"\"");
    if asker.presence(&with(&[&has_label]))? == Presence::Never {
        let labels = asker.labels(&format!("topk(1, {})", with(&[])))?;
        let names = labels.iter().flat_map(|labels| labels.iter().map(|(name, _)| name.to_owned()));
        return Ok(Some(Missing::Label(names.filter(|name| name != "__name__").collect())));
    }
    let written = text.get(matcher.range.clone()).unwrap_or_default();
    if !demands_a_value(matcher) || asker.presence(&with(&[written]))? != Presence::Never {
        return Ok(None);
    }
    let values = asker.labels(&format!("topk(6, count by ({label}) ({}))", with(&[&has_label])))?;
    let values = values.iter().map(|labels| labels.get(&matcher.label.value).to_owned());
    let mut values: Vec<String> = values.collect();
    values.sort_unstable();
    Ok(Some(Missing::Value(values)))
}

fn is_name(matcher: &Matcher) -> bool {
    matcher.label.value == "__name__"
}

fn expects_no_label(matcher: &Matcher) -> bool {
    matcher.op == MatchOp::Equal && matcher.value.value.is_empty()
}

/// Whether a matcher requires one of some values. A pattern that is too large is ignored.
fn demands_a_value(matcher: &Matcher) -> bool {
    matches!(matcher.op, MatchOp::Equal | MatchOp::Regex)
        && matcher.admits("", true).is_ok_and(|takes_absence| !takes_absence)
}
