//! Whether the query of a risk applies to just the clusters that `appliesTo` means.

use crate::cluster::MatchingRule;
use crate::coverage::{Difference, Example, Outcome};
use crate::graph_data::Queries;
use crate::promql;
use crate::risks::Definition;
use crate::risks::test_fault::TestFault;
use crate::text::Span;
use crate::text::words::{listed, quoted};

use super::comparison::{Compared, Meant};
use super::keys;
use super::read::Intent;

/// Whether a risk and an intent are about the same clusters.
#[derive(Debug)]
pub(crate) enum Agreement {
    /// They are, on all clusters that can exist.
    Agrees,
    /// They are not. One or two example clusters show it.
    Differs(Vec<Disagreement>),
    /// No cluster shows a difference, but exitpath cannot consider all clusters. The text says why.
    NotDecided(String),
}

impl Mistake {
    /// The name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Caught => "caught",
            Self::Missed => "missed",
        }
    }
}

/// A cluster that shows that a query and an intent are about different clusters.
#[derive(Clone, Debug)]
pub(crate) struct Disagreement {
    pub(crate) mistake: Mistake,
    /// How it differs from a usual cluster, as words after "a cluster".
    pub(crate) words: String,
    /// Its series, as lines of a `.series` file.
    pub(crate) series: Vec<String>,
    /// The answer of the query on the cluster.
    pub(crate) answer: Outcome,
}

const WITHOUT_SERIES: &str = "without any series that the query selects";

impl Disagreement {
    /// What is wrong, as words before the series of the cluster.
    pub(crate) fn words_before_series(&self) -> String {
        let what = match self.mistake {
            Mistake::Caught => "wrongly caught",
            Mistake::Missed => "missed",
        };
        let cluster = match self.series.as_slice() {
            [] => WITHOUT_SERIES,
            [_] => "with this series",
            _ => "with these series",
        };
        format!("{what}: the query {} on a cluster {cluster}", self.answers())
    }

    /// What is wrong, as the beginning of a sentence.
    pub(crate) fn sentence(&self) -> String {
        let should = match self.mistake {
            Mistake::Caught => "should not apply",
            Mistake::Missed => "should apply",
        };
        let cluster = match self.series.as_slice() {
            [] => WITHOUT_SERIES.to_owned(),
            series => format!("with {}", listed(&quoted(series), "and")),
        };
        format!("on a cluster {cluster}, the query {}, but {should}", self.answers())
    }

    /// What the query answers there. It omits the text of an error, which `promql eval` shows.
    fn answers(&self) -> String {
        match &self.answer {
            Outcome::Error(_) => "fails".to_owned(),
            other => other.in_words(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mistake {
    /// The query applies to a cluster that the intent does not mean.
    Caught,
    /// The query does not apply to a cluster that the intent means.
    Missed,
}

/// Compares an intent with a risk. The fault says why that is impossible.
pub(crate) fn agreement(
    place: Span,
    intent: &Intent,
    definition: &Definition<'_>,
    queries: &Queries,
) -> Result<Agreement, TestFault> {
    let text = match definition.rules.as_slice() {
        [MatchingRule::Always, ..] => "vector(1)",
        [MatchingRule::PromQl(text)] => text,
        [] => return Err(TestFault::at(place, "the risk has no rule that clusters understand")),
        _ => return Ok(Agreement::NotDecided("the risk has several rules".into())),
    };
    let Ok(query) = promql::parse(text) else {
        return Err(TestFault::at(place, "the query of the risk is not valid"));
    };
    let reading = queries.reading(text);
    let dictionary = reading.map_or(queries.dictionary(), |one| queries.dictionary_of(one));
    let meant = Meant::new(text, &query, dictionary);
    let too_large = |_| TestFault::at(place, "these are too many conditions");
    for (place, condition) in &intent.alternatives {
        if meant.is_impossible(condition).map_err(too_large)? {
            let message = "no cluster is like this: the conditions exclude each other, or none of the \
                           versions in `from` can fulfill them";
            return Err(TestFault::at(*place, message));
        }
    }
    let alternatives = intent.alternatives.iter().map(|(_, one)| one.clone());
    let all = keys::any(alternatives.collect());
    meant.compared(&all).map(verdict).map_err(too_large)
}

fn verdict(Compared { difference, is_proved }: Compared) -> Agreement {
    let shown = |mistake, example: Option<Example>| {
        example.map(|Example { words, series, after, .. }| Disagreement {
            mistake,
            words,
            series,
            answer: after,
        })
    };
    let Difference { caught, missed, .. } = difference;
    let caught = shown(Mistake::Caught, caught).into_iter();
    let disagreements: Vec<_> = caught.chain(shown(Mistake::Missed, missed)).collect();
    match (disagreements.is_empty(), is_proved) {
        (false, _) => Agreement::Differs(disagreements),
        (true, true) => Agreement::Agrees,
        (true, false) => Agreement::NotDecided(
            "exitpath knows no cluster on which they differ, but cannot prove that there is none"
                .into(),
        ),
    }
}
