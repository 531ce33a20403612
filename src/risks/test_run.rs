//! Runs the tests of risks.

use std::collections::BTreeMap;

use crate::cluster::{Explanation, Exposure, Recommendation};
use crate::domain::Named;
use crate::metrics::{FIXED_TIME, Part, QueryError, SampleCluster, Series, Source};
use crate::promql::Dialect;
use crate::text::{Span, closest};

use super::test_file::{RiskTest, RiskTests};
use super::{Definition, Expectation, TestFault};

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
    /// The risk does something else.
    Failed {
        expected: Expectation,
        found: Expectation,
        recommendation: Recommendation,
        /// Why each query has its answer.
        explanations: Vec<Explanation>,
    },
    /// The test cannot be run.
    Invalid(TestFault),
}

impl TestResult {
    pub(crate) fn passed(&self) -> bool {
        matches!(self.outcome, TestOutcome::Passed)
    }
}

/// Runs the tests of a file. Long lines of queries are laid out anew for this width.
pub(crate) fn run_tests(
    tests: &RiskTests,
    risks: &BTreeMap<&str, Vec<Definition<'_>>>,
    dialect: Dialect,
    width: usize,
) -> Vec<TestResult> {
    let risk = tests.risk.value.as_str();
    let run = |test: &RiskTest| TestResult {
        risk: risk.to_owned(),
        name: test.name.clone(),
        place: test.place,
        outcome: outcome(tests, test, risks, dialect, width),
    };
    tests.tests.iter().map(run).collect()
}

fn outcome(
    tests: &RiskTests,
    test: &RiskTest,
    risks: &BTreeMap<&str, Vec<Definition<'_>>>,
    dialect: Dialect,
    width: usize,
) -> TestOutcome {
    let fault = |place: Span, message: String| {
        TestOutcome::Invalid(TestFault { place: Some(place), message })
    };
    let Some(definitions) = risks.get(tests.risk.value.as_str()) else {
        let meant = closest(&tests.risk.value, risks.keys().copied());
        let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        let message = format!("no file declares the risk `{}`{meant}", tests.risk.value);
        return fault(tests.risk.span, message);
    };
    let source = match cluster(test) {
        Ok(series) => Source::Series(series, dialect),
        Err(fault) => return TestOutcome::Invalid(fault),
    };
    // If files disagree, all of them must pass.
    for definition in definitions {
        let exposure = match definition.exposure(&source) {
            Ok(exposure) => exposure,
            Err(error) => return fault(test.place, cannot_evaluate(&error)),
        };
        let found = match exposure {
            Exposure::Exposed => Expectation::Applies,
            Exposure::NotExposed => Expectation::NotApplies,
            Exposure::Unknown(_) => Expectation::Unknown,
        };
        if found != test.expected {
            let queries = definition.queries();
            let explained = queries.filter_map(|query| Explanation::of(query, &source, width));
            return TestOutcome::Failed {
                expected: test.expected,
                found,
                recommendation: definition.recommendation(&exposure),
                explanations: explained.collect(),
            };
        }
    }
    TestOutcome::Passed
}

fn cannot_evaluate(error: &QueryError) -> String {
    format!("exitpath cannot evaluate the query: {}", error.words())
}

/// The series of a test's cluster.
fn cluster(test: &RiskTest) -> Result<Series, TestFault> {
    let fault = |place: Span, message: String| TestFault { place: Some(place), message };
    let mut series = match &test.cluster {
        None => Series::at(FIXED_TIME),
        Some(name) => {
            let named = SampleCluster::named(&name.value).ok_or_else(|| {
                let names: Vec<&str> = SampleCluster::names().collect();
                let message = format!("there is no sample cluster `{}`", name.value);
                let hint = match closest(&name.value, names.iter().copied()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("the sample clusters are {}", names.join(", ")),
                };
                fault(name.span, format!("{message}; {hint}"))
            })?;
            named.series(None)
        }
    };
    for selector in &test.without {
        let removed = series.remove(&selector.value);
        let count = removed.map_err(|error| fault(selector.span, error.message))?;
        if count == 0 {
            return Err(fault(selector.span, "this selects no series of the cluster".to_owned()));
        }
    }
    for (labels, values) in &test.with {
        series.add(&labels.value, &values.value).map_err(|found| {
            let place = match found.part {
                Part::Series => labels,
                Part::Values => values,
            };
            fault(place.span, found.to_string())
        })?;
    }
    Ok(series)
}
