//! Makes the first test file of a risk. It says what the risk does today on the sample clusters,
//! for its author to check.

use std::fmt::Write;

use crate::cluster::Exposure;
use crate::coverage::{Dictionary, Examples};
use crate::domain::Named;
use crate::metrics::{FIXED_TIME, Series, Source};
use crate::promql::{self, Dialect, Limits};
use crate::text::{Failure, printable_json};

use super::{Definition, Expectation, applies_to_no_sample, sample_verdicts};

/// A new file of `risk-tests/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FirstTest {
    pub(crate) file_name: String,
    pub(crate) text: String,
}

/// Makes a file with a test for each sample cluster. The error says why that is impossible.
pub(crate) fn new_test_file(
    definitions: &[Definition<'_>],
    dialect: Dialect,
    dictionary: &Dictionary,
) -> Result<FirstTest, Failure> {
    let [definition, others @ ..] = definitions else { return Err("there is no risk".into()) };
    if others.iter().any(|other| other.rules != definition.rules) {
        let path = "`exitpath check --select risk-disagrees` shows where";
        return Err(Failure::new(format!("the files of the risk have different rules: {path}")));
    }
    let name = definition.name;
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if name.is_empty() || name.len() > 200 || !name.chars().all(is_safe) {
        return Err("the name of the risk cannot be the name of a file".into());
    }
    let mut text = format!(
        "# What the risk does today. Is it what it should do? Correct the line if not.\nrisk: {name}\ntests:\n"
    );
    let verdicts = sample_verdicts(definition, dialect);
    let is_unshown = applies_to_no_sample(definition, &verdicts);
    for verdict in verdicts {
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
    if is_unshown {
        text.push_str(&shown(definition, dialect, dictionary).unwrap_or_else(|| {
            "# No cluster is known to which the risk applies. Write a test with series of your own.\n"
                .to_owned()
        }));
    }
    Ok(FirstTest { file_name: format!("{name}.yaml"), text })
}

/// A test with a small cluster to which the risk applies, if one is found.
fn shown(definition: &Definition<'_>, dialect: Dialect, dictionary: &Dictionary) -> Option<String> {
    let queries = definition.queries().filter_map(|text| promql::parse_as(text, dialect).ok());
    let mut clusters = queries.filter_map(|query| Examples::of(&query, dictionary).applies);
    clusters.find_map(|example| {
        let lines = example.series;
        let mut cluster = Series::at(FIXED_TIME);
        let mut text = format!(
            "# No sample cluster has what the risk is about. This small one has: is it right?\n\
             - name: {SHOWN}\n{}",
            if lines.is_empty() { "" } else { "  with:\n" }
        );
        for line in &lines {
            let (series, values) = parts(line)?;
            cluster.add(series, values).ok()?;
            let (series, values) = (in_yaml(series), in_yaml(values));
            let _ = write!(text, "  - series: {series}\n    values: {values}\n");
        }
        let _ = writeln!(text, "  expect: {}", Expectation::Applies.name());
        // An earlier rule of the risk may have another answer.
        let source = Source::Series(cluster, dialect);
        let exposure = definition.exposure(&source, Limits::default());
        (exposure == Ok(Exposure::Exposed)).then_some(text)
    })
}

/// The name of the test with a small cluster.
const SHOWN: &str = "a cluster that the query catches";

/// The selector and the values in a line of a `.series` file.
fn parts(line: &str) -> Option<(&str, &str)> {
    match line.rfind('}') {
        Some(at) => Some((&line[..=at], line[at + 1..].trim_start())),
        None => line.split_once(' '),
    }
}

/// A text as a YAML value, without quotes if possible.
fn in_yaml(text: &str) -> String {
    // A single word could be read as a boolean.
    let is_no_word = text.contains(['{', '_', ' ']) || text.parse::<f64>().is_ok();
    let is_plain = is_no_word
        && text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && text.chars().all(|c| matches!(c, ' '..='~'))
        && ![": ", " #"].iter().any(|mark| text.contains(mark))
        && !text.ends_with([' ', ':']);
    if is_plain {
        return text.to_owned();
    }
    printable_json(&serde_json::Value::from(text).to_string()).into_owned()
}

/// A text without line breaks, for a comment.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
