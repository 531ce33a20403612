//! A file of `risk-tests/`: which clusters a risk should apply to.

use crate::domain::Named;
use crate::graph_data::{DataFile, GraphData, Kind, Location, NoDocument, Text};
use crate::schema::{self, Problem};
use crate::text::Span;
use crate::yaml::{Document, NodeId};

/// A file of `risk-tests/`.
#[derive(Debug)]
pub(crate) struct TestFile<'d> {
    pub(crate) file: &'d DataFile,
    /// The tests, or why there are none.
    pub(crate) tests: Result<RiskTests, Vec<TestFault>>,
}

/// The tests of a risk.
#[derive(Debug)]
pub(crate) struct RiskTests {
    pub(crate) risk: Text,
    pub(crate) tests: Vec<RiskTest>,
}

/// A cluster, and whether the risk should apply to it.
#[derive(Debug)]
pub(crate) struct RiskTest {
    pub(crate) name: String,
    /// The name of a sample cluster. None: a cluster without series.
    pub(crate) cluster: Option<Text>,
    pub(crate) without: Vec<Text>,
    /// The names with labels, and the values.
    pub(crate) with: Vec<(Text, Text)>,
    pub(crate) expected: Expectation,
    pub(crate) place: Span,
}

/// What is wrong with a test file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestFault {
    /// None for the whole file.
    pub(crate) place: Option<Span>,
    pub(crate) message: String,
}

/// What a test expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expectation {
    Applies,
    NotApplies,
    Unknown,
}

impl Named for Expectation {
    const ALL: &'static [Self] = &[Self::Applies, Self::NotApplies, Self::Unknown];

    fn name(self) -> &'static str {
        match self {
            Self::Applies => "applies",
            Self::NotApplies => "not-applies",
            Self::Unknown => "unknown",
        }
    }
}

impl<'d> TestFile<'d> {
    /// The test files of a repository, sorted by path. Other files of the folder are not tests.
    pub(crate) fn all(data: &'d GraphData) -> impl Iterator<Item = Self> {
        let is_test = |file: &&DataFile| {
            let location = Location::of(data.path(file.id));
            file.kind == Kind::RiskTest
                && matches!(location.extension(), Some("yaml" | "yml"))
                && !location.name.starts_with('.')
        };
        data.files.iter().filter(is_test).map(|file| Self { file, tests: read(file) })
    }
}

fn read(file: &DataFile) -> Result<RiskTests, Vec<TestFault>> {
    let whole = |message: &str| vec![TestFault { place: None, message: message.to_owned() }];
    let document = match &file.document {
        Ok(document) => document,
        Err(NoDocument::Syntax(error)) => {
            let place = Some(Span::new(file.id, error.offset..error.offset));
            return Err(vec![TestFault { place, message: "this is not valid YAML".to_owned() }]);
        }
        Err(NoDocument::Unreadable(_)) => return Err(whole("the file cannot be read")),
        Err(NoDocument::NotUtf8(..)) => return Err(whole("the file is not UTF-8")),
        Err(_) => return Err(whole("the aliases of the file expand to too much")),
    };
    let json =
        document.to_json().map_err(|_| whole("the aliases of the file expand to too much"))?;
    let faults = schema::faults(&schema::RISK_TEST, document, &json);
    if !faults.is_empty() {
        let faults = faults.into_iter().take(MOST_FAULTS);
        return Err(faults.map(|fault| words_of(file, document, &fault)).collect());
    }
    let second = document.second_document();
    if let Some(start) = second {
        let place = Some(Span::new(file.id, start..start + 1));
        let message = "a second document: tests of another risk belong in a file of their own";
        return Err(vec![TestFault { place, message: message.to_owned() }]);
    }
    tests(file, document).ok_or_else(|| whole("the file cannot be read"))
}

/// Nobody reads more faults of one file.
const MOST_FAULTS: usize = 20;

fn tests(file: &DataFile, document: &Document) -> Option<RiskTests> {
    let items = document.items(document.top("tests")?).iter().enumerate();
    let tests = items.map(|(i, item)| test(file, document, i, *item)).collect::<Option<_>>()?;
    Some(RiskTests { risk: file.text("risk")?, tests })
}

fn test(file: &DataFile, document: &Document, nth: usize, item: NodeId) -> Option<RiskTest> {
    let text = |node: NodeId, key| file.text_of(document.get(node, key)?);
    let list = |key| document.get(item, key).map_or(&[][..], |list| document.items(list));
    let cluster = text(item, "cluster");
    let name = text(item, "name").or_else(|| cluster.clone()).map(|text| text.value);
    let expected = text(item, "expect")?;
    let with = list("with").iter();
    Some(RiskTest {
        name: name.unwrap_or_else(|| format!("test {}", nth + 1)),
        without: list("without").iter().filter_map(|one| file.text_of(*one)).collect(),
        with: with
            .map(|one| Some((text(*one, "series")?, text(*one, "values")?)))
            .collect::<Option<_>>()?,
        expected: Expectation::named(&expected.value)?,
        place: expected.span,
        cluster,
    })
}

fn words_of(file: &DataFile, document: &Document, fault: &schema::Fault) -> TestFault {
    let mut node = fault.node;
    let what = match fault.pointer.rsplit('/').next() {
        None | Some("") => "the file".to_owned(),
        Some(nth) if nth.parse::<usize>().is_ok() => "this item".to_owned(),
        Some(key) => format!("`{key}`"),
    };
    let written = document.kind(fault.node).with_article();
    let message = match &fault.problem {
        Problem::UnknownKey { key, key_node, meant, known } => {
            node = *key_node;
            match meant {
                Some(meant) => format!("unknown key `{key}`; did you mean `{meant}`?"),
                None => format!("unknown key `{key}`; the keys here are {}", known.join(", ")),
            }
        }
        Problem::MissingKeys { keys, .. } => format!("`{}` is missing", keys.join("`, `")),
        Problem::Empty => format!("{what} is empty"),
        Problem::NotOneOf => {
            let words: Vec<&str> = Expectation::names().collect();
            format!("{what} must be one of {}", words.join(", "))
        }
        _ => format!("{what} is {written}, but something else belongs there"),
    };
    TestFault { place: Some(file.span(node)), message }
}
