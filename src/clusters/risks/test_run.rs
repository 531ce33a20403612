//! Runs the tests of risks.

use crate::cluster::{Explanation, Exposure, Recommendation};
use crate::domain::Named;
use crate::graph_data::{GraphData, Text};
use crate::metrics::{FIXED_TIME, FaultyPart, QueryError, SampleCluster, Series, Source};
use crate::promql::{Dialect, Limits};
use crate::text::words::list_all;
use crate::text::{SourceId, Span, closest};

use super::intent::{Agreement, Disagreement, Mistake, agreement};
use super::test_file::{RiskTest, RiskTests, WrittenIntent, WrittenTest};
use super::{Definition, Expectation, Risks, TestFault};

/// A test that was run.
#[derive(Debug)]
pub(crate) struct TestResult {
    pub(crate) risk: String,
    pub(crate) name: String,
    pub(crate) place: Span,
    pub(crate) outcome: TestOutcome,
}

#[derive(Debug)]
pub(crate) enum TestOutcome {
    Passed,
    /// The risk does something other than expected.
    Failed {
        expected: Expectation,
        found: Expectation,
        recommendation: Recommendation,
        /// A file with the declaration that was tested.
        declared_in: SourceId,
        /// Why each query has its answer.
        explanations: Vec<Explanation>,
    },
    /// The risk is about other clusters than `appliesTo` says.
    Differs {
        disagreements: Vec<Disagreement>,
        /// A file with the declaration that was compared.
        declared_in: SourceId,
    },
    /// It is unknown whether the risk is about the clusters of `appliesTo`. The text says why.
    NotDecided(String),
    /// The test cannot be run.
    Invalid(TestFault),
}

impl TestResult {
    pub(crate) fn failed(&self) -> bool {
        !matches!(self.outcome, TestOutcome::Passed | TestOutcome::NotDecided(_))
    }

    /// Why it failed, in one sentence. None if it did not fail.
    pub(crate) fn failure(&self) -> Option<String> {
        let what = match &self.outcome {
            TestOutcome::Passed | TestOutcome::NotDecided(_) => return None,
            TestOutcome::Differs { disagreements, .. } => {
                let is_there = |mistake| disagreements.iter().any(|one| one.mistake == mistake);
                let what = match (is_there(Mistake::Caught), is_there(Mistake::Missed)) {
                    (true, true) => "the query applies to other clusters than appliesTo",
                    (true, false) => "the query applies to clusters that appliesTo excludes",
                    (false, _) => {
                        "the query does not apply to all clusters that appliesTo includes"
                    }
                };
                what.to_owned()
            }
            TestOutcome::Failed { expected, found, .. } => {
                format!("expected {}, but found {}", expected.name(), found.name())
            }
            TestOutcome::Invalid(fault) => fault.message.clone(),
        };
        Some(format!("{}, {}: {what}", self.risk, self.name))
    }

    /// Why it has no verdict. None if it has one.
    pub(crate) fn doubt(&self) -> Option<String> {
        match &self.outcome {
            TestOutcome::NotDecided(why) => {
                Some(format!("{}, {}: not decided: {why}", self.risk, self.name))
            }
            _ => None,
        }
    }

    /// The place of the problem.
    pub(crate) fn problem_place(&self) -> &Span {
        match &self.outcome {
            TestOutcome::Invalid(TestFault { place: Some(place), .. }) => place,
            _ => &self.place,
        }
    }

    /// Whether it has no verdict.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.outcome, TestOutcome::NotDecided(_))
    }
}

/// Runs the tests of a file with a version of Prometheus. Answers are explained only for a width, for
/// which the queries in explanations are laid out.
pub(crate) fn run_tests(
    tests: &RiskTests,
    data: &GraphData,
    risks: &Risks<'_>,
    dialect: Dialect,
    width: Option<usize>,
) -> Vec<TestResult> {
    let run = TestRun { tests, data, risks, dialect, width };
    let intent = tests.intent.iter().map(|intent| run.intent_result(intent));
    intent.chain(tests.tests.iter().map(|test| run.result(test))).collect()
}

/// The tests of a file, and what they need to run.
struct TestRun<'a> {
    tests: &'a RiskTests,
    data: &'a GraphData,
    risks: &'a Risks<'a>,
    dialect: Dialect,
    width: Option<usize>,
}

impl<'a> TestRun<'a> {
    fn intent_result(&self, intent: &WrittenIntent) -> TestResult {
        let outcome = self.intent_outcome(intent).unwrap_or_else(TestOutcome::Invalid);
        let (risk, name) = (self.tests.risk.value.to_string(), "appliesTo".to_owned());
        TestResult { risk, name, place: intent.place, outcome }
    }

