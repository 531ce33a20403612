//! A `url` or `message` that belongs to another risk.

use std::collections::BTreeMap;

use crate::graph_data::{BlockedEdge, GraphData, Text};

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP226",
    name: "borrowed-text",
    properties: Properties::OF_TEXTS,
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a `url` or `message` that is identical to another risk's",
    explanation: "\
A new risk usually starts as a copy of another one. Text that nobody edited points
administrators to the wrong bug.",
    bad: "\
blocked-edges/4.14.1-ExampleRisk.yaml   url: https://issues.example.com/browse/BUG-1
blocked-edges/4.14.1-OtherRisk.yaml     url: https://issues.example.com/browse/BUG-1",
    good: "\
blocked-edges/4.14.1-ExampleRisk.yaml   url: https://issues.example.com/browse/BUG-1
blocked-edges/4.14.1-OtherRisk.yaml     url: https://issues.example.com/browse/BUG-2",
    check: Check::Declarations(check),
};

/// Reads one key of a declaration.
type ReadKey = fn(&BlockedEdge) -> Option<&Text>;

/// The number of a risk's files, its name, and the text in its first file.
type Owner<'a> = (usize, &'a str, &'a Text);

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let texts: [(&str, ReadKey); 2] =
        [("url", |edge| edge.url.as_ref()), ("message", |edge| edge.message.as_ref())];
    for (key, text) in texts {
        // The risk with the most files is probably the original.
        let mut owners: BTreeMap<&str, Vec<Owner<'_>>> = BTreeMap::new();
        for (name, files) in data.declarations_by_risk() {
            if let Some(said) = files.first().and_then(|edge| text(edge)) {
                owners.entry(&said.value).or_default().push((files.len(), name, said));
            }
        }
        owners.remove("");
        for mut risks in owners.into_values().filter(|risks| risks.len() > 1) {
            risks.sort_by_key(|(files, ..)| std::cmp::Reverse(*files));
            let (_, owner, there) = risks[0];
            for (_, name, said) in &risks[1..] {
                let message = format!(
                    "`{key}` of the risk `{}` is identical to that of `{}`",
                    shortened(name),
                    shortened(owner)
                );
                findings.push(
                    Finding::at(&RULE, said.span, message)
                        .related(there.span, "the other risk")
                        .help(format!(
                            "if both are the same risk, give them the same name; otherwise edit `{key}`"
                        )),
                );
            }
        }
    }
}
