//! A first test file for a risk: what it does today on the sample clusters, for its author to judge.

use std::fmt::Write;

use crate::cluster::Exposure;
use crate::domain::Named;
use crate::promql::Dialect;

use super::{Definition, Expectation, sample_verdicts};

/// A new file of `risk-tests/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FirstTest {
    pub(crate) file_name: String,
    pub(crate) text: String,
}

/// A file with a test for each sample cluster. The error says why it cannot be made.
pub(crate) fn first_test(
    definitions: &[Definition<'_>],
    dialect: Dialect,
) -> Result<FirstTest, String> {
    let [definition, others @ ..] = definitions else { return Err("there is no risk".into()) };
    if others.iter().any(|other| other.rules != definition.rules) {
        let path = "`exitpath check --select risk-disagrees` shows where";
        return Err(format!("the files of the risk have different rules: {path}"));
    }
    let name = definition.name;
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if name.is_empty() || name.len() > 200 || !name.chars().all(is_safe) {
        return Err("the name of the risk cannot be the name of a file".into());
    }
    let mut text = format!(
        "# What the risk does today. Is it what it should do? Correct the line if not.\nrisk: {name}\ntests:\n"
    );
    for verdict in sample_verdicts(definition, dialect) {
        let exposure = verdict
            .exposure
            .map_err(|error| format!("exitpath cannot evaluate the query: {}", error.words()))?;
        let (expected, why) = match exposure {
            Exposure::Exposed => (Expectation::Applies, String::new()),
            Exposure::NotExposed => (Expectation::NotApplies, String::new()),
            Exposure::Unknown(why) => (Expectation::Unknown, format!("  # {}", one_line(&why))),
        };
        let cluster = verdict.cluster;
        let _ = write!(
            text,
            "# {}\n- cluster: {}\n  expect: {}{why}\n",
            one_line(cluster.title()),
            cluster.name(),
            expected.name()
        );
    }
    Ok(FirstTest { file_name: format!("{name}.yaml"), text })
}

/// Text for a comment.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
