//! Node metadata that makes clusters reject the whole response.

use crate::go::url;
use crate::graph::CHANNELS_KEY;
use crate::graph::cincinnati::GraphNode;

use crate::rules::{Check, Family, Finding, GraphSubject, Properties, Rule, Severity, shortened};

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP708",
    name: "rejected-metadata",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "node metadata that makes clusters reject the whole response",
    explanation: "\
A cluster reads three keys of its own node and of all nodes that it can update to:
`url` must be a URL, `release.openshift.io/architecture` must be `multi`, and
`io.openshift.upgrades.graph.release.channels` must be a list of channels with no empty
entry between two commas. If a value is not as expected, the cluster rejects the whole
response (`ResponseInvalid`). A stray comma on one release removes all updates from all
clusters that could update to it.",
    bad: "\"io.openshift.upgrades.graph.release.channels\": \"stable-4.14,,stable-4.15\"",
    good: "\"io.openshift.upgrades.graph.release.channels\": \"stable-4.14,stable-4.15\"",
    check: Check::Graph(check),
};

const ARCHITECTURE_KEY: &str = "release.openshift.io/architecture";

/// Returns what is wrong with a value.
type FaultOf = fn(&str) -> Option<String>;

/// The keys that clusters read, what is wrong with their values, and what to write.
const KEYS: [(&str, FaultOf, &str); 3] = [
    (CHANNELS_KEY, channels_fault, "write exactly one comma between two channels"),
    (ARCHITECTURE_KEY, architecture_fault, "write `multi`, or remove the key"),
    ("url", url_fault, "write the full address of a page: `https://…`"),
];

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    for (key, fault_of, help) in KEYS {
        let mut bad = Tally::default();
        for node in subject.graph.nodes.iter().flatten() {
            let Some(value) = node.metadata.get(key) else { continue };
            if let Some(why) = fault_of(&value.value) {
                bad.add(value.span, || named(node, &why));
            }
        }
        let finding = bad.finding(&RULE, |what| {
            format!("{what}: clusters at this release, or with an update to it, reject the whole response")
        });
        findings.extend(finding.map(|finding| finding.help(help)));
    }
}

fn named(node: &GraphNode, why: &str) -> String {
    format!("{why} in the metadata of `{}`", shortened(&node.version.value))
}

fn channels_fault(list: &str) -> Option<String> {
    if list.is_empty() {
        return Some("the list of channels is empty".to_owned());
    }
    let missing = list.split(',').position(str::is_empty)?;
    Some(format!("entry {} of the list of channels is empty", missing + 1))
}

fn architecture_fault(value: &str) -> Option<String> {
    (value != "multi").then(|| format!("the architecture `{}` is not `multi`", shortened(value)))
}

fn url_fault(text: &str) -> Option<String> {
    url::check(text).is_err().then(|| format!("the URL `{}` is invalid", shortened(text)))
}

#[cfg(test)]
mod tests {
    use super::{channels_fault, url_fault};

    #[test]
    fn urls_are_refused_as_go_refuses_them() {
        for good in
            ["", "https://example.com/a?b=%zz", "mailto:x@example.com", "/path", "a/b:c", "x"]
        {
            assert_eq!(url_fault(good), None, "{good}");
        }
        for bad in ["https://example.com/%zz", ":x", "https://a b/", "1:2", "https://x/\n", "a b:c"]
        {
            assert!(url_fault(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn a_list_of_channels_has_an_entry_on_each_side_of_a_comma() {
        assert_eq!(channels_fault("stable-4.14,fast-4.14"), None);
        for bad in ["", ",", "a,", ",a", "a,,b"] {
            assert!(channels_fault(bad).is_some(), "{bad}");
        }
    }
}