    fn intent_outcome(&self, written: &WrittenIntent) -> Result<TestOutcome, TestFault> {
        let intent = written.intent.as_ref().map_err(Clone::clone)?;
        let mut outcome = TestOutcome::Passed;
        // If files disagree, each of them must agree with the intent.
        for definition in self.definitions()? {
            match agreement(written.place, intent, definition, &self.data.queries)? {
                Agreement::Agrees => {}
                Agreement::NotDecided(why) => outcome = TestOutcome::NotDecided(why),
                Agreement::Differs(disagreements) => {
                    let Some(newest) = definition.edges.last() else { continue };
                    return Ok(TestOutcome::Differs { disagreements, declared_in: newest.file });
                }
            }
        }
        Ok(outcome)
    }

    fn result(&self, test: &WrittenTest) -> TestResult {
        let outcome = match &test.test {
            Ok(test) => self.outcome(test).unwrap_or_else(TestOutcome::Invalid),
            Err(fault) => TestOutcome::Invalid(fault.clone()),
        };
        let (name, place) = (test.name.clone(), test.place);
        TestResult { risk: self.tests.risk.value.to_string(), name, place, outcome }
    }

    /// The definitions of the risk.
    fn definitions(&self) -> Result<&'a [Definition<'a>], TestFault> {
        let risk = &self.tests.risk;
        let definitions = self.risks.get(&risk.value).ok_or_else(|| {
            let meant = closest(&risk.value, self.risks.names());
            let meant =
                meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
            fault(risk.span, format!("no file declares the risk `{}`{meant}", risk.value))
        })?;
        if let Some(path) = self.risks.unread_file(&risk.value) {
            let message = format!("{path} cannot be read, so it is not known what the risk does");
            return Err(fault(risk.span, message));
        }
        Ok(definitions)
    }

    fn outcome(&self, test: &RiskTest) -> Result<TestOutcome, TestFault> {
        let definitions = self.definitions()?;
        let source = Source::Series(self.cluster(test)?, self.dialect);
        let queries: usize = definitions.iter().map(|one| one.queries().count()).sum();
        let limits = Limits::shared_by(queries * self.tests.tests.len());
        // If files disagree, each of them must pass.
        for definition in definitions {
            let exposure = definition
                .exposure(&source, limits)
                .map_err(|error| fault(test.place, cannot_evaluate(&error)))?;
            let found = match exposure {
                Exposure::Exposed => Expectation::Applies,
                Exposure::NotExposed => Expectation::NotApplies,
                Exposure::Unknown(_) => Expectation::Unknown,
            };
            let newest = definition.edges.last();
            if let (true, Some(newest)) = (found != test.expected, newest) {
                let explained = self.width.into_iter().flat_map(|width| {
                    let queries = definition.queries();
                    queries
                        .filter_map(|query| Explanation::of(query, &source, width))
                        .collect::<Vec<_>>()
                });
                return Ok(TestOutcome::Failed {
                    expected: test.expected,
                    found,
                    recommendation: definition.recommendation(&exposure),
                    declared_in: newest.file,
                    explanations: explained.collect(),
                });
            }
        }
        Ok(TestOutcome::Passed)
    }

    /// The series of a test's cluster.
    fn cluster(&self, test: &RiskTest) -> Result<Series, TestFault> {
        let mut series = match &test.cluster {
            None => Series::at(FIXED_TIME),
            Some(name) => SampleCluster::named(&name.value)
                .ok_or_else(|| fault(name.span, unknown_cluster(&name.value)))?
                .series(None),
        };
        for selector in &test.without {
            let removed = series.remove(&selector.value);
            let count = removed
                .map_err(|error| fault(self.within(selector, error.range.start), error.message))?;
            if count == 0 {
                let message = "this selects no series of the cluster";
                return Err(fault(selector.span, message.to_owned()));
            }
        }
        for (labels, values) in &test.with {
            series.add(&labels.value, &values.value).map_err(|found| {
                let place = match found.part {
                    FaultyPart::Series => labels,
                    FaultyPart::Values => values,
                };
                fault(self.within(place, found.at), found.to_string())
            })?;
        }
        Ok(series)
    }

    /// The place of a byte in a text.
    fn within(&self, text: &Text, at: usize) -> Span {
        let rest = text.value.get(at..).unwrap_or_default();
        match rest.chars().next() {
            Some(c) => self.data.span_within(text.span.source, text.node, at..at + c.len_utf8()),
            None => text.span,
        }
    }
}

fn fault(place: Span, message: String) -> TestFault {
    TestFault::at(place, message)
}

fn cannot_evaluate(error: &QueryError) -> String {
    format!("exitpath cannot evaluate the query: {}", error.words())
}

fn unknown_cluster(name: &str) -> String {
    let names: Vec<&str> = SampleCluster::names().collect();
    let hint = match closest(name, names.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("the sample clusters are {}", list_all(&names, "and")),
    };
    format!("there is no sample cluster `{name}`; {hint}")
}
