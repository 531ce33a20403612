//! A URL with `//` in its path.

use std::ops::Range;

use crate::graph_data::GraphData;
use crate::text::Span;

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

use super::shared::messages;

pub(super) static RULE: Rule = Rule {
    code: "EP232",
    name: "double-slash-url",
    properties: Properties::OF_TEXTS,
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a URL with `//` in its path, in a `url` or a message",
    explanation: "\
Many sites do not find a page with `//` in its path, so the administrator who opens the
link finds an error. Usually two parts of the URL were joined by hand.",
    bad: "url: https://issues.example.com//browse/BUG-1",
    good: "url: https://issues.example.com/browse/BUG-1",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for (name, files) in data.declarations_by_risk() {
        let urls = files.iter().filter_map(|edge| edge.url.as_ref());
        let places: Vec<Span> =
            urls.filter(|url| wrong_url(&url.value).is_some()).map(|url| url.span).collect();
        let Some((first, others)) = places.split_first() else { continue };
        let finding = Finding::at(&RULE, *first, "this URL has `//` in its path").grouped(name);
        let finding = with_help(finding);
        findings.push(
            others.iter().fold(finding, |finding, span| finding.copy(*span, "the same risk")),
        );
    }
    for message in messages(data) {
        let Some(at) = wrong_url(message.text) else { continue };
        let words = format!("`{}` has `//` in its path", shortened(&message.text[at.clone()]));
        findings.extend(message.finding(&RULE, data, &at, words).map(with_help));
    }
}

fn with_help(finding: Finding) -> Finding {
    finding.help("remove one `/`, and open the link to see that it works")
}

/// The first URL in a text that has `//` in its path.
fn wrong_url(text: &str) -> Option<Range<usize>> {
    // Nearly all texts have only the `//` of `https://`.
    if text.as_bytes().windows(2).filter(|two| two == b"//").count() < 2 {
        return None;
    }
    let mut start = 0;
    text.split_inclusive(char::is_whitespace).find_map(|word| {
        let word_start = start;
        start += word.len();
        let at = word.find("https://").or_else(|| word.find("http://"))?;
        let url = word[at..].split(|c: char| c.is_whitespace() || "?#)>\"".contains(c)).next()?;
        let (_, rest) = url.split_once("://")?;
        // `vague-url` reports `https://https://`.
        let is_wrong = rest.contains("//") && !rest.contains("://");
        is_wrong.then_some(word_start + at..word_start + at + url.len())
    })
}
