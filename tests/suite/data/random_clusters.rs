//! Random clusters, and each is what `clusters/metrics.toml` says that clusters are.
//!
//! A cluster is a few moments of the last two hours. Each moment is valid by itself, and lasts
//! until the next one: between them, pods are replaced, values change, and series come and go.
//!
//! The dictionary alone decides what is possible. Where it is silent, everything is: the labels
//! of the scrape are any text, and a label that is not listed as constant can change.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use exitpath::testing::metrics::FIXED_TIME;
use promql::{Expr, Labels, Point, Query, Store, regex::anchored};
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::data::dictionary::{
    Count, Dictionary, LabelKind, LabelValues, Metric, Values, minor_of,
};
use crate::data::values_series::Random;

const MINUTE: i64 = 60_000;

/// The minutes of a cluster's history.
const HISTORY: i64 = 120;

/// The words of a query: with them, clusters have what it asks for more often.
#[derive(Default)]
struct Words {
    /// For each label, the texts of its matchers, and texts that fit their patterns.
    of_label: BTreeMap<String, Vec<String>>,
    numbers: Vec<f64>,
    /// What looks like a label's name.
    names: BTreeSet<String>,
    /// Whether the query sees more than one moment.
    sees_history: bool,
}

impl Words {
    fn of(query: &Query, text: &str) -> Self {
        let mut words = Self::default();
        let mut random = Random::new(1);
        for (_, node) in query.nodes() {
            match &node.expr {
                Expr::Number(number) => words.numbers.push(*number),
                Expr::Range(..) | Expr::Subquery(_) => words.sees_history = true,
                Expr::Selector(selector) => {
                    words.sees_history |= selector.modifiers.offset.is_some();
                    words.sees_history |= selector.modifiers.at.is_some();
                    for matcher in &selector.matchers {
                        let known = words.of_label.entry(matcher.label.value.clone()).or_default();
                        if matcher.op.name().ends_with('~') {
                            let pattern = anchored(&matcher.value.value).unwrap();
                            known.extend((0..24).map(|_| fitting(&pattern, &mut random)));
                        } else {
                            known.push(matcher.value.value.clone());
                        }
                    }
                }
                _ => {}
            }
        }
        for known in words.of_label.values_mut() {
            known.retain(|text| !text.is_empty());
            known.sort();
            known.dedup();
        }
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let names = text.split(|c| !is_of_name(c)).filter(|name| !name.is_empty());
        words.names = names.map(str::to_owned).collect();
        words
    }
}

/// A text that fits a pattern.
fn fitting(pattern: &Hir, random: &mut Random) -> String {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => String::new(),
        HirKind::Literal(literal) => String::from_utf8_lossy(&literal.0).into_owned(),
        HirKind::Class(class) => of_class(class, random).into(),
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX).min(repetition.min + 3);
            let more = usize::try_from(most - repetition.min).unwrap() + 1;
            let count = repetition.min as usize + random.below(more);
            (0..count).map(|_| fitting(&repetition.sub, random)).collect()
        }
        HirKind::Capture(capture) => fitting(&capture.sub, random),
        HirKind::Concat(parts) => parts.iter().map(|part| fitting(part, random)).collect(),
        HirKind::Alternation(arms) => fitting(&arms[random.below(arms.len())], random),
    }
}

/// An ordinary character, where the class has one.
fn of_class(class: &Class, random: &mut Random) -> char {
    const ORDINARY: &str = "0123456789abcdeghiknorstvx-./:ABMNV_@ é";
    let has = |c: char| match class {
        Class::Unicode(class) => class.iter().any(|r| r.start() <= c && c <= r.end()),
        Class::Bytes(class) => {
            c.is_ascii() && class.iter().any(|r| (r.start()..=r.end()).contains(&(c as u8)))
        }
    };
    let fit: Vec<char> = ORDINARY.chars().filter(|c| has(*c)).collect();
    if !fit.is_empty() {
        return fit[random.below(fit.len())];
    }
    match class {
        Class::Unicode(class) => class.iter().next().unwrap().start(),
        Class::Bytes(class) => class.iter().next().unwrap().start().into(),
    }
}

type Series = Vec<(Labels, f64)>;

