//! Asks a store about each cluster, slice by slice.

use std::collections::{BTreeMap, BTreeSet};

use crate::cluster::Exposure;
use crate::domain::{HashMap, version};
use crate::fleet::{ClusterClass, ClusterRow, Defaults, Facts, RiskAnswer};
use crate::metrics::{QueryError, Source};
use crate::promql::{Labels, Value};
use crate::text::Failure;
use crate::text::words::{counted, grouped};

use super::asked_risk::{AskedRisk, Rule};
use super::per_cluster::{CURRENT, ClusterIds, query_for_many};
use super::slice::Slice;

/// About how many clusters a question is about.
const MOST_CLUSTERS: usize = 10_000;
/// How often a slice is divided because the store does not answer about all of it.
const MOST_DIVISIONS: usize = 200;
/// After so many questions in a row without an answer, the store is given up.
const MOST_UNANSWERED: usize = 4;

/// What to ask a store.
pub(crate) struct StoreRequest<'r> {
    pub source: &'r Source,
    /// The label with the ids of clusters.
    pub label: &'r str,
    pub risks: &'r [AskedRisk],
    pub defaults: &'r Defaults,
}

/// What a store does not say.
#[derive(Debug, Default)]
pub(crate) struct StoreGaps {
    /// Clusters that are not counted, or of which an answer is missing.
    pub missing: Vec<String>,
    /// Risks about which the store cannot be asked, and the reason.
    pub not_asked: Vec<(String, String)>,
    /// Metrics of which no cluster has a series, and the risks that need them.
    pub no_series: BTreeMap<String, BTreeSet<String>>,
    pub without_channel: u64,
}

/// Gives each cluster of a store to `take`. `progress` is called with how much is done, of how much.
pub(crate) fn rows_of_store(
    request: &StoreRequest<'_>,
    take: &mut dyn FnMut(ClusterRow) -> Result<(), Failure>,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<StoreGaps, Failure> {
    let mut store = Store { request, gaps: StoreGaps::default(), divisions: 0, unanswered: 0 };
    let clusters = store.clusters()?;
    let slices = Slice::of(clusters, MOST_CLUSTERS);
    let risks = store.risks_to_ask();
    let mut asks_for_metrics = true;
    for (done, slice) in slices.iter().enumerate() {
        progress(done, slices.len());
        let known = match store.releases(slice) {
            Ok(known) => known,
            Err(error) => {
                let what = format!("{} are not counted: {error}", slice.in_words());
                store.gaps.missing.push(what);
                store.give_up_if_silent(&error)?;
                continue;
            }
        };
        if known.is_empty() {
            continue;
        }
        if std::mem::take(&mut asks_for_metrics) {
            store.metrics(slice, &risks)?;
        }
        store.slice(slice, known, &risks, take)?;
    }
    progress(slices.len(), slices.len());
    Ok(store.gaps)
}

struct Store<'r> {
    request: &'r StoreRequest<'r>,
    gaps: StoreGaps,
    divisions: usize,
    /// How many questions in a row have no answer.
    unanswered: usize,
}

/// What a cluster says of itself.
#[derive(Default)]
struct KnownCluster {
    version: String,
    channel: Option<String>,
    available: Option<u64>,
    answers: BTreeMap<String, RiskAnswer>,
}

type KnownClusters = BTreeMap<String, KnownCluster>;

