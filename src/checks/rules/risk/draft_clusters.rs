//! `clusters`, the notation of a draft, which the current service does not read.

use crate::graph_data::{Affected, BlockedEdge, GraphData};

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};
use crate::text::words::{list_all, quoted};
use crate::text::{Edit, Span};
use crate::yaml::NodeId;

pub(super) static RULE: Rule = Rule {
    code: "EP211",
    name: "draft-clusters",
    properties: Properties::OF_TEXTS,
    family: Family::Risk,
    severity: Severity::Error,
    summary: "`clusters`, a notation from the first enhancement draft: the service drops the file",
    explanation: "\
The first version of the enhancement has `clusters` with `promql` and `platform`. A
cluster that matches either one is affected. Without `clusters`, all clusters are
affected. The merged version has `name`, `message`, and `matchingRules` instead.
exitpath understands both notations. The current service reads only the second one: it
drops a file with `clusters` and offers the updates to all clusters. The severity is
warning if `version` says that the data is a draft (`1.1.0-draft`).

`--fix` rewrites the file if there is only one right answer: `clusters` has one
property, and `url`, `name`, and `message` are present.",
    bad: "\
to: 4.7.4
from: 4[.]6[.].*
url: https://issues.example.com/browse/BUG-1
name: ExampleRisk
message: Nodes may not come back after their first reboot.
clusters:
  platform: VSphere",
    good: "\
to: 4.7.4
from: 4[.]6[.].*
url: https://issues.example.com/browse/BUG-1
name: ExampleRisk
message: Nodes may not come back after their first reboot.
matchingRules:
- type: PromQL
  promql:
    promql: |
      group(cluster_infrastructure_provider{_id=\"\",type=\"VSphere\"})
      or
      0 * group(cluster_infrastructure_provider{_id=\"\"})",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let declared = data.schema_version.as_ref().and_then(|declared| declared.version.as_ref());
    let is_draft = declared.is_some_and(|version| !version.pre.is_empty());
    for edge in &data.blocked_edges {
        let Affected::Clusters { key, .. } = edge.affected else { continue };
        let span = data.file(edge.file).span(key);
        let finding = Finding::at(
            &RULE,
            span,
            "`clusters` is a draft notation: the current service drops this file and offers the updates to all clusters",
        );
        let finding = if is_draft { finding.severity(Severity::Warning) } else { finding };
        findings.push(match rewritten(data, edge, key) {
            Ok(edit) => finding
                .help("use `matchingRules` instead; `--fix` rewrites it")
                .fix_all("rewrite `clusters` as `matchingRules`", vec![edit]),
            Err(Needed(what)) => {
                finding.help(format!("use `matchingRules` instead; the rewrite requires {what}"))
            }
        });
    }
}

/// What a file lacks for an automatic rewrite.
struct Needed(String);

impl Needed {
    fn new(what: &str) -> Self {
        Self(what.to_owned())
    }
}

/// The edit that rewrites the file.
fn rewritten(data: &GraphData, edge: &BlockedEdge, key: NodeId) -> Result<Edit, Needed> {
    let texts = [("url", &edge.url), ("name", &edge.name), ("message", &edge.message)];
    let absent =
        texts.iter().filter(|(_, text)| text.as_ref().is_none_or(|text| text.value.is_empty()));
    let absent: Vec<String> = absent.map(|(key, _)| (*key).to_owned()).collect();
    if !absent.is_empty() {
        return Err(Needed(list_all(&quoted(&absent), "and")));
    }
    let file = data.file(edge.file);
    let source = data.sources.get(edge.file).text();
    let document = file.document().ok_or_else(|| Needed::new("a readable file"))?;
    let value = file.entry("clusters").map_or(key, |entry| entry.value);
    let span = Span::new(edge.file, file.span(key).start..file.span(value).end);
    let line_end = source[span.end..].find('\n').map_or(source.len(), |at| span.end + at);
    let begins_a_line = span.start == 0 || source[..span.start].ends_with('\n');
    if !begins_a_line || !document.is_ordinary() {
        return Err(Needed::new("plain YAML with one key per line and no indentation"));
    }
    if document.comments().iter().any(|c| (span.start..line_end).contains(&c.range.start)) {
        return Err(Needed::new("a new place for the comments in `clusters`"));
    }
    let query = query(edge, document.entries(value).len())?;
    if file.faults.iter().any(|fault| fault.pointer.starts_with("/clusters")) {
        return Err(Needed::new("`clusters` without errors"));
    }
    if query.trim().is_empty() || query.starts_with(' ') || query.contains(['\r', '\t']) {
        return Err(Needed::new("a query that can be written as a text block"));
    }
    let text = matching_rules(&query);
    let text = if source.contains("\r\n") { text.replace('\n', "\r\n") } else { text };
    Ok(Edit { span, text })
}

/// The query that means the same as `clusters`, whose mapping has `properties` keys.
fn query(edge: &BlockedEdge, properties: usize) -> Result<String, Needed> {
    let Affected::Clusters { promql, platform, .. } = &edge.affected else {
        return Err(Needed::new("the key `clusters`"));
    };
    match (promql, platform) {
        _ if properties > 1 => Err(Needed::new("a single query for all properties")),
        (Some(promql), _) => Ok(promql.value.to_string()),
        (None, Some(platform)) => platform_query(&platform.value),
        (None, None) => {
            Err(Needed::new("a choice of affected clusters (`type: Always` for all clusters)"))
        }
    }
}

/// The infrastructure types as clusters spell them.
const PLATFORMS: [&str; 15] = [
    "AWS",
    "AlibabaCloud",
    "Azure",
    "BareMetal",
    "EquinixMetal",
    "External",
    "GCP",
    "IBMCloud",
    "KubeVirt",
    "None",
    "Nutanix",
    "OpenStack",
    "PowerVS",
    "VSphere",
    "oVirt",
];

fn platform_query(platform: &str) -> Result<String, Needed> {
    let known = PLATFORMS.iter().find(|known| known.eq_ignore_ascii_case(platform));
    let needed = || Needed(format!("a known platform: {}", PLATFORMS.join(", ")));
    let platform = known.ok_or_else(needed)?;
    Ok(format!(
        "group(cluster_infrastructure_provider{{_id=\"\",type=\"{platform}\"}})\n\
         or\n\
         0 * group(cluster_infrastructure_provider{{_id=\"\"}})\n"
    ))
}

fn matching_rules(query: &str) -> String {
    let mut text = "matchingRules:\n- type: PromQL\n  promql:\n    promql: |".to_owned();
    for line in query.trim_end().lines() {
        text.push('\n');
        if !line.trim().is_empty() {
            text.push_str("      ");
            text.push_str(line.trim_end());
        }
    }
    text
}