/// A cluster at one moment.
#[derive(Clone)]
struct Moment<'d> {
    /// The current version.
    version: String,
    /// Whether a series says it.
    says_version: bool,
    capabilities: BTreeMap<String, bool>,
    metrics: BTreeMap<&'d str, Series>,
}

/// What random clusters are made from.
pub(crate) struct Clusters<'d> {
    dictionary: &'d Dictionary,
    /// Those that clusters get.
    metrics: BTreeSet<&'d str>,
    words: Words,
}

impl<'d> Clusters<'d> {
    /// With every metric.
    pub(crate) fn all(dictionary: &'d Dictionary) -> Self {
        let metrics = dictionary.metrics.keys().map(String::as_str).collect();
        let words = Words { sees_history: true, ..Words::default() };
        Self { dictionary, metrics, words }
    }

    /// With the metrics that a query asks for.
    pub(crate) fn asked(dictionary: &'d Dictionary, query: &Query, text: &str) -> Self {
        let asked: BTreeSet<&str> = query.metrics().collect();
        let all = dictionary.metrics.keys().map(String::as_str);
        let metrics = all.filter(|name| asked.contains(name)).collect();
        Self { dictionary, metrics, words: Words::of(query, text) }
    }

    /// A cluster's series in the last two hours.
    pub(crate) fn draw(&self, random: &mut Random) -> Store {
        let mut moments = vec![(-HISTORY, self.first(random))];
        let first_change = if self.words.sees_history { -HISTORY } else { -6 };
        for _ in 0..random.below(4) {
            let (since, before) = moments.last().unwrap();
            // Most queries look back by 5 minutes or an hour.
            let edges = [-119, -65, -61, -60, -59, -30, -6, -5, -4, -3, -2, -1, 0];
            let at = edges[random.below(edges.len())];
            if at > *since && at > first_change {
                moments.push((at, self.next(before, random)));
            }
        }
        if !self.words.sees_history {
            moments[0].0 = moments.get(1).map_or(0, |(at, _)| at - 1);
        }
        stored(&moments)
    }

