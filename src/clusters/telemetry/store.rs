//! Asks a store about each cluster, slice by slice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::cluster::Exposure;
use crate::domain::{HashMap, version};
use crate::fleet::{
    ClusterClass, ClusterRow, Defaults, Facts, MinorRefusal, QueryAnswers, RiskAnswer,
};
use crate::go::quoted;
use crate::metrics::{QueryError, Source};
use crate::promql::{Labels, Value, parse};
use crate::text::Failure;
use crate::text::words::{grouped, listed};

use super::asked_risk::AskedRisk;
use super::gaps::StoreGaps;
use super::per_cluster::{CURRENT, ClusterIds, query_for_many};
use super::slice::Slice;

/// About how many clusters a question is about.
const MOST_CLUSTERS: usize = 10_000;
/// How often a question about a slice is divided because the store does not answer about all of it.
const MOST_DIVISIONS: usize = 40;
/// After this many questions in a row without an answer, exitpath stops asking the store.
const MOST_UNANSWERED: usize = 4;

/// What to ask a store.
pub(crate) struct StoreRequest<'r> {
    pub source: &'r Source,
    /// The label with the ids of clusters.
    pub label: &'r str,
    pub risks: &'r [AskedRisk],
    pub defaults: &'r Defaults,
    /// Whether to ask which operators refuse updates to another minor version.
    pub asks_upgradeable: bool,
}

