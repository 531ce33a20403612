//! The enhancement's first notation, which today's service does not read.

use crate::graph_data::{Affected, BlockedEdge, GraphData};
use crate::text::Span;
use crate::yaml::NodeId;

use super::unknown_key::listed;
use super::{Check, Edit, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP211",
    name: "draft-clusters",
    aliases: &[],
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "`clusters`, the notation of the first enhancement draft, which the service drops",
    explanation: "\
The enhancement as first written has `clusters` with `promql` and `platform`: a
cluster that matches either is affected; without `clusters` every one is. The
notation that was merged has `name`, `message` and `matchingRules` instead. These
checks understand both. Today's service reads only the second: it drops a file with
`clusters`, and offers the updates to everyone.

`--fix` rewrites the file where one answer is right: `clusters` has one property,
and `url`, `name` and `message` are there.",
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
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for edge in &data.blocked_edges {
        let Affected::Clusters { key, .. } = edge.affected else { continue };
        let span = data.file(edge.file).span(key);
        let finding = Finding::at(
            &RULE,
            span,
            "`clusters` is the notation of a draft: today's service drops this file and offers the updates to everyone",
        );
        findings.push(match rewritten(data, edge, key) {
            Ok(edit) => finding
                .help("say it with `matchingRules`; `--fix` rewrites it")
                .fix_all("rewrite `clusters` as `matchingRules`", vec![edit]),
            Err(missing) => finding
                .help(format!("say it with `matchingRules`; what is missing for that: {missing}")),
        });
    }
}

/// The rewritten file's difference, or what keeps it from being certain.
fn rewritten(data: &GraphData, edge: &BlockedEdge, key: NodeId) -> Result<Edit, String> {
    let texts = [("url", &edge.url), ("name", &edge.name), ("message", &edge.message)];
    let absent =
        texts.iter().filter(|(_, text)| text.as_ref().is_none_or(|text| text.value.is_empty()));
    let absent: Vec<String> = absent.map(|(key, _)| (*key).to_owned()).collect();
    if !absent.is_empty() {
        return Err(listed(&absent));
    }
    let Affected::Clusters { promql, platform, .. } = &edge.affected else {
        return Err(String::new());
    };
    let query = match (promql, platform) {
        (Some(promql), None) => promql.value.clone(),
        (None, Some(platform)) => platform_query(&platform.value)?,
        (Some(_), Some(_)) => {
            return Err("a single query for `promql` and `platform` together".to_owned());
        }
        (None, None) => {
            return Err("who is affected; `type: Always` if every cluster is".to_owned());
        }
    };
    let file = data.file(edge.file);
    let value = file.entry("clusters").map_or(key, |entry| entry.value);
    let span = Span::new(edge.file, file.span(key).start..file.span(value).end);
    let commented = file.document().is_some_and(|document| {
        document.comments().iter().any(|comment| span.range().contains(&comment.range.start))
    });
    if commented {
        return Err("a place for the comments that stand in `clusters`".to_owned());
    }
    if query.trim().is_empty() || query.contains(['\r', '\t']) {
        return Err("a query that can be written as a block of text".to_owned());
    }
    Ok(Edit { span, text: matching_rules(&query) })
}

fn platform_query(platform: &str) -> Result<String, String> {
    if platform.is_empty() || !platform.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return Err("the name of one infrastructure platform".to_owned());
    }
    Ok(format!(
        "group(cluster_infrastructure_provider{{_id=\"\",type=\"{platform}\"}})\n\
         or\n\
         0 * group(cluster_infrastructure_provider{{_id=\"\"}})\n"
    ))
}

fn matching_rules(query: &str) -> String {
    let mut text = "matchingRules:\n- type: PromQL\n  promql:\n    promql: |".to_owned();
    for line in query.trim_end().lines() {
        text.push_str("\n      ");
        text.push_str(line);
    }
    text.truncate(text.trim_end().len());
    text
}