    fn first(&self, random: &mut Random) -> Moment<'d> {
        let (version, says_version) = (self.version(random), random.below(40) > 0);
        let mut names: BTreeSet<&str> = ["Console", "Build", "NodeTuning"].into();
        let metrics = self.dictionary.metrics.values();
        names.extend(metrics.filter_map(|metric| metric.capability.as_deref()));
        names.extend(self.words.of_label.get("name").into_iter().flatten().map(String::as_str));
        let known = names.into_iter().filter(|name| *name == "Console" || random.below(3) > 0);
        let known: Vec<&str> = known.collect();
        let on = known.into_iter().map(|name| (name.to_owned(), random.below(4) > 0)).collect();
        let metrics = BTreeMap::new();
        let mut moment = Moment { version, says_version, capabilities: on, metrics };
        for name in &self.metrics {
            let series = self.series(name, &moment, random);
            moment.metrics.insert(name, series);
        }
        moment
    }

    fn next(&self, before: &Moment<'d>, random: &mut Random) -> Moment<'d> {
        let mut moment = before.clone();
        let is_update = random.below(4) == 0;
        if is_update {
            moment.version = self.version(random);
        }
        let is_new_capability = random.below(6) == 0;
        if is_new_capability {
            let all: Vec<&mut bool> = moment.capabilities.values_mut().collect();
            let count = all.len();
            let changed = random.below(count);
            all.into_iter().skip(changed).take(1).for_each(|on| *on = !*on);
        }
        for name in &self.metrics {
            let metric = &self.dictionary.metrics[*name];
            let depends_on_version =
                metric.since.is_some() || metric.until.is_some() || *name == "cluster_version";
            let depends_on_capability =
                metric.capability.is_some() || *name == "cluster_version_capability";
            let is_forced =
                is_update && depends_on_version || is_new_capability && depends_on_capability;
            let series = match random.below(10) {
                _ if is_forced => self.series(name, &moment, random),
                0..4 => continue,
                4..6 => self.other_values(name, &moment.metrics[name], random),
                6..8 if self.dictionary.outlives_pods.contains(&metric.from) => continue,
                6..8 => other_pods(&moment.metrics[name], random),
                _ => self.series(name, &moment, random),
            };
            moment.metrics.insert(name, series);
        }
        moment
    }

    fn version(&self, random: &mut Random) -> String {
        let asked = self.words.of_label.get("version").map_or(&[][..], Vec::as_slice);
        let asked: Vec<&String> = asked.iter().filter(|v| minor_of(v).is_some()).collect();
        if !asked.is_empty() && random.below(2) == 0 {
            return asked[random.below(asked.len())].clone();
        }
        let end = ["", "", "", "-rc.1", "-ec.3", "-0.nightly-2026-01-02-030405"];
        let (minor, patch) = (random.below(24), random.below(70));
        format!("4.{minor}.{patch}{}", end[random.below(end.len())])
    }

    /// The series of a metric.
    fn series(&self, name: &str, moment: &Moment<'_>, random: &mut Random) -> Series {
        let metric = &self.dictionary.metrics[name];
        if !is_present(metric, moment, random) {
            return Series::new();
        }
        if name == "cluster_version_capability" {
            return self.capabilities(name, moment, random);
        }
        let usual = metric.usual.iter().filter(|_| random.below(4) > 0);
        let forced: Vec<(&str, &String)> = metric
            .always
            .iter()
            .chain(usual)
            .flat_map(|(label, values)| values.iter().map(move |value| (label.as_str(), value)))
            .collect();
        let few = [0, 0, 0, 1, 1, 2, 3, 6][random.below(8)];
        let least = forced.len();
        let count = match &metric.series {
            Count::Exactly(count) => *count,
            Count::Kind(kind) => match kind.as_str() {
                "one" => 1,
                "some" => least.max(1) + few,
                _ => least + few,
            },
        };
        let shared = self.scrape(metric, random);
        let mut drawn: Vec<Labels> = Vec::new();
        for nth in 0..count {
            let forced = forced.get(nth).copied();
            for _ in 0..8 {
                let labels = self.labels(name, forced, &shared, moment, random);
                if fits(metric, &drawn, &labels) {
                    drawn.push(labels);
                    break;
                }
            }
        }
        self.with_values(metric, drawn, random)
    }

    fn capabilities(&self, name: &str, moment: &Moment<'_>, random: &mut Random) -> Series {
        let shared = self.scrape(&self.dictionary.metrics[name], random);
        let all = moment.capabilities.iter();
        let labels = |capability: &str| {
            let own = [("__name__", name), ("name", capability)];
            Labels::new(shared.iter().map(|(l, v)| (l.as_str(), v.as_str())).chain(own))
        };
        all.map(|(capability, on)| (labels(capability), f64::from(u8::from(*on)))).collect()
    }

    /// The labels of the scrape. Some series lack some of them.
    fn scrape(&self, metric: &Metric, random: &mut Random) -> BTreeMap<String, String> {
        let lacks = random.below(3) == 0;
        let mut labels = BTreeMap::new();
        for label in self.dictionary.scrape_of(metric) {
            if !(lacks && random.below(3) == 0) {
                labels.insert(label.clone(), self.text(label, random));
            }
        }
        labels
    }

    fn labels(
        &self,
        name: &str,
        forced: Option<(&str, &String)>,
        shared: &BTreeMap<String, String>,
        moment: &Moment<'_>,
        random: &mut Random,
    ) -> Labels {
        let metric = &self.dictionary.metrics[name];
        let mut labels = shared.clone();
        let of_object = name.starts_with("kube_");
        for label in self.dictionary.scrape_of(metric) {
            let is_object = ["namespace", "pod", "container"].contains(&label.as_str());
            if metric.per.contains(label) || of_object && is_object || random.below(30) == 0 {
                labels.insert(label.clone(), self.text(label, random));
            }
        }
        for (label, kind) in &metric.labels {
            let is_optional = metric.optional.contains(label);
            for label in self.spelled(label) {
                if is_optional && random.below(3) == 0 {
                    labels.remove(&label);
                } else {
                    labels.insert(label.clone(), self.value(&label, kind, random));
                }
            }
        }
        if let Some((label, value)) = forced {
            labels.insert(label.to_owned(), value.clone());
        }
        if name == "cluster_version" && labels["type"] == "current" {
            let version = if moment.says_version { moment.version.clone() } else { String::new() };
            labels.insert("version".to_owned(), version);
        }
        labels.insert("__name__".to_owned(), name.to_owned());
        Labels::new(labels)
    }

    /// The labels that a name with `*` stands for.
    fn spelled(&self, label: &str) -> Vec<String> {
        let Some(start) = label.strip_suffix('*') else { return vec![label.to_owned()] };
        let other = format!("{start}other");
        let asked = self.words.names.iter().filter(|name| name.starts_with(start)).cloned();
        asked.chain([other]).collect()
    }

    fn value(&self, label: &str, kind: &LabelKind, random: &mut Random) -> String {
        let LabelKind::These(values) = kind else { return self.text(label, random) };
        let asked = self.words.of_label.get(label).into_iter().flatten();
        let asked: Vec<&String> = asked.filter(|value| values.contains(value)).collect();
        let of =
            if asked.is_empty() || random.below(2) == 0 { values.iter().collect() } else { asked };
        of[random.below(of.len())].clone()
    }

    fn text(&self, label: &str, random: &mut Random) -> String {
        const OTHERS: &[&str] = &[
            "a",
            "b",
            "c",
            "4.9.1",
            "4.17.20",
            "aro",
            "x-1.example",
            "ä \"quoted\" \\d",
            "two\nlines",
        ];
        let asked = self.words.of_label.get(label).map_or(&[][..], Vec::as_slice);
        if asked.is_empty() || random.below(2) == 0 {
            return random.one(OTHERS).to_owned();
        }
        let asked = asked[random.below(asked.len())].clone();
        match random.below(12) {
            0 => asked + "x",
            1 if asked.chars().count() > 1 => asked.chars().skip(1).collect(),
            _ => asked,
        }
    }

    fn other_values(&self, name: &str, series: &Series, random: &mut Random) -> Series {
        let metric = &self.dictionary.metrics[name];
        if name == "cluster_version_capability" {
            return series.clone();
        }
        self.with_values(metric, series.iter().map(|(labels, _)| labels.clone()).collect(), random)
    }

    /// With values of one kind more often than mere chance has it.
    fn with_values(&self, metric: &Metric, all: Vec<Labels>, random: &mut Random) -> Series {
        let same = self.number(metric, random);
        let is_same = random.below(3) == 0;
        let with = |labels: Labels| {
            let drawn = if is_same { same } else { self.number(metric, random) };
            let zero = fixed(metric.zero_where.as_ref(), &labels, 0.0);
            let fixed = zero.or(fixed(metric.one_where.as_ref(), &labels, 1.0));
            (labels, fixed.unwrap_or(drawn))
        };
        all.into_iter().map(with).collect()
    }

    fn number(&self, metric: &Metric, random: &mut Random) -> f64 {
        if !metric.also.is_empty() && random.below(5) == 0 {
            return metric.also[random.below(metric.also.len())];
        }
        let of = |numbers: &[f64], random: &mut Random| numbers[random.below(numbers.len())];
        let asked = |numbers: &[f64], random: &mut Random| {
            let near = self.words.numbers.iter().flat_map(|n| [n - 1.0, *n, n + 1.0]);
            let near = near.filter(|n| *n >= 0.0 && n.fract() == 0.0 && *n < 1e12);
            of(&near.chain(numbers.iter().copied()).collect::<Vec<_>>(), random)
        };
        match &metric.values {
            Values::These(values) => of(values, random),
            Values::Kind(kind) => match kind.as_str() {
                "one" => 1.0,
                "flag" => of(&[0.0, 1.0], random),
                "time" => of(&[0.0, 1_000_000_000.0, 1_755_890_000.0, 1_793_534_400.0], random),
                "count" => asked(&[0.0, 0.0, 1.0, 2.0, 5.0, 121.0, 1_000_000.0], random),
                _ => asked(&[0.0, -1.0, 0.5, 1.0, 1e9], random),
            },
        }
    }
}