/// Calls `take` with each cluster of a store, and `progress` with the number of slices that are
/// done and of all slices.
pub(crate) fn rows_of_store(
    request: &StoreRequest<'_>,
    take: &mut dyn FnMut(ClusterRow) -> Result<(), Failure>,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<StoreGaps, Failure> {
    let mut store = Store { request, gaps: StoreGaps::default(), divisions: 0, unanswered: 0 };
    let clusters = store.clusters()?;
    let slices = Slice::of(clusters, MOST_CLUSTERS);
    let questions = store.questions();
    let mut named = 0;
    for (done, slice) in slices.iter().enumerate() {
        progress(done, slices.len());
        match store.releases(slice) {
            Ok(known) => {
                if named == 0 && !known.is_empty() {
                    store.metrics(slice, &questions)?;
                }
                named += known.len();
                store.slice(slice, known, &questions, take)?;
            }
            Err(error) => {
                let what = format!("{} are not counted: {}", slice.in_words(), error.words());
                store.gaps.not_counted.push(what);
                store.give_up_if_silent(&error)?;
            }
        }
    }
    progress(slices.len(), slices.len());
    // Clusters come and go while the store is asked.
    if store.gaps.not_counted.is_empty() && named < clusters - clusters / 100 {
        let (all, named) = (grouped(clusters), grouped(named));
        let what = format!("the store says that it has {all} clusters, but names {named}");
        store.gaps.not_counted.push(what);
    }
    Ok(store.gaps)
}

/// The queries to ask, and the risks that have each.
struct Questions {
    queries: Arc<[String]>,
    risks: Vec<Vec<String>>,
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
    /// The operators that refuse updates to another minor version.
    refusing: Vec<String>,
    /// What its operator says of risks.
    own: BTreeMap<String, RiskAnswer>,
    answers: Vec<RiskAnswer>,
}

type KnownClusters = BTreeMap<String, KnownCluster>;

impl Store<'_> {
    fn ids(&self, slice: &Slice) -> ClusterIds<'_> {
        let label = self.request.label;
        ClusterIds { label, only: Some(slice.matchers(label)) }
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
        let all = ClusterIds { label, only: Some(format!("{label}!=\"\"")) };
        let answer = self.ask(&format!("count({})", all.each_cluster()));
        match answer.as_deref() {
            Ok([(_, count)]) if *count >= 1.0 => Ok(*count as usize),
            Ok(_) => {
                let selector = all.selector("cluster_version", &[CURRENT]);
                let failure = Failure::new(format!("the store has no series `{selector}`"));
                Err(failure.hint("`--id-label` names the label in which it has clusters' ids"))
            }
            Err(error) => Err(Failure::new(error.words())),
        }
    }

    /// The queries that can be asked.
    fn questions(&mut self) -> Questions {
        let label = self.request.label;
        let ids = ClusterIds { label, only: None };
        let mut queries: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for risk in self.request.risks {
            for query in risk.queries() {
                match query_for_many(query, &ids) {
                    Ok(_) => queries.entry(query).or_default().push(risk.name.clone()),
                    Err(why) => {
                        self.gaps.not_asked.insert(risk.name.clone(), why.to_string());
                    }
                }
            }
        }
        for names in queries.values_mut() {
            names.dedup();
        }
        let (queries, risks): (Vec<&str>, Vec<Vec<String>>) = queries.into_iter().unzip();
        Questions { queries: queries.into_iter().map(str::to_owned).collect(), risks }
    }

    /// Finds metrics of which the store has no series. The first question is about a slice, because
    /// that is cheap.
    fn metrics(&mut self, slice: &Slice, questions: &Questions) -> Result<(), Failure> {
        let mut wanted: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (query, risks) in questions.queries.iter().zip(&questions.risks) {
            let Ok(query) = parse(query) else { continue };
            for metric in query.metrics() {
                wanted.entry(metric.to_owned()).or_default().extend(risks.iter().cloned());
            }
        }
        let label = self.request.label;
        for (metric, risks) in wanted {
            let mut is_missing = true;
            for matchers in [slice.matchers(label), format!("{label}!=\"\"")] {
                let question = format!("count({{__name__={},{matchers}}})", quoted(&metric));
                match self.ask(&question) {
                    Ok(samples) => is_missing &= samples.is_empty(),
                    Err(error) => {
                        is_missing = false;
                        self.give_up_if_silent(&error)?;
                    }
                }
                if !is_missing {
                    break;
                }
            }
            if is_missing {
                self.gaps.no_series.insert(metric, risks);
            }
        }
        Ok(())
    }

    /// The release and the channel of each cluster of a slice, and what it says of risks.
    fn releases(&mut self, slice: &Slice) -> Result<KnownClusters, QueryError> {
        let ids = self.ids(slice);
        let label = self.request.label;
        let current = ids.selector("cluster_version", &[CURRENT]);
        let releases = format!("group by ({label}, version) ({current})");
        let updates = ids.selector("cluster_version_available_updates", &[]);
        let updates = format!("max by ({label}, channel) ({updates})");
        let own = ids.selector("cluster_version_risk_conditions", &[r#"condition="Applies""#]);
        let own = format!("max by ({label}, risk) ({own})");
        let conditions = r#"condition="Upgradeable""#;
        let conditions = ids.selector("cluster_operator_conditions", &[conditions]);
        let refusing = format!("group by ({label}, name) ({conditions} == 0)");
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
            cluster.available = whole(count);
        }
        // The operator speaks of the declaration that is served now.
        let has_one_definition = |name: &str| {
            self.request.risks.iter().any(|one| one.name == name && one.has_one_definition())
        };
        let own_words = self.request.source.ask(&own);
        if let Value::Vector(samples) = own_words? {
            for (labels, value) in samples {
                let (id, risk) = (labels.get(label), labels.get("risk"));
                let Some(cluster) = known.get_mut(id).filter(|_| has_one_definition(risk)) else {
                    continue;
                };
                let sample = Value::Vector(vec![(Labels::default(), value)]);
                cluster.own.insert(risk.to_owned(), self.answer(sample));
            }
        }
        if self.request.asks_upgradeable {
            for (labels, _) in self.ask(&refusing)? {
                if let Some(cluster) = known.get_mut(labels.get(label)) {
                    let name = labels.get("name");
                    let name = if name == "version" { "ClusterVersion" } else { name };
                    cluster.refusing.push(name.to_owned());
                }
            }
        }
        Ok(known)
    }

    /// What follows from what a query answers on one cluster.
    fn answer(&self, samples: Value) -> RiskAnswer {
        match Exposure::of_answer(Ok(samples), self.request.source.time()) {
            Ok(Exposure::Exposed) => RiskAnswer::Yes,
            Ok(Exposure::NotExposed) => RiskAnswer::No,
            Ok(Exposure::Unknown(_)) | Err(_) => RiskAnswer::Unknown,
        }
    }

    fn slice(
        &mut self,
        slice: &Slice,
        mut known: KnownClusters,
        questions: &Questions,
        take: &mut dyn FnMut(ClusterRow) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if known.is_empty() {
            return Ok(());
        }
        for (query, risks) in questions.queries.iter().zip(&questions.risks) {
            let ids: Vec<&str> = known.keys().map(String::as_str).collect();
            self.divisions = 0;
            let answers = self.query(slice, &ids, risks, query)?;
            for (id, cluster) in &mut known {
                cluster.answers.push(answers.get(id).copied().unwrap_or(RiskAnswer::Unknown));
            }
        }
        let defaults = self.request.defaults;
        for (id, cluster) in known {
            let KnownCluster { version, channel, available, refusing, own, answers } = cluster;
            let Some(channel) = channel.or_else(|| defaults.channel.clone()) else {
                self.gaps.without_channel += 1;
                continue;
            };
            let queries = QueryAnswers::new(&questions.queries, answers);
            let facts = Facts { answers: own, queries, ..Facts::default() };
            let class = ClusterClass { version, channel, arch: defaults.arch, facts };
            let refusal = (!refusing.is_empty())
                .then(|| MinorRefusal { why: Some(listed(&refusing, "and")) });
            take(ClusterRow { name: Some(id), count: 1, available, refusal, class })?;
        }
        Ok(())
    }

    /// What a query answers on each cluster of a slice that has an answer.
    fn query(
        &mut self,
        slice: &Slice,
        ids: &[&str],
        risks: &[String],
        query: &str,
    ) -> Result<HashMap<String, RiskAnswer>, Failure> {
        let label = self.request.label;
        let rewritten = query_for_many(query, &self.ids(slice))?;
        let error = match self.ask(&rewritten) {
            Ok(samples) => {
                let mut of_clusters: HashMap<String, Vec<(Labels, f64)>> = HashMap::default();
                for (labels, value) in samples {
                    let id = labels.get(label).to_owned();
                    of_clusters.entry(id).or_default().push((labels, value));
                }
                let answers = of_clusters.into_iter();
                let answers =
                    answers.map(|(id, samples)| (id, self.answer(Value::Vector(samples))));
                return Ok(answers.collect());
            }
            Err(error) => error,
        };
        // A query that fails on one cluster fails for all in the same question.
        let may_be_of_a_cluster = is_of_data(&error);
        if may_be_of_a_cluster && ids.len() == 1 {
            return Ok(HashMap::default());
        }
        let is_useful = may_be_of_a_cluster || !is_refused(&error);
        let may_divide = slice.is_divisible() && self.divisions < MOST_DIVISIONS;
        if is_useful && may_divide && ids.len() > 1 {
            self.divisions += 1;
            let mut answers = HashMap::default();
            for part in slice.parts() {
                let ids: Vec<&str> = ids.iter().copied().filter(|id| part.has(id)).collect();
                if !ids.is_empty() {
                    answers.extend(self.query(&part, &ids, risks, query)?);
                }
            }
            return Ok(answers);
        }
        self.gaps.add_unanswered(risks, error.words(), ids);
        self.give_up_if_silent(&error)?;
        Ok(HashMap::default())
    }
}

/// Whether a store refuses the question itself: it would refuse it about fewer clusters, too.
fn is_refused(error: &QueryError) -> bool {
    matches!(error, QueryError::Refused { kind, words } if kind != "execution" && kind != "timeout" && !is_limit(words))
}

/// Whether the series of a cluster can be the reason.
fn is_of_data(error: &QueryError) -> bool {
    matches!(error, QueryError::Refused { kind, words } if kind == "execution" && !is_limit(words))
}

/// Whether an error speaks of a limit of the store.
fn is_limit(words: &str) -> bool {
    ["too many samples", "limit", "exceed"].iter().any(|word| words.contains(word))
}

/// A sample that is a count.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a count")]
fn whole(value: f64) -> Option<u64> {
    (value >= 0.0 && value.is_finite()).then_some(value as u64)
}

fn is_newer(one: &str, other: &str) -> bool {
    match (version::parse(one), version::parse(other)) {
        (Some(one), Some(other)) => one.cmp_precedence(&other).is_gt(),
        _ => false,
    }
}
