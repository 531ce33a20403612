//! What the test files about some files of a repository say.

use crate::domain::Severity;
use crate::graph_data::GraphData;
use crate::promql::Dialect;
use crate::text::{SourceId, Span};

use super::test_run::run_tests;
use super::unshown::unshown;
use super::{Disagreement, Risks, TestFault, TestFile, TestOutcome, TestResult, Unshown};

/// The results of test files.
#[derive(Debug)]
pub(crate) struct Tested<'d> {
    pub(crate) files: Vec<TestedFile<'d>>,
    /// The risks of which no test shows a cluster to which they apply.
    pub(crate) unshown: Vec<Unshown>,
}

/// The results of a test file, or why there are none.
#[derive(Debug)]
pub(crate) struct TestedFile<'d> {
    pub(crate) file: SourceId,
    pub(crate) path: &'d str,
    pub(crate) results: Result<Vec<TestResult>, Vec<TestFault>>,
}

/// What is wrong in a test file, in one line.
#[derive(Debug)]
pub(crate) struct TestProblem {
    pub(crate) severity: Severity,
    pub(crate) file: SourceId,
    /// None if it is about the whole file.
    pub(crate) place: Option<Span>,
    pub(crate) message: String,
}

impl<'d> Tested<'d> {
    /// Runs the test files that are among some files, or that test a risk that one of them
    /// declares. Answers are explained only for a width.
    pub(crate) fn about(
        data: &'d GraphData,
        is_meant: &dyn Fn(SourceId) -> bool,
        dialect: Dialect,
        width: Option<usize>,
    ) -> Self {
        let all: Vec<TestFile<'d>> = TestFile::all(data).collect();
        if all.is_empty() {
            return Self { files: Vec::new(), unshown: Vec::new() };
        }
        let risks = Risks::of(data);
        let is_about = |test: &&TestFile<'_>| is_about(test, is_meant, &risks);
        let about: Vec<&TestFile<'d>> = all.iter().filter(is_about).collect();
        let names: Vec<&str> = about.iter().filter_map(|test| test.risk()).collect();
        let of_same_risks = all.iter().filter_map(|test| test.tests.as_ref().ok());
        let of_same_risks =
            of_same_risks.filter(|tests| names.contains(&tests.risk.value.as_str()));
        let unshown = unshown(of_same_risks, &risks, dialect);
        let files = about.into_iter().map(|test| TestedFile {
            file: test.file.id,
            path: data.path(test.file.id),
            results: match &test.tests {
                Ok(tests) => Ok(run_tests(tests, data, &risks, dialect, width)),
                Err(faults) => Err(faults.clone()),
            },
        });
        Self { files: files.collect(), unshown }
    }

    pub(crate) fn problems(&self) -> impl Iterator<Item = TestProblem> {
        let unshown = self.unshown.iter().map(|unshown| TestProblem {
            severity: Severity::Warning,
            file: unshown.place.source,
            place: Some(unshown.place),
            message: unshown.message(),
        });
        self.files.iter().flat_map(TestedFile::problems).chain(unshown)
    }
}

impl TestedFile<'_> {
    fn problems(&self) -> Vec<TestProblem> {
        match &self.results {
            Ok(results) => results.iter().filter_map(|result| self.problem(result)).collect(),
            Err(faults) => faults
                .iter()
                .map(|fault| TestProblem {
                    severity: Severity::Error,
                    file: self.file,
                    place: fault.place,
                    message: fault.message.clone(),
                })
                .collect(),
        }
    }

    /// None if a test passed.
    fn problem(&self, result: &TestResult) -> Option<TestProblem> {
        let failure = result.failure().map(|words| match &result.outcome {
            TestOutcome::Differs { disagreements, .. } => {
                let shown: Vec<String> = disagreements.iter().map(Disagreement::sentence).collect();
                format!("{words}: {}", shown.join("; "))
            }
            _ => words,
        });
        let (severity, message) = match failure {
            Some(failure) => (Severity::Error, failure),
            None => (Severity::Warning, result.doubt()?),
        };
        let place = Some(*result.problem_place());
        Some(TestProblem { severity, file: self.file, place, message })
    }
}

/// Whether a test file is among some files, or tests a risk that one of them declares.
fn is_about(test: &TestFile<'_>, is_meant: &dyn Fn(SourceId) -> bool, risks: &Risks<'_>) -> bool {
    let definitions = test.risk().and_then(|risk| risks.get(risk));
    let mut edges = definitions.into_iter().flatten().flat_map(|definition| &definition.edges);
    is_meant(test.file.id) || edges.any(|edge| is_meant(edge.file))
}