fn is_present(metric: &Metric, moment: &Moment<'_>, random: &mut Random) -> bool {
    let capability = metric.capability.as_ref();
    let is_off = capability.is_some_and(|name| moment.capabilities.get(name) == Some(&false));
    let at = |version: &Option<String>| version.as_deref().and_then(minor_of);
    let minor = minor_of(&moment.version);
    let is_too_old = at(&metric.since).zip(minor).is_some_and(|(since, minor)| minor < since);
    let is_too_new = at(&metric.until).zip(minor).is_some_and(|(until, minor)| minor > until);
    let lacks = metric.present != "always" && random.below(3) == 0;
    !is_off && !is_too_old && !is_too_new && !lacks
}

/// Whether a series can be there together with others.
fn fits(metric: &Metric, others: &[Labels], labels: &Labels) -> bool {
    let key = |labels: &Labels| -> Vec<String> {
        metric.per.iter().map(|label| labels.get(label).to_owned()).collect()
    };
    let is_second = |(label, values): (&String, &Vec<String>)| {
        let value = labels.get(label);
        values.iter().any(|single| single == value)
            && others.iter().any(|other| other.get(label) == value)
    };
    !metric.single.iter().any(is_second) && !others.iter().any(|other| key(other) == key(labels))
}

/// The value that the labels decide: `value` in these places, and else the other one.
fn fixed(places: Option<&LabelValues>, labels: &Labels, value: f64) -> Option<f64> {
    let is_there =
        places?.iter().any(|(label, values)| values.iter().any(|known| known == labels.get(label)));
    Some(if is_there { value } else { 1.0 - value })
}

