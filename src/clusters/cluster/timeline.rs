//! What a cluster does after a change of the graph, and when.
//!
//! The simulation runs the operator through the hours around the change. It asks the operator only
//! at moments at which it does something: to retrieve updates, to ask the next query, and to ask a
//! query again.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::HashMap;
use crate::metrics::Source;
use crate::text::Failure;

use super::first_look::not_evaluated;
use super::object::{ClusterVersion, condition};
use super::operator::{Operator, Outcome, Response, Settings, Surroundings};
use super::unknown_alert::ALERT_AFTER;
use super::{InCluster, ServiceAnswer};

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

/// How often the update service reads the repository, at most.
pub(crate) const SERVICE_READS: i64 = 5 * MINUTE;
/// How often an operator asks the service: between this and twice as much.
pub(crate) const OPERATOR_ASKS: i64 = 2 * MINUTE;
/// How long the operator runs before the change, so that it has asked all queries.
const BEFORE: i64 = 2 * HOUR;
const BEFORE_IF_SLOW: i64 = 24 * HOUR;
/// How long the timeline is.
pub(crate) const TIMELINE_LENGTH: i64 = 3 * HOUR;

impl UpdateState {
    /// In words, with the reason.
    pub(crate) fn in_words(&self) -> String {
        match self {
            Self::Recommended => "recommended".to_owned(),
            Self::NotRecommended(reason) => format!("not recommended ({reason})"),
            Self::Unknown => "unknown".to_owned(),
        }
    }
}

/// Whose timeline, and of which change.
pub(crate) struct TimelineQuestion<'t> {
    pub settings: Settings,
    pub cluster: &'t ClusterVersion,
    pub inside: &'t InCluster,
    pub source: &'t Source,
    /// What the update service answers before the change, and after it.
    pub before: ServiceAnswer,
    pub after: ServiceAnswer,
}

/// What happens after the operator has retrieved a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Timeline {
    pub events: Vec<TimelineEvent>,
    /// Whether the alert fires without the change, too.
    pub fires_before: bool,
    /// Whether the operator asks one query in ten minutes.
    pub is_slow: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TimelineEvent {
    /// Milliseconds after the retrieval.
    pub after: i64,
    pub what: TimelineStep,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TimelineStep {
    /// The operator asks the query of these risks.
    Asked { risks: Vec<String>, is_again: bool },
    /// An update has another state.
    Changed { version: String, from: Option<UpdateState>, to: Option<UpdateState> },
    /// The alert `CannotEvaluateConditionalUpdates` fires, or ends.
    Alert { fires: bool },
}

/// What the operator says of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UpdateState {
    Recommended,
    /// With the reason.
    NotRecommended(String),
    /// The cluster cannot tell.
    Unknown,
}

impl Timeline {
    /// The error says which query cannot be evaluated.
    pub(crate) fn of(question: TimelineQuestion<'_>) -> Result<Self, Failure> {
        let is_slow = !question.settings.level.has_long_failures();
        let settings = Settings {
            is_throttled: true,
            between_queries: if is_slow { 10 * MINUTE } else { SECOND },
            ..question.settings
        };
        let mut life = Life {
            between: settings.between_queries,
            interval: settings.check_interval,
            operator: Operator::new(settings),
            cluster: question.cluster,
            inside: question.inside,
            source: question.source,
            asked: HashMap::default(),
            last_asked: i64::MIN,
            retrieved: i64::MIN,
        };
        let risks = risks_of_queries([&question.before, &question.after]);
        let before = if is_slow { BEFORE_IF_SLOW } else { BEFORE };
        let (mut now, mut states) = (question.source.time() - before, BTreeMap::new());
        let mut alert = Alert::default();
        while now < question.source.time() {
            let outcome = life.look(now, &question.before)?;
            states = states_in(&outcome);
            alert.see(&states, now);
            now = life.next(now, &outcome);
        }
        if life.retrieved == i64::MIN {
            return Err(Failure::new("the operator does not ask the update service")
                .hint("the cluster needs a channel"));
        }
        // The retrieval that sees the change.
        let start = life.retrieved + life.interval + 1;
        let mut timeline = Self { events: Vec::new(), fires_before: false, is_slow };
        let (mut now, mut fires) = (start, alert.fires(start));
        timeline.fires_before = fires;
        while now <= start + TIMELINE_LENGTH {
            let asked_before: BTreeSet<String> = life.asked.keys().cloned().collect();
            let outcome = life.look(now, &question.after)?;
            for query in &outcome.queries {
                let risks = risks.get(query).cloned().unwrap_or_default();
                let is_again = asked_before.contains(query);
                timeline.add(now - start, TimelineStep::Asked { risks, is_again });
            }
            let new = states_in(&outcome);
            for version in states.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
                let (from, to) = (states.get(version).cloned(), new.get(version).cloned());
                if from != to {
                    let version = version.clone();
                    timeline.add(now - start, TimelineStep::Changed { version, from, to });
                }
            }
            states = new;
            alert.see(&states, now);
            let is_firing = alert.fires(now);
            if is_firing != fires {
                fires = is_firing;
                timeline.add(now - start, TimelineStep::Alert { fires });
            }
            now = life.next(now, &outcome).min(alert.next(now));
        }
        Ok(timeline)
    }

    fn add(&mut self, after: i64, what: TimelineStep) {
        self.events.push(TimelineEvent { after, what });
    }
}

