//! A file of `risk-tests/`: which clusters a risk should apply to.

use crate::coverage::Dictionary;
use crate::domain::Named;
use crate::graph_data::{DataFile, FileKind, GraphData, Location, NoDocument, Text};
use crate::schema::{self, Fault};
use crate::text::Span;
use crate::yaml::{Document, NodeId};

use super::expectation::Expectation;
use super::intent::{Intent, read_intent};
use super::test_fault::{TestFault, is_missing_part, words_of};

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
    pub(crate) intent: Option<WrittenIntent>,
    pub(crate) tests: Vec<WrittenTest>,
}

/// The value of `appliesTo`, or what is wrong with it. If it is wrong, the tests of the file still
/// run.
#[derive(Debug)]
pub(crate) struct WrittenIntent {
    pub(crate) place: Span,
    pub(crate) intent: Result<Intent, TestFault>,
}

/// A test, or what is wrong with it. If it is wrong, the other tests of the file still run.
#[derive(Debug)]
pub(crate) struct WrittenTest {
    pub(crate) name: String,
    pub(crate) place: Span,
    pub(crate) test: Result<RiskTest, TestFault>,
}

/// A cluster, and whether the risk should apply to it.
#[derive(Debug)]
pub(crate) struct RiskTest {
    /// The name of a sample cluster. None for a cluster without series.
    pub(crate) cluster: Option<Text>,
    pub(crate) without: Vec<Text>,
    /// Additional series: the selector and the values of each.
    pub(crate) with: Vec<(Text, Text)>,
    pub(crate) expected: Expectation,
    pub(crate) place: Span,
}

impl<'d> TestFile<'d> {
    /// The test files of a repository, sorted by path. Other files of the folder are not tests.
    pub(crate) fn all(data: &'d GraphData) -> impl Iterator<Item = Self> {
        let dictionary = data.queries.dictionary();
        let files = data.files.iter().filter(|file| is_test(file, data.path(file.id)));
        files.map(|file| Self { file, tests: read(file, dictionary) })
    }

    /// The name of its risk. None if the file cannot be read.
    pub(crate) fn risk(&self) -> Option<&str> {
        self.tests.as_ref().ok().map(|tests| tests.risk.value.as_str())
    }
}

fn is_test(file: &DataFile, path: &str) -> bool {
    let location = Location::of(path);
    file.kind == FileKind::RiskTest
        && matches!(location.extension(), Some("yaml" | "yml"))
        && !location.name.starts_with('.')
}

fn read(file: &DataFile, dictionary: &Dictionary) -> Result<RiskTests, Vec<TestFault>> {
    let document = document_of(file)?;
    let json = document.to_json().map_err(|_| whole(TOO_MUCH))?;
    let faults = schema::faults(&schema::RISK_TEST, document, &json);
    let words = |fault: &Fault| words_of(file, document, fault);
    let (of_parts, of_file): (Vec<Fault>, Vec<Fault>) = faults
        .into_iter()
        .partition(|fault| nth_test(&fault.pointer).is_some() || is_of_intent(&fault.pointer));
    if !of_file.is_empty() {
        // A misspelled key is reported only as misspelled, and not also as missing.
        let is_misspelled = of_file.iter().any(|fault| !is_missing_part(fault));
        let of_file = of_file.iter().filter(|fault| !is_misspelled || !is_missing_part(fault));
        return Err(of_file.take(MOST_FAULTS).map(words).collect());
    }
    let second = document.second_document();
    if let Some(start) = second {
        let place = Span::new(file.id, start..start + 1);
        let message = "a second document: tests of another risk belong in a file of their own";
        return Err(vec![TestFault::at(place, message)]);
    }
    let fault_of =
        |nth: usize| of_parts.iter().find(|fault| nth_test(&fault.pointer) == Some(nth)).map(words);
    let of_intent = of_parts.iter().find(|fault| is_of_intent(&fault.pointer)).map(words);
    let intent = document.top(INTENT).map(|node| WrittenIntent {
        place: file.span(document.entry(document.root(), INTENT).map_or(node, |entry| entry.key)),
        intent: match of_intent {
            Some(fault) => Err(fault),
            None => read_intent(file, document, node, dictionary),
        },
    });
    let tests = tests(file, document, fault_of);
    let read = file.text("risk").map(|risk| RiskTests { risk, intent, tests });
    read.ok_or_else(|| whole("the file cannot be read"))
}

fn whole(message: &str) -> Vec<TestFault> {
    vec![TestFault { place: None, message: message.to_owned() }]
}

const TOO_MUCH: &str = "the aliases of the file expand to too much";

fn document_of(file: &DataFile) -> Result<&Document, Vec<TestFault>> {
    Ok(match &file.document {
        Ok(document) => document,
        Err(NoDocument::Syntax(error)) => {
            let place = Some(Span::new(file.id, error.offset..error.offset));
            return Err(vec![TestFault { place, message: "this is not valid YAML".to_owned() }]);
        }
        Err(NoDocument::Unreadable(_)) => return Err(whole("the file cannot be read")),
        Err(NoDocument::NotUtf8(..)) => return Err(whole("the file is not UTF-8")),
        Err(_) => return Err(whole(TOO_MUCH)),
    })
}

/// The most faults of a file that are reported.
const MOST_FAULTS: usize = 20;

/// The key of the intent.
const INTENT: &str = "appliesTo";

fn is_of_intent(pointer: &str) -> bool {
    pointer.strip_prefix("/appliesTo").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The index of the test that a fault is in.
fn nth_test(pointer: &str) -> Option<usize> {
    pointer.strip_prefix("/tests/")?.split('/').next()?.parse().ok()
}

fn tests(
    file: &DataFile,
    document: &Document,
    fault_of: impl Fn(usize) -> Option<TestFault>,
) -> Vec<WrittenTest> {
    let items = document.top("tests").map_or(&[][..], |tests| document.items(tests));
    let items = items.iter().enumerate();
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
    tests.collect()
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
