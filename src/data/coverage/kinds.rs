//! The kinds of series of a metric that queries can tell apart.
//!
//! Two series are of one kind if the same selectors select them, and if the dictionary says the
//! same of both. One or two examples represent all series of a kind.

use std::collections::{BTreeMap, BTreeSet};

use crate::promql::{self, MatchOp, Matcher, Selector};

use super::dictionary::{Dictionary, LabelKind, Metric};
use super::rarity::Rarity;
use super::sight::{SeenLabels, Sight};

/// The labels of a series, without the metric's name.
pub(super) type SeriesLabels = BTreeMap<String, String>;

/// A selector of a metric, and what its query can see of the selected series.
pub(super) struct SelectorSight<'q> {
    pub(super) selector: &'q Selector,
    pub(super) sight: &'q Sight,
}

/// A kind of series that at least one selector selects.
pub(super) struct SeriesKind {
    /// An example and, if a cluster can have two series of the kind at once, a second one that the
    /// query can tell from the first.
    pub(super) examples: Vec<SeriesLabels>,
    pub(super) sight: Sight,
    /// Whether some selectors of the kind look only at the present, and others also at the past.
    pub(super) is_seen_twice: bool,
    /// How usual a series of this kind is.
    pub(super) rarity: Rarity,
    /// How usual two series of this kind at once are.
    pub(super) twice: Rarity,
}

/// The kinds of series of a metric.
pub(super) struct Kinds {
    pub(super) seen: Vec<SeriesKind>,
    /// One example of each kind of series that no selector selects.
    pub(super) unseen: Vec<SeriesLabels>,
}

/// The most combinations of labels to consider.
const MOST: usize = 512;

impl Kinds {
    /// Finds the kinds. None if there are too many.
    pub(super) fn of(
        metric: &Metric,
        asked: &[SelectorSight<'_>],
        dictionary: &Dictionary,
    ) -> Option<Self> {
        let finder = Finder { metric, asked, dictionary };
        let labels = finder.labels();
        let values: Vec<Vec<String>> = labels.iter().map(|label| finder.values(label)).collect();
        let mut combinations = vec![finder.filled()];
        for (label, values) in labels.iter().zip(&values) {
            if combinations.len() * values.len() > MOST {
                return None;
            }
            combinations = crossed(&combinations, label, values);
        }
        let mut by_signature: Vec<(Signature, Vec<SeriesLabels>)> = Vec::new();
        for labels in combinations {
            let signature = finder.signature(&labels);
            match by_signature.iter_mut().find(|(known, _)| *known == signature) {
                Some((_, same)) => same.push(labels),
                None => by_signature.push((signature, vec![labels])),
            }
        }
        let mut kinds = Self { seen: Vec::new(), unseen: Vec::new() };
        for (signature, labels) in by_signature {
            match finder.kind(&signature, &labels) {
                Some(kind) => kinds.seen.push(kind),
                None => kinds.unseen.extend(labels.into_iter().take(1)),
            }
        }
        Some(kinds)
    }
}

fn crossed(known: &[SeriesLabels], label: &str, values: &[String]) -> Vec<SeriesLabels> {
    let with = |labels: &SeriesLabels, value: &String| {
        let mut labels = labels.clone();
        if value.is_empty() {
            labels.remove(label);
        } else {
            labels.insert(label.to_owned(), value.clone());
        }
        labels
    };
    known.iter().flat_map(|labels| values.iter().map(move |value| with(labels, value))).collect()
}

/// Series with equal signatures are of one kind.
#[derive(PartialEq, Eq)]
struct Signature {
    /// For each selector, whether it selects the series.
    selected: Vec<bool>,
    /// The values of labels that decide something in the dictionary.
    deciding: Vec<String>,
}

struct Finder<'a> {
    metric: &'a Metric,
    asked: &'a [SelectorSight<'a>],
    dictionary: &'a Dictionary,
}