impl Store<'_> {
    fn ids(&self, slice: &Slice) -> ClusterIds<'_> {
        let label = self.request.label;
        ClusterIds { label, only: slice.matchers(label) }
    }

    fn ask(&mut self, query: &str) -> Result<Vec<(Labels, f64)>, QueryError> {
        let answer = self.request.source.ask(query);
        match &answer {
            Err(QueryError::NoAnswer(_)) => self.unanswered += 1,
            _ => self.unanswered = 0,
        }
        match answer? {
            Value::Vector(samples) => Ok(samples),
            _ => Err(QueryError::NoAnswer("the store does not answer a vector".to_owned())),
        }
    }

    fn give_up_if_silent(&self, error: &QueryError) -> Result<(), Failure> {
        if self.unanswered < MOST_UNANSWERED {
            return Ok(());
        }
        let what = format!(
            "{MOST_UNANSWERED} questions in a row have no answer. The last one: {}",
            error.words()
        );
        Err(Failure::new(what).hint("`--timeout` gives the store more time"))
    }

    /// How many clusters the store knows.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a count")]
    fn clusters(&mut self) -> Result<usize, Failure> {
        let label = self.request.label;
        let all = ClusterIds { label, only: format!("{label}!=\"\"") };
        let answer = self.ask(&format!("count({})", all.each_cluster()));
        match answer.as_deref() {
            Ok([(_, count)]) if *count >= 1.0 => Ok(*count as usize),
            Ok(_) => {
                let selector = all.selector("cluster_version", CURRENT);
                let failure = Failure::new(format!("the store has no series `{selector}`"));
                Err(failure.hint("`--id-label` names the label in which it has clusters' ids"))
            }
            Err(error) => Err(Failure::new(error.words())),
        }
    }

    /// The risks that can be asked about, and the number of each.
    fn risks_to_ask(&mut self) -> Vec<AskedRisk> {
        let label = self.request.label;
        let ids = ClusterIds { label, only: String::new() };
        let mut asked = Vec::new();
        for risk in self.request.risks {
            let queries = risk.queries().map(|query| query_for_many(query, &ids));
            match queries.collect::<Result<Vec<_>, _>>() {
                Ok(_) => asked.push(risk.clone()),
                Err(why) => self.gaps.not_asked.push((risk.name.clone(), why)),
            }
        }
        asked
    }

    /// Finds metrics that no cluster of a slice has.
    fn metrics(&mut self, slice: &Slice, risks: &[AskedRisk]) -> Result<(), Failure> {
        let mut wanted: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for risk in risks {
            for metric in risk.metrics() {
                wanted.entry(metric).or_default().insert(risk.name.clone());
            }
        }
        let matchers = slice.matchers(self.request.label);
        for (metric, risks) in wanted {
            let name = format!("__name__={}", crate::go::quoted(&metric));
            match self.ask(&format!("count({{{name},{matchers}}})")) {
                Ok(samples) if samples.is_empty() => {
                    self.gaps.no_series.insert(metric, risks);
                }
                Ok(_) => {}
                Err(error) => self.give_up_if_silent(&error)?,
            }
        }
        Ok(())
    }

    /// The release and the channel of each cluster of a slice.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a count")]
    fn releases(&mut self, slice: &Slice) -> Result<KnownClusters, QueryError> {
        let ids = self.ids(slice);
        let label = self.request.label;
        let current = ids.selector("cluster_version", CURRENT);
        let releases = format!("group by ({label}, version) ({current})");
        let updates = ids.selector("cluster_version_available_updates", "");
        let updates = format!("max by ({label}, channel) ({updates})");
        let own = ids.selector("cluster_version_risk_conditions", r#"condition="Applies""#);
        let own = format!("max by ({label}, risk) ({own})");
        let mut known = KnownClusters::new();
        for (labels, _) in self.ask(&releases)? {
            let cluster = known.entry(labels.get(label).to_owned()).or_default();
            // For some minutes after an update, a store has both releases.
            let version = labels.get("version");
            if cluster.version.is_empty() || is_newer(version, &cluster.version) {
                version.clone_into(&mut cluster.version);
            }
        }
        for (labels, count) in self.ask(&updates)? {
            let Some(cluster) = known.get_mut(labels.get(label)) else { continue };
            cluster.channel = Some(labels.get("channel").to_owned()).filter(|c| !c.is_empty());
            cluster.available = Some(count as u64);
        }
        for (labels, value) in self.ask(&own)? {
            let Some(cluster) = known.get_mut(labels.get(label)) else { continue };
            let sample = Ok(Value::Vector(vec![(Labels::default(), value)]));
            cluster.answers.insert(labels.get("risk").to_owned(), self.answer(sample)?);
        }
        Ok(known)
    }

    /// What follows from what a query answers on one cluster.
    fn answer(&self, samples: Result<Value, QueryError>) -> Result<RiskAnswer, QueryError> {
        Ok(match Exposure::of_answer(samples, self.request.source.time())? {
            Exposure::Exposed => RiskAnswer::Yes,
            Exposure::NotExposed => RiskAnswer::No,
            Exposure::Unknown(_) => RiskAnswer::Unknown,
        })
    }

    fn slice(
        &mut self,
        slice: &Slice,
        mut known: KnownClusters,
        risks: &[AskedRisk],
        take: &mut dyn FnMut(ClusterRow) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for risk in risks {
            let ids: Vec<&str> = known.keys().map(String::as_str).collect();
            let answers = self.risk(slice, &ids, risk)?;
            for (id, cluster) in &mut known {
                let answer = answers.get(id).copied().unwrap_or(RiskAnswer::Unknown);
                // The cluster's own word counts more.
                cluster.answers.entry(risk.name.clone()).or_insert(answer);
            }
        }
        for (risk, _) in &self.gaps.not_asked {
            for cluster in known.values_mut() {
                cluster.answers.entry(risk.clone()).or_insert(RiskAnswer::Unknown);
            }
        }
        for (id, cluster) in known {
            let KnownCluster { version, channel, available, mut answers } = cluster;
            let Some(channel) = channel.or_else(|| self.request.defaults.channel.clone()) else {
                self.gaps.without_channel += 1;
                continue;
            };
            answers.retain(|name, _| self.request.risks.iter().any(|risk| risk.name == *name));
            let facts = Facts { answers, ..Facts::default() };
            let class = ClusterClass { version, channel, arch: self.request.defaults.arch, facts };
            take(ClusterRow { name: id, count: 1, available, class })?;
        }
        Ok(())
    }

    /// Which clusters of a slice a risk affects. If its declarations have different rules, the worst
    /// answer counts.
    fn risk(
        &mut self,
        slice: &Slice,
        ids: &[&str],
        risk: &AskedRisk,
    ) -> Result<HashMap<String, RiskAnswer>, Failure> {
        let mut worst: HashMap<String, RiskAnswer> = HashMap::default();
        for rules in &risk.variants {
            let mut decided: HashMap<String, RiskAnswer> = HashMap::default();
            for rule in rules {
                let answers = match rule {
                    Rule::Always => {
                        ids.iter().map(|id| ((*id).to_owned(), RiskAnswer::Yes)).collect()
                    }
                    Rule::PromQl(query) => self.query(slice, ids, (&risk.name, query))?,
                };
                for (id, answer) in answers {
                    let known = decided.entry(id).or_insert(answer);
                    if *known == RiskAnswer::Unknown {
                        *known = answer;
                    }
                }
            }
            for id in ids {
                let answer = decided.get(*id).copied().unwrap_or(RiskAnswer::Unknown);
                let known = worst.entry((*id).to_owned()).or_insert(answer);
                if answer == RiskAnswer::Yes || *known == RiskAnswer::No {
                    *known = answer;
                }
            }
        }
        Ok(worst)
    }

    /// What a query answers on each cluster of a slice that has an answer.
    fn query(
        &mut self,
        slice: &Slice,
        ids: &[&str],
        (risk, query): (&str, &str),
    ) -> Result<HashMap<String, RiskAnswer>, Failure> {
        let label = self.request.label;
        let rewritten = query_for_many(query, &self.ids(slice)).map_err(Failure::new)?;
        let error = match self.ask(&rewritten) {
            Ok(samples) => {
                let mut of_clusters: HashMap<String, Vec<(Labels, f64)>> = HashMap::default();
                for (labels, value) in samples {
                    let id = labels.get(label).to_owned();
                    of_clusters.entry(id).or_default().push((labels, value));
                }
                let answers = of_clusters.into_iter().map(|(id, samples)| {
                    let answer = self.answer(Ok(Value::Vector(samples)));
                    (id, answer.unwrap_or(RiskAnswer::Unknown))
                });
                return Ok(answers.collect());
            }
            Err(error) => error,
        };
        // A query that fails on one cluster fails for all in the same question.
        let is_own_error = matches!(error, QueryError::Refused { .. }) && ids.len() == 1;
        if is_own_error {
            return Ok(HashMap::default());
        }
        if slice.is_divisible() && self.divisions < MOST_DIVISIONS && ids.len() > 1 {
            self.divisions += 1;
            let mut answers = HashMap::default();
            for part in slice.parts() {
                let ids: Vec<&str> = ids.iter().copied().filter(|id| part.has(id)).collect();
                if !ids.is_empty() {
                    answers.extend(self.query(&part, &ids, (risk, query))?);
                }
            }
            return Ok(answers);
        }
        let clusters = counted(ids.len(), "cluster");
        let what = format!("{clusters} count as unable to tell about {risk}: {error}");
        self.gaps.missing.push(what);
        self.give_up_if_silent(&error)?;
        Ok(HashMap::default())
    }
}

