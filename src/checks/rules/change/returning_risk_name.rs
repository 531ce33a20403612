//! A new risk with the name of an old one.

use crate::graph_data::{BlockedEdge, Text};
use crate::rules::{Change, Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP807",
    name: "returning-risk-name",
    properties: Properties { looks_at_former_risks: true, ..Properties::USUAL },
    family: Family::Change,
    severity: Severity::Warning,
    summary: "a new risk with the name of a removed one that meant another bug",
    explanation: "\
Administrators accept risks, and alert on them, by name. If the name of a removed risk comes
back for another bug, everybody who accepted the old risk has accepted the new one, too.
The rule compares the URL and the message with those of the last removed file named after
the risk in the history. A change with more than 20 new risks is not compared.

This rule runs only with `--base`.",
    bad: "\
long ago:  name: ExampleRisk   url: https://issues.example.com/browse/BUG-1
before:    (no ExampleRisk)
after:     name: ExampleRisk   url: https://issues.example.com/browse/BUG-2",
    good: "\
long ago:  name: ExampleRisk   url: https://issues.example.com/browse/BUG-1
before:    (no ExampleRisk)
after:     name: OtherRisk     url: https://issues.example.com/browse/BUG-2",
    check: Check::Change(check),
};

fn check(change: &Change<'_>, findings: &mut Vec<Finding>) {
    let former = change.former_risks.blocked_edges.iter();
    findings.extend(former.filter_map(|former| finding(change, former)));
}

fn finding(change: &Change<'_>, former: &BlockedEdge) -> Option<Finding> {
    let value = |text: &Option<Text>| text.as_ref().map(|text| text.value.clone());
    let is_named = |edge: &&BlockedEdge| value(&edge.name) == value(&former.name);
    let mut files = change.after.blocked_edges.iter().filter(is_named);
    let first = files.next()?;
    let name = first.name.as_ref()?;
    let url = value(&former.url)?;
    let means_the_same = |edge: &BlockedEdge| {
        edge.url.as_ref().is_some_and(|now| now.value == url)
            || value(&edge.message) == value(&former.message)
    };
    if means_the_same(first) {
        return None;
    }
    let message = format!(
        "there was another risk `{}`, which was removed: its `url` was {}",
        shortened(&name.value),
        shortened(&url),
    );
    let finding = Finding::at(&RULE, name.span, message).help(
        "choose another name: administrators who accepted the old risk would also accept this one",
    );
    Some(
        files
            .filter_map(|edge| edge.name.as_ref())
            .fold(finding, |finding, name| finding.related(name.span, "the same name")),
    )
}