/// The alert `CannotEvaluateConditionalUpdates`: since when each update is unknown.
#[derive(Default)]
struct Alert {
    unknown_since: BTreeMap<String, i64>,
}

impl Alert {
    fn see(&mut self, states: &BTreeMap<String, UpdateState>, now: i64) {
        let unknown = |version: &str| states.get(version) == Some(&UpdateState::Unknown);
        self.unknown_since.retain(|version, _| unknown(version));
        for version in states.keys().filter(|version| unknown(version)) {
            self.unknown_since.entry(version.clone()).or_insert(now);
        }
    }

    fn at(&self) -> Option<i64> {
        self.unknown_since.values().min().map(|since| since + ALERT_AFTER)
    }

    fn fires(&self, now: i64) -> bool {
        self.at().is_some_and(|at| at <= now)
    }

    /// When it begins, if that is in the future.
    fn next(&self, now: i64) -> i64 {
        self.at().filter(|at| *at > now).unwrap_or(i64::MAX)
    }
}

/// An operator over hours.
struct Life<'l> {
    between: i64,
    interval: i64,
    operator: Operator,
    cluster: &'l ClusterVersion,
    inside: &'l InCluster,
    source: &'l Source,
    /// When each query was last asked.
    asked: HashMap<String, i64>,
    last_asked: i64,
    retrieved: i64,
}

impl Life<'_> {
    fn look(&mut self, now: i64, answer: &ServiceAnswer) -> Result<Outcome, Failure> {
        let source = self.source;
        let mut surroundings = Surroundings {
            now,
            running: &self.cluster.status.desired,
            cluster: self.cluster,
            inside: self.inside,
            service: &mut |_| Response::Read(answer.clone()),
            ask: &mut |query, _| source.ask(query),
        };
        let outcome =
            self.operator.sync(&mut surroundings).map_err(|error| not_evaluated(&error))?;
        for query in &outcome.queries {
            self.asked.insert(query.clone(), now);
            self.last_asked = now;
        }
        if outcome.request.is_some() {
            self.retrieved = now;
        }
        Ok(outcome)
    }

    /// The next moment at which the operator may do something.
    fn next(&self, now: i64, outcome: &Outcome) -> i64 {
        let retrieval = self.retrieved + self.interval + 1;
        let retrieval = retrieval.max(now + SECOND);
        if !outcome.is_unfinished {
            return retrieval;
        }
        // The operator looks again each second.
        let question = self.last_asked.saturating_add(self.between + 1);
        let again = self.asked.values().map(|at| at + HOUR);
        let moments = again.chain([question]).filter(|moment| *moment > now);
        moments.chain([retrieval]).min().unwrap_or(retrieval)
    }
}

/// The names of the risks that have each query.
fn risks_of_queries(answers: [&ServiceAnswer; 2]) -> HashMap<String, Vec<String>> {
    let mut found: HashMap<String, BTreeSet<String>> = HashMap::default();
    let groups = answers.into_iter().flat_map(|answer| &answer.conditional_edges);
    for risk in groups.flat_map(|group| group.risks.iter().flatten()) {
        let queries = risk.matching_rules.iter().filter_map(|rule| rule.promql.as_ref());
        for query in queries {
            found.entry(query.promql.clone()).or_default().insert(risk.name.clone());
        }
    }
    found.into_iter().map(|(query, names)| (query, names.into_iter().collect())).collect()
}

fn states_in(outcome: &Outcome) -> BTreeMap<String, UpdateState> {
    let stored = &outcome.stored;
    let conditional = stored.conditional_updates.iter().map(|update| {
        let verdict = condition(&update.conditions, "Recommended");
        let state = match verdict.map(|verdict| verdict.status.as_str()) {
            Some("True") => UpdateState::Recommended,
            Some("False") => UpdateState::NotRecommended(
                verdict.map(|one| one.reason.clone()).unwrap_or_default(),
            ),
            _ => UpdateState::Unknown,
        };
        (update.release.version.clone(), state)
    });
    let available = stored.available_updates.iter();
    let available = available.map(|release| (release.version.clone(), UpdateState::Recommended));
    // A conditional update that is recommended is in both lists.
    available.chain(conditional).collect()
}