impl StoreGaps {
    /// Whether the counts are incomplete.
    pub(crate) fn is_bad(&self) -> bool {
        !self.missing.is_empty() || !self.not_asked.is_empty()
    }

    /// What the user should know, a line each.
    pub(crate) fn in_words(&self) -> Vec<String> {
        let mut lines = self.missing.clone();
        lines.extend(self.not_asked.iter().map(|(risk, why)| {
            format!(
                "the store is not asked about {risk}, and clusters count as unable to tell: {why}"
            )
        }));
        lines
    }

    /// What may be wrong although the store answers, a line each.
    pub(crate) fn doubts(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for (metric, risks) in &self.no_series {
            let risks: Vec<&str> = risks.iter().map(String::as_str).collect();
            let risks = crate::text::words::list_all(&risks, "and");
            lines.push(format!(
                "the store has no series of `{metric}`. If it does not collect them, the answers \
                 about {risks} say nothing about clusters"
            ));
        }
        if self.without_channel > 0 {
            let clusters = usize::try_from(self.without_channel).unwrap_or(usize::MAX);
            lines.push(format!(
                "{} say no channel, and are not counted; `--channel` names one for them",
                grouped(clusters)
            ));
        }
        lines
    }
}

fn is_newer(one: &str, other: &str) -> bool {
    match (version::parse(one), version::parse(other)) {
        (Some(one), Some(other)) => one.cmp_precedence(&other).is_gt(),
        _ => false,
    }
}
