//! Shared code for the rules about queries: one finding for each distinct query, no matter
//! how many files contain it, and the mapping from a query's bytes to a file's bytes.

use std::ops::Range;

use crate::coverage::{Coverage, ProofVerdict, Rarity, Witness};
use crate::graph_data::{BlockedEdge, GraphData, Reading};
use crate::online::{Asked, AskedQuery};
use crate::promql::{self, Answer, CLUSTER_ID, Expr, MatchOp, Matcher, Query, Selector, Values};
use crate::rules::shared::words::subjects;
use crate::rules::{Finding, Rule, Severity};

/// Something wrong in a query.
#[derive(Clone, Debug, Default)]
pub(super) struct QueryFault {
    /// Its place in the query.
    pub(super) range: Range<usize>,
    /// What is wrong, and what it causes.
    pub(super) message: String,
    /// What to do.
    pub(super) help: String,
    /// Other places in the query that belong to it, and why.
    pub(super) related: Vec<(Range<usize>, String)>,
    /// Its severity, if it is not the rule's.
    pub(super) severity: Option<Severity>,
}

/// Reports the faults that `faults` finds in each valid query.
pub(super) fn check_queries(
    rule: &'static Rule,
    data: &GraphData,
    findings: &mut Vec<Finding>,
    faults: impl Fn(&Reading, &Query, &Answer) -> Vec<QueryFault>,
) {
    for reading in data.queries.all() {
        if let Ok((query, answer)) = reading.query.as_ref() {
            // A query with more faults than this is not a real query.
            let faults = faults(reading, query, answer).into_iter().take(20);
            findings.extend(faults.filter_map(|fault| query_finding(rule, data, reading, &fault)));
        }
    }
}

/// Reports the faults that `faults` finds in the answers of each valid query on clusters.
pub(super) fn check_coverage(
    rule: &'static Rule,
    data: &GraphData,
    findings: &mut Vec<Finding>,
    faults: impl Fn(&Covered<'_>) -> Vec<QueryFault>,
) {
    check_queries(rule, data, findings, |reading, query, answer| {
        let coverage = data.queries.coverage(reading);
        coverage
            .map_or_else(Vec::new, |coverage| faults(&Covered { reading, query, answer, coverage }))
    });
}

/// A valid query, and its answers on clusters.
pub(super) struct Covered<'a> {
    pub(super) reading: &'a Reading,
    pub(super) query: &'a Query,
    /// The conclusions from its text alone.
    pub(super) answer: &'a Answer,
    pub(super) coverage: &'a Coverage,
}

impl Covered<'_> {
    /// Whether it returns 0 on no cluster.
    pub(super) fn never_returns_zero(&self) -> bool {
        let values = self.answer.shape.as_ref().map(|shape| &shape.values);
        // Other rules report queries that can only return 0 and queries that count.
        let lacks_zero = values.is_some_and(|values| {
            matches!(values, Values::Only(list) if !list.is_empty()) && values.lacks(0.0)
        });
        let coverage = self.coverage;
        !coverage.zero && (lacks_zero || coverage.is_complete && coverage.one)
    }

    /// Whether its answers are known only from its text, because the clusters were not decided.
    pub(super) fn is_open(&self) -> bool {
        self.coverage.verdict == ProofVerdict::NotDecided
    }
}

/// The severity of a query that goes wrong on a cluster.
pub(super) fn severity_of(witness: &Witness) -> Severity {
    match witness.rarity {
        Rarity::Common => Severity::Error,
        Rarity::Rare => Severity::Warning,
        Rarity::Passing => Severity::Info,
    }
}

/// Reports the faults that `faults` finds in the answers of a server to each query.
pub(super) fn check_asked(
    rule: &'static Rule,
    data: &GraphData,
    asked: &Asked,
    findings: &mut Vec<Finding>,
    faults: impl Fn(&Reading, &Query, &AskedQuery) -> Vec<QueryFault>,
) {
    check_queries(rule, data, findings, |reading, query, _| {
        asked.query(&reading.text).map_or_else(Vec::new, |said| faults(reading, query, said))
    });
}