/// The same series of new pods.
fn other_pods(series: &Series, random: &mut Random) -> Series {
    let new = random.below(1000);
    let renamed = |labels: &Labels| {
        let pairs = labels.iter().map(|(label, value)| {
            let is_of_pod = label == "pod" || label == "instance";
            (label.to_owned(), if is_of_pod { format!("{value}-{new}") } else { value.to_owned() })
        });
        Labels::new(pairs.collect::<Vec<_>>())
    };
    series.iter().map(|(labels, value)| (renamed(labels), *value)).collect()
}

/// The series of moments, each from a minute on, in the order of time.
fn stored(moments: &[(i64, Moment<'_>)]) -> Store {
    let mut series: BTreeMap<&Labels, Vec<Point>> = BTreeMap::new();
    for (nth, (since, moment)) in moments.iter().enumerate() {
        let until = moments.get(nth + 1).map_or(1, |(next, _)| *next);
        let time = |minute: i64| FIXED_TIME + minute * MINUTE;
        let now: BTreeMap<&Labels, f64> =
            moment.metrics.values().flatten().map(|(labels, value)| (labels, *value)).collect();
        for (labels, points) in &mut series {
            let is_over = points.last().is_some_and(Point::is_stale);
            if !is_over && !now.contains_key(labels) {
                points.push(Point::stale(time(*since)));
            }
        }
        for (labels, value) in now {
            let points = (*since..until).map(|minute| Point { time: time(minute), value });
            series.entry(labels).or_default().extend(points);
        }
    }
    let mut store = Store::default();
    for (labels, points) in series {
        store.replace(labels.clone(), points);
    }
    store
}

/// Series in the notation of `clusters/*.series`, one a line.
pub(crate) fn written(store: &Store) -> String {
    let mut text = String::new();
    let all = store.iter().flat_map(|(_, points)| points);
    let start = all.map(|point| point.time).min().unwrap_or(FIXED_TIME);
    for (labels, points) in store.iter() {
        let mut words: Vec<(String, usize)> = Vec::new();
        for time in (start..=FIXED_TIME).step_by(usize::try_from(MINUTE).unwrap()) {
            let word = match points.iter().find(|point| point.time == time) {
                None => "_".to_owned(),
                Some(point) if point.is_stale() => "stale".to_owned(),
                Some(point) => point.value.to_string(),
            };
            match words.last_mut() {
                Some((last, count)) if *last == word => *count += 1,
                _ => words.push((word, 1)),
            }
        }
        write!(text, "{labels}").unwrap();
        for (word, count) in words {
            match (word.as_str(), count) {
                (_, 1) => write!(text, " {word}").unwrap(),
                ("_", _) => write!(text, " _x{count}").unwrap(),
                _ => write!(text, " {word}x{}", count - 1).unwrap(),
            }
        }
        text.push('\n');
    }
    text
}
