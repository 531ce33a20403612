//! What the risks of a repository mean for clusters: on sample clusters, and in their tests.

mod definition;
mod expectation;
mod graph_risk;
mod intent;
mod new_test_file;
mod sample_verdict;
mod test_fault;
mod test_file;
mod test_run;
mod tested;
mod unshown;

pub(crate) use definition::{Definition, Risks};
pub(crate) use expectation::Expectation;
pub(crate) use graph_risk::{Questions, exposure_of, understood_rules};
pub(crate) use intent::Disagreement;
pub(crate) use new_test_file::new_test_file;
pub(crate) use sample_verdict::{SampleVerdict, applies_to_no_sample, sample_verdicts};
pub(crate) use test_fault::TestFault;
pub(crate) use test_file::TestFile;
pub(crate) use test_run::{TestOutcome, TestResult};
#[cfg(feature = "lsp")]
pub(crate) use tested::TestProblem;
pub(crate) use tested::{Tested, TestedFile};
pub(crate) use unshown::Unshown;

/// The folder of the tests, beside the data.
pub(crate) const TESTS_FOLDER: &str = "risk-tests";