/// The selector of a node, and the place of its metric's name.
pub(super) fn named_selector(
    query: &Query,
    id: promql::NodeId,
) -> Option<(&Selector, Range<usize>)> {
    let Expr::Selector(selector) = &query.node(id).expr else { return None };
    let metric = selector.metric()?;
    let name = selector.name.as_ref().map(|name| name.range.clone());
    let named = |matcher: &&Matcher| matcher.value.value == metric;
    let range = name.or_else(|| Some(selector.matchers.iter().find(named)?.range.clone()))?;
    Some((selector, range))
}

/// The declarations with a query.
pub(super) fn declarations<'a>(
    data: &'a GraphData,
    reading: &Reading,
) -> impl Iterator<Item = &'a BlockedEdge> {
    // A file can have the query in several rules.
    let in_files = reading.places.chunk_by(|(one, _), (next, _)| one == next);
    let files = in_files.filter_map(|places| places.first().map(|(file, _)| *file));
    files.filter_map(|file| data.blocked_edges.find(&file, |edge| edge.file)).map(|edge| &**edge)
}

/// The finding for a fault. It is in the first file with the query, and the other files are related
/// places.
pub(super) fn query_finding(
    rule: &'static Rule,
    data: &GraphData,
    reading: &Reading,
    fault: &QueryFault,
) -> Option<Finding> {
    let first = reading.places.first()?;
    let part = visible_part(reading, &fault.range);
    let mut spans = data.spans_within(&reading.places, &part).into_iter();
    let part = reading.text.get(fault.range.clone()).unwrap_or_default();
    let risks = subjects(declarations(data, reading));
    let mut finding = Finding::at(rule, spans.next()?, &fault.message)
        .help(&fault.help)
        .grouped(format!("{risks}: {part}"));
    finding.severity = fault.severity.unwrap_or(finding.severity);
    for (range, message) in &fault.related {
        let (file, node) = *first;
        finding =
            finding.related(data.span_within(file, node, visible_part(reading, range)), message);
    }
    for span in spans {
        finding = finding.copy(span, "the same query is here");
    }
    Some(finding)
}

/// The place of a part of a query. An empty part, where something is missing, becomes the character
/// before it.
fn visible_part(reading: &Reading, part: &Range<usize>) -> Range<usize> {
    if !part.is_empty() {
        return part.clone();
    }
    let before = reading.text.get(..part.start).unwrap_or_default().trim_end();
    let last = before.chars().next_back().map_or(0, char::len_utf8);
    before.len() - last..before.len()
}

/// How many selectors have `_id`, and a fault with an empty message for each of the others.
pub(super) fn selectors_by_cluster_id(
    reading: &Reading,
    query: &Query,
) -> (usize, Vec<QueryFault>) {
    let mut with = 0;
    let mut without = Vec::new();
    for (_, node) in query.nodes() {
        let Expr::Selector(selector) = &node.expr else { continue };
        if names_cluster(reading, selector) {
            with += 1;
        } else {
            without.push(QueryFault { range: node.range.clone(), ..QueryFault::default() });
        }
    }
    (with, without)
}

/// Whether a selector has `_id`. Hosted control planes replace the exact text `_id=""`, so no other
/// notation of an empty `_id` counts.
fn names_cluster(reading: &Reading, selector: &Selector) -> bool {
    selector.matchers.iter().any(|matcher| {
        let written = reading.text.get(matcher.range.clone()).unwrap_or_default();
        matcher.label.value == CLUSTER_ID
            && (matcher.op != MatchOp::Equal
                || !matcher.value.value.is_empty()
                || written == "_id=\"\"")
    })
}

/// A sentence with a capital letter at its start.
pub(super) fn capital(sentence: &str) -> String {
    let mut characters = sentence.chars();
    let first = characters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}