/// Values for labels that can have any value. The second one sorts before most others, because
/// `topk` takes the first of equal samples.
const EXAMPLES: [&str; 2] = ["example", "0-example"];

impl Finder<'_> {
    fn matchers(&self, label: &str) -> impl Iterator<Item = &Matcher> {
        let matchers = self.asked.iter().flat_map(|asked| &asked.selector.matchers);
        matchers.filter(move |matcher| matcher.label.value == label)
    }

    /// The labels that a selector, the query, or the dictionary looks at.
    fn labels(&self) -> BTreeSet<String> {
        let matchers = self.asked.iter().flat_map(|asked| &asked.selector.matchers);
        let mut labels: BTreeSet<String> = matchers.map(|m| m.label.value.clone()).collect();
        labels.remove("__name__");
        for asked in self.asked {
            if let SeenLabels::These(seen) = &asked.sight.labels {
                labels.extend(seen.iter().cloned());
            }
        }
        labels.extend(self.metric.deciding_labels().map(str::to_owned));
        labels
    }

    /// The labels that every series of the metric has.
    fn filled(&self) -> SeriesLabels {
        let own = self.metric.own_labels();
        let own = own.filter(|label| !label.ends_with('*') && !self.metric.is_optional(label));
        own.map(|label| {
            let listed = self.metric.listed_values(label).and_then(<[String]>::first);
            (label.to_owned(), listed.cloned().unwrap_or_else(|| EXAMPLES[0].to_owned()))
        })
        .collect()
    }

    /// The values of a label. Of values that nothing tells apart, it keeps at most two.
    fn values(&self, label: &str) -> Vec<String> {
        let mut all: Vec<String> = match self.dictionary.values_of(self.metric, label) {
            None => return vec![String::new()],
            Some(LabelKind::These(values)) => values.clone(),
            Some(LabelKind::Any(_)) => {
                let texts = self.matchers(label).flat_map(texts_of);
                let deciding = self.metric.deciding_values(label).cloned();
                let texts = texts.filter(|text| !text.is_empty());
                deciding.chain(texts).chain(EXAMPLES.map(str::to_owned)).collect()
            }
        };
        if self.metric.is_optional(label) || self.is_of_scrape(label) {
            all.push(String::new());
        }
        let signature = |value: &String| {
            let admitted = self.matchers(label).map(|m| m.admits(value, true).unwrap_or(false));
            let decides = self.metric.deciding_values(label).position(|known| known == value);
            (admitted.collect::<Vec<bool>>(), decides, value.is_empty())
        };
        let mut kept: Vec<(_, String)> = Vec::new();
        for value in all {
            let signature = signature(&value);
            let same = kept.iter().filter(|(known, _)| *known == signature).count();
            if same < 2 && kept.iter().all(|(_, known)| *known != value) {
                kept.push((signature, value));
            }
        }
        kept.into_iter().map(|(_, value)| value).collect()
    }

    /// Whether a label comes from the scrape. Some series may lack it.
    fn is_of_scrape(&self, label: &str) -> bool {
        self.metric.own(label).is_none() && self.dictionary.values_of(self.metric, label).is_some()
    }

    fn signature(&self, labels: &SeriesLabels) -> Signature {
        let value = |label: &str| labels.get(label).map_or("", String::as_str);
        let admits = |m: &Matcher| {
            m.label.value == "__name__" || m.admits(value(&m.label.value), true).unwrap_or(false)
        };
        let selected = self.asked.iter().map(|asked| asked.selector.matchers.iter().all(admits));
        let deciding = self.metric.deciding_labels().filter_map(|label| {
            let mut known = self.metric.deciding_values(label);
            known.find(|known| *known == value(label)).map(|known| format!("{label}={known}"))
        });
        let (selected, deciding) = (selected.collect(), deciding.collect());
        Signature { selected, deciding }
    }

    /// The kind with this signature. None if no selector selects its series.
    fn kind(&self, signature: &Signature, labels: &[SeriesLabels]) -> Option<SeriesKind> {
        let selecting =
            self.asked.iter().zip(&signature.selected).filter(|(_, selected)| **selected);
        let selecting: Vec<&SelectorSight> = selecting.map(|(asked, _)| asked).collect();
        let sights = selecting.iter().map(|asked| asked.sight.clone());
        let sight = sights.reduce(|one, other| one.and(&other))?;
        let base = labels.first()?;
        let second = self.second(base, labels, &sight);
        let windows = selecting.iter().map(|asked| asked.sight.window > 0.0);
        let is_seen_twice =
            windows.clone().any(|is_back| is_back) && !windows.clone().all(|is_back| is_back);
        let both = |second: &SeriesLabels| self.rarity_of_both(base, second);
        let twice = second.as_ref().map_or(Rarity::Common, both);
        let lacks = |label: &str| self.is_of_scrape(label) && !base.contains_key(label);
        let mut matchers = self.asked.iter().flat_map(|asked| &asked.selector.matchers);
        let is_rare = matchers.any(|matcher| lacks(&matcher.label.value));
        let rarity = if is_rare { Rarity::Rare } else { Rarity::Common };
        let examples = std::iter::once(base.clone()).chain(second).collect();
        Some(SeriesKind { examples, sight, is_seen_twice, rarity, twice })
    }

    /// A second series of the kind that can exist at the same time, and that the query can tell
    /// from the first.
    fn second(
        &self,
        base: &SeriesLabels,
        same: &[SeriesLabels],
        sight: &Sight,
    ) -> Option<SeriesLabels> {
        let differs = |other: &SeriesLabels, label: &str| other.get(label) != base.get(label);
        let is_seen = |other: &SeriesLabels| {
            other
                .keys()
                .chain(base.keys())
                .any(|label| sight.labels.shows(label) && differs(other, label))
        };
        let is_other =
            |other: &SeriesLabels| self.metric.per.iter().any(|label| differs(other, label));
        let apart = |other: &SeriesLabels| {
            if is_other(other) {
                return Some(other.clone());
            }
            // The series may differ in a label that no selector mentions, such as the pod.
            let mentioned = |label: &&String| self.matchers(label).next().is_some();
            let free = self.metric.per.iter().find(|label| !mentioned(label))?;
            let mut other = other.clone();
            other.insert(free.clone(), EXAMPLES[1].to_owned());
            Some(other)
        };
        let mut candidates = same.iter().filter(|other| is_seen(other));
        candidates.find_map(apart).or_else(|| {
            let twin = apart(base)?;
            // A filter can tell two series with different values apart.
            (sight.values || is_seen(&twin)).then_some(twin)
        })
    }

    /// How usual two series at once are. If a pattern such as `apple[.].*` stands for one thing,
    /// there are two series only while one replaces the other.
    fn rarity_of_both(&self, one: &SeriesLabels, other: &SeriesLabels) -> Rarity {
        let differing = one.keys().filter(|label| one.get(*label) != other.get(*label));
        let of_label = differing.filter_map(|label| {
            let mut patterns = self.matchers(label).filter(|m| m.op == MatchOp::Regex);
            let pattern = patterns.find(|m| m.admits(&one[label], true).unwrap_or(false))?;
            let names_several = promql::regex::names_several(&pattern.value.value);
            Some(if names_several { Rarity::Rare } else { Rarity::Passing })
        });
        of_label.max().unwrap_or(Rarity::Common)
    }
}

/// Texts of a label that this matcher can tell from others.
fn texts_of(matcher: &Matcher) -> Vec<String> {
    match matcher.op {
        MatchOp::Equal | MatchOp::NotEqual => vec![matcher.value.value.clone()],
        MatchOp::Regex | MatchOp::NotRegex => promql::regex::samples(&matcher.value.value),
    }
}
