//! What is wrong with a test file.

use crate::domain::Named;
use crate::graph_data::DataFile;
use crate::schema::{Fault, Problem};
use crate::text::Span;
use crate::yaml::Document;

use super::expectation::Expectation;

/// What is wrong with a test file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestFault {
    /// None if the fault is about the whole file.
    pub(crate) place: Option<Span>,
    pub(crate) message: String,
}

impl TestFault {
    pub(crate) fn at(place: Span, message: impl Into<String>) -> Self {
        Self { place: Some(place), message: message.into() }
    }
}

/// Puts a fault of the schema into words.
pub(super) fn words_of(file: &DataFile, document: &Document, fault: &Fault) -> TestFault {
    let mut node = fault.node;
    let what = match fault.pointer.rsplit('/').next() {
        None | Some("") => "the file".to_owned(),
        Some(nth) if nth.parse::<usize>().is_ok() => "this item".to_owned(),
        Some(key) => format!("`{key}`"),
    };
    let written = document.kind(fault.node).with_article();
    let expected = expected_at(&fault.pointer);
    let message = match &fault.problem {
        Problem::UnknownKey { key, key_node, meant, known } => {
            node = *key_node;
            match meant {
                Some(meant) => format!("unknown key `{key}`; did you mean `{meant}`?"),
                None => format!("unknown key `{key}`; the keys here are {}", known.join(", ")),
            }
        }
        Problem::MissingKeys { keys, lookalike: Some(key) } => {
            node = *key;
            let written = document.text(*key).unwrap_or_default();
            format!("unknown key `{written}`; did you mean `{}`?", keys.join("`, `"))
        }
        Problem::MissingKeys { keys, lookalike: None } => {
            format!("`{}` is missing", keys.join("`, `"))
        }
        Problem::Empty => format!("{what} is empty"),
        Problem::Other { keyword } if keyword == "minProperties" => format!("{what} is empty"),
        Problem::Other { keyword } if keyword == ONE_OF_BOTH => {
            "`tests` or `appliesTo` is missing".to_owned()
        }
        Problem::NotOneOf => {
            let words: Vec<&str> = Expectation::names().collect();
            format!("{what} must be one of {}", words.join(", "))
        }
        _ => format!("{what} is {written}, but {expected} belongs there"),
    };
    TestFault { place: Some(file.span(node)), message }
}

/// What belongs at a location of the schema.
fn expected_at(pointer: &str) -> &'static str {
    let list = pointer.rsplit_once('/').map_or("", |(list, _)| list);
    match pointer.rsplit('/').next().unwrap_or_default() {
        "" => "a mapping with `risk`, and `tests` or `appliesTo`",
        "appliesTo" | "not" => "a mapping with conditions, a list of them, or `always`",
        "bornIn" | "version" => "text such as `before 4.14` or `\"4.10\"`",
        "hosted" => "`true` or `false`",
        "nodes" => AMOUNT,
        "objects" | "metrics" => "a mapping to numbers",
        "tests" | "with" | "without" => "a list",
        "values" => "a number or text such as `1 _ stale 1x60`",
        _ if list.ends_with("/objects") || list.ends_with("/metrics") => AMOUNT,
        _ if list.ends_with("/appliesTo") || list.ends_with("/not") => "a mapping with conditions",
        _ if list.ends_with("/tests") => "a mapping with `expect`",
        _ if list.ends_with("/with") => "a mapping with `series` and `values`",
        _ => "text",
    }
}

const AMOUNT: &str = "a number or text such as `at least 4`";

const ONE_OF_BOTH: &str = "anyOf";

/// Whether the file has neither tests nor an intent.
pub(super) fn is_missing_part(fault: &Fault) -> bool {
    matches!(&fault.problem, Problem::Other { keyword } if keyword == ONE_OF_BOTH)
}
