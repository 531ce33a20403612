//! A file of `risk-tests/`: which clusters a risk should apply to.

use crate::domain::Named;
use crate::graph_data::{DataFile, GraphData, Kind, Location, NoDocument, Text};
use crate::schema::{self, Fault, Problem};
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
    pub(crate) tests: Vec<WrittenTest>,
}

/// A test, or what is wrong with it. Others of the file still run.
#[derive(Debug)]
pub(crate) struct WrittenTest {
    pub(crate) name: String,
    pub(crate) place: Span,
    pub(crate) test: Result<RiskTest, TestFault>,
}

/// A cluster, and whether the risk should apply to it.
#[derive(Debug)]
pub(crate) struct RiskTest {
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
    let words = |fault: &Fault| words_of(file, document, fault);
    let (of_tests, of_file): (Vec<Fault>, Vec<Fault>) =
        faults.into_iter().partition(|fault| nth_test(&fault.pointer).is_some());
    if !of_file.is_empty() {
        return Err(of_file.iter().take(MOST_FAULTS).map(words).collect());
    }
    let second = document.second_document();
    if let Some(start) = second {
        let place = Some(Span::new(file.id, start..start + 1));
        let message = "a second document: tests of another risk belong in a file of their own";
        return Err(vec![TestFault { place, message: message.to_owned() }]);
    }
    let fault_of =
        |nth: usize| of_tests.iter().find(|fault| nth_test(&fault.pointer) == Some(nth)).map(words);
    tests(file, document, fault_of).ok_or_else(|| whole("the file cannot be read"))
}

/// Nobody reads more faults of one file.
const MOST_FAULTS: usize = 20;

/// Which test a fault is in.
fn nth_test(pointer: &str) -> Option<usize> {
    pointer.strip_prefix("/tests/")?.split('/').next()?.parse().ok()
}

fn tests(
    file: &DataFile,
    document: &Document,
    fault_of: impl Fn(usize) -> Option<TestFault>,
) -> Option<RiskTests> {
    let items = document.items(document.top("tests")?).iter().enumerate();
    let tests = items.map(|(nth, item)| {
        let entry = |key| file.text_of(document.get(*item, key)?);
        let name = entry("name").or_else(|| entry("cluster")).map(|text| text.value.to_string());
        let place = document.get(*item, "expect").unwrap_or(*item);
        let unreadable =
            || TestFault { place: Some(file.span(*item)), message: "this is not a test".into() };
        let test = match fault_of(nth) {
            Some(fault) => Err(fault),
            None => test(file, document, *item).ok_or_else(unreadable),
        };
        let name = name.unwrap_or_else(|| format!("test {}", nth + 1));
        WrittenTest { name, place: file.span(place), test }
    });
    Some(RiskTests { risk: file.text("risk")?, tests: tests.collect() })
}

fn test(file: &DataFile, document: &Document, item: NodeId) -> Option<RiskTest> {
    let text = |node: NodeId, key| file.text_of(document.get(node, key)?);
    let list = |key| document.get(item, key).map_or(&[][..], |list| document.items(list));
    let expected = text(item, "expect")?;
    let with = list("with").iter();
    Some(RiskTest {
        without: list("without").iter().filter_map(|one| file.text_of(*one)).collect(),
        with: with
            .map(|one| Some((text(*one, "series")?, text(*one, "values")?)))
            .collect::<Option<_>>()?,
        expected: Expectation::named(&expected.value)?,
        place: expected.span,
        cluster: text(item, "cluster"),
    })
}

fn words_of(file: &DataFile, document: &Document, fault: &Fault) -> TestFault {
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
        Problem::MissingKeys { keys, lookalike: Some(key) } => {
            node = *key;
            let written = document.text(*key).unwrap_or_default();
            format!("unknown key `{written}`; did you mean `{}`?", keys.join("`, `"))
        }
        Problem::MissingKeys { keys, lookalike: None } => {
            format!("`{}` is missing", keys.join("`, `"))
        }
        Problem::Empty => format!("{what} is empty"),
        Problem::NotOneOf => {
            let words: Vec<&str> = Expectation::names().collect();
            format!("{what} must be one of {}", words.join(", "))
        }
        _ => format!("{what} is {written}, but {} belongs there", expected_at(&fault.pointer)),
    };
    TestFault { place: Some(file.span(node)), message }
}

/// What belongs at a place of the schema.
fn expected_at(pointer: &str) -> &'static str {
    let list = pointer.rsplit_once('/').map_or("", |(list, _)| list);
    match pointer.rsplit('/').next().unwrap_or_default() {
        "" => "a mapping with `risk` and `tests`",
        "tests" | "with" | "without" => "a list",
        "values" => "a number or text such as `1 _ stale 1x60`",
        _ if list.ends_with("/tests") => "a mapping with `expect`",
        _ if list.ends_with("/with") => "a mapping with `series` and `values`",
        _ => "text",
    }
}
