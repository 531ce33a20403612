//! A query that returns nothing on some clusters.

use std::collections::BTreeMap;

use crate::coverage::{Absence, Outcome, Witness};
use crate::domain::Minor;
use crate::graph_data::{BlockedEdge, GraphData, Reading};
use crate::promql::{Expr, Operator, Query};

use super::shared::{Covered, QueryFault, capital, declarations, query_finding, severity_of};
use crate::rules::shared::words::subjects;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Updates};
use crate::text::words::{counted, listed, quoted};

pub(super) static RULE: Rule = Rule {
    code: "EP620",
    name: "no-answer",
    properties: Properties::USUAL,
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a query that answers nothing on some clusters",
    explanation: "\
A cluster that gets no sample cannot tell whether the risk applies: it stays *Unknown*,
the update is not recommended, and after an hour an alert fires. This happens where
every side of an `or` needs a metric that some clusters do not have. What to do depends on
why a cluster does not have it:

- What the metric measures is not installed, such as Ceph. Then the risk does not apply, and
  a last fallback over a metric that every cluster has, such as `cluster_version`, answers 0.
- A capability is off, as Operator Lifecycle Manager can be since 4.15. The fallback asks for
  that: `cluster_version_capability` is 0.
- The cluster does not collect the metric, as with the metrics collection profile `minimal`.
  Then nobody knows whether the risk applies, and *Unknown* is the safe answer.

There is one finding for each missing metric. It names such a cluster: it is an error if many
clusters are like it, and a warning if few are. It is an info if clusters are like it for a
short time, if Unknown is the safe answer, if the risk applies to updates from older minors
that do not have the capability, or if the target is not supported any more.",
    bad: "\
group(ceph_health_status{_id=\"\"} > 0)
or
0 * group(ceph_health_status{_id=\"\"})",
    good: "\
group(ceph_health_status{_id=\"\"} > 0)
or
0 * group(cluster_version{_id=\"\"})",
    check: Check::Promotions(check),
};

/// A query, and a cluster on which it returns nothing.
struct Unanswered<'a> {
    reading: &'a Reading,
    query: &'a Query,
    witness: &'a Witness,
    severity: Severity,
}

fn check(updates: &Updates<'_>, findings: &mut Vec<Finding>) {
    let data = updates.data;
    let mut by_metrics: BTreeMap<&[String], Vec<Unanswered<'_>>> = BTreeMap::new();
    for reading in data.queries.all() {
        let Ok((query, answer)) = reading.query.as_ref() else { continue };
        let Some(coverage) = data.queries.coverage(reading) else { continue };
        let nothing = coverage.witness(|outcome| *outcome == Outcome::NoSample);
        let covered = Covered { reading, query, answer, coverage };
        // If a rule follows, clusters evaluate it when this query returns nothing.
        // `never-unaffected` reports queries that never return 0.
        let is_here = !reading.is_followed && !covered.never_returns_zero();
        let Some(witness) = nothing.filter(|_| is_here) else { continue };
        let severity = severity(updates, reading, query, witness);
        let one = Unanswered { reading, query, witness, severity };
        if witness.lacking.is_empty() {
            findings.extend(alone(updates, &one));
        } else {
            by_metrics.entry(&witness.lacking).or_default().push(one);
        }
    }
    findings.extend(
        by_metrics.iter().filter_map(|(metrics, queries)| of_metrics(updates, metrics, queries)),
    );
}

const EFFECT: &str = "the risk stays Unknown there, and the update is not recommended to them";
const EVERYWHERE: &str = "or on () 0 * group(cluster_version{_id=\"\"})";

/// The finding for a query whose lack of an answer does not come from a missing metric.
fn alone(updates: &Updates<'_>, one: &Unanswered<'_>) -> Option<Finding> {
    let mut help = capital(&one.witness.sentence());
    if is_answered(updates, one, EVERYWHERE) {
        help = format!("{help}. If the risk does not apply there, add `{EVERYWHERE}`");
    }
    let fault = QueryFault {
        range: one.witness.blame.clone(),
        message: format!("on some clusters, this answers nothing: {EFFECT}"),
        help,
        severity: Some(one.severity),
        ..QueryFault::default()
    };
    query_finding(&RULE, updates.data, one.reading, &fault)
}

/// One finding for all queries that need the same missing metrics.
fn of_metrics(
    updates: &Updates<'_>,
    metrics: &[String],
    queries: &[Unanswered<'_>],
) -> Option<Finding> {
    let data = updates.data;
    // The queries with the worst severity come first. Otherwise, the order stays.
    let worst = queries.iter().map(|one| one.severity).max()?;
    let mut ordered: Vec<&Unanswered<'_>> = queries.iter().collect();
    ordered.sort_by_key(|one| one.severity != worst);
    let first = ordered.first()?;
    let names: Vec<&str> = metrics.iter().map(String::as_str).collect();
    let without = listed(&quoted(&names), "or");
    let message = match queries.len() {
        1 => format!("on a cluster without {without}, this answers nothing: {EFFECT}"),
        n => format!(
            "on a cluster without {without}, {} answer nothing: their risks stay Unknown there, and the updates are not recommended to them",
            counted(n, "query"),
        ),
    };
    let fault = QueryFault {
        range: first.witness.blame.clone(),
        message,
        help: advice(updates, metrics, first),
        severity: Some(worst),
        ..QueryFault::default()
    };
    let finding = query_finding(&RULE, data, first.reading, &fault)?;
    let all = queries.iter().flat_map(|one| declarations(data, one.reading));
    let about = format!("{} without {without}", subjects(all));
    Some(ordered[1..].iter().fold(finding.grouped(about), |finding, one| {
        let spans = data.spans_within(&one.reading.places, &one.witness.blame);
        spans
            .into_iter()
            .fold(finding, |finding, span| finding.copy(span, "this query answers nothing, either"))
    }))
}

/// Suggests what to do, depending on why a cluster does not have the metrics.
fn advice(updates: &Updates<'_>, metrics: &[String], one: &Unanswered<'_>) -> String {
    let dictionary = updates.data.queries.dictionary_of(one.reading);
    let absences: Vec<Absence<'_>> =
        metrics.iter().filter_map(|name| dictionary.absence(name)).collect();
    if absences.contains(&Absence::NotScraped) {
        return "such a cluster does not collect the metric, so it cannot know, and Unknown is the safe answer: a fallback of 0 would recommend the update to affected clusters".to_owned();
    }
    if is_about_absence(one.query) {
        return "the query is about something that is missing, so a fallback of 0 would be wrong: say what a cluster without the metric means".to_owned();
    }
    let capability = absences.iter().find_map(|absence| match absence {
        Absence::Capability { name, .. } => Some(*name),
        _ => None,
    });
    let (what, fallback) = match capability {
        Some(name) => (
            format!("if the risk does not apply where the capability {name} is off"),
            format!(
                "or on () 0 * group(cluster_version_capability{{_id=\"\",name=\"{name}\"}} == 0)"
            ),
        ),
        None => ("if the risk does not apply there".to_owned(), EVERYWHERE.to_owned()),
    };
    if is_answered(updates, one, &fallback) {
        format!("{what}, add a last fallback: `{fallback}`")
    } else {
        "add a last fallback over a metric that every cluster has".to_owned()
    }
}

/// Whether a query with a fallback after it always returns something on such a cluster.
fn is_answered(updates: &Updates<'_>, one: &Unanswered<'_>, fallback: &str) -> bool {
    let coverage = one.reading.coverage_with(fallback, &updates.data.queries);
    let Some(coverage) = coverage else { return false };
    let nothing = coverage.witness(|outcome| *outcome == Outcome::NoSample);
    nothing.is_none_or(|still| still.lacking != one.witness.lacking)
}

/// Whether a query tests for the absence of something.
fn is_about_absence(query: &Query) -> bool {
    query.nodes().any(|(_, node)| match &node.expr {
        Expr::Binary(binary) => binary.op.value == Operator::Unless,
        Expr::Call(call) => call.function.name.starts_with("absent"),
        _ => false,
    })
}

/// The severity: an info if nobody can act on it.
fn severity(
    updates: &Updates<'_>,
    reading: &Reading,
    query: &Query,
    witness: &Witness,
) -> Severity {
    let data = updates.data;
    let dictionary = data.queries.dictionary_of(reading);
    let absences: Vec<Absence<'_>> =
        witness.lacking.iter().filter_map(|name| dictionary.absence(name)).collect();
    let without = without(query, witness);
    // The dictionary for the origins omits capabilities that a later minor adds, so this uses the
    // whole dictionary.
    let known = data.queries.dictionary();
    let later: Vec<Absence<'_>> = without.iter().filter_map(|name| known.absence(name)).collect();
    let mut asked = declarations(data, reading).peekable();
    let is_alone = asked.peek().is_none();
    let is_idle = |edge: &BlockedEdge| {
        some_come_later(&later, data, edge) || !can_be_updated_to(updates, edge)
    };
    if absences.contains(&Absence::NotScraped) || !is_alone && asked.all(is_idle) {
        return Severity::Info;
    }
    severity_of(witness)
}

/// Whether one of the capabilities is only in minor versions after those of an edge's origins.
fn some_come_later(absences: &[Absence<'_>], data: &GraphData, edge: &BlockedEdge) -> bool {
    let newest = data.reached(edge).and_then(|reached| reached.last());
    let newest = newest.map(|last| Minor::of(&data.releases.get(last.release).version));
    newest.is_some_and(|newest| {
        absences.iter().any(|absence| {
            matches!(absence, Absence::Capability { since: Some(since), .. } if newest < *since)
        })
    })
}

/// The metrics of a query that a cluster does not have.
fn without<'q>(query: &'q Query, witness: &Witness) -> Vec<&'q str> {
    let has = |name: &str| {
        witness.series.iter().any(|line| {
            let rest = line.strip_prefix(name);
            rest.is_some_and(|rest| rest.starts_with(['{', ' ']))
        })
    };
    query.metrics().filter(|name| !has(name)).collect()
}

/// Whether a supported cluster can be offered an update to the target.
fn can_be_updated_to(updates: &Updates<'_>, edge: &BlockedEdge) -> bool {
    let data = updates.data;
    let (Some(target), Some(release)) = (&edge.target, edge.release) else {
        // An unknown target may be a release that comes next.
        return edge.target.as_ref().is_none_or(|target| data.releases.is_expected(target));
    };
    let Some(outlook) = updates.outlook else { return true };
    let mut served = data.channels.iter().filter(|channel| channel.public);
    served.any(|channel| channel.holds(release) && outlook.supported.holds(channel.name(), target))
}
