//! A query whose answer on a server is neither 0 nor 1.

use crate::cluster::Exposure;
use crate::graph_data::GraphData;
use crate::online::Asked;

use super::shared::{QueryFault, check_asked};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP644",
    name: "answer-on-server",
    properties: Properties::USUAL,
    family: Family::Promql,
    severity: Severity::Warning,
    summary: "a query that does not answer one sample, 0 or 1, on the server of `--url`",
    explanation: "\
With `--url`, exitpath asks a running Prometheus or Thanos for the answers of the
queries. A cluster accepts one sample, 0 (not affected) or 1 (affected). With anything
else, the risk is *Unknown*: the updates are not recommended, and after an hour an alert
fires. This cluster would be in that state now. A common cause that only a server shows
is a metric of the same name in a namespace of a user: it is a second sample.

If another rule of `matchingRules` follows, it decides instead, and the finding is an
info. It also is if the answer is -1, which is how a query says Unknown on purpose.
`exitpath promql eval QUERY --url URL` shows what the parts of a query answer.",
    bad: "cluster_feature_set{_id=\"\"}",
    good: "max(cluster_feature_set{_id=\"\"})",
    check: Check::Server(check),
};

fn check(data: &GraphData, asked: &Asked, findings: &mut Vec<Finding>) {
    check_asked(&RULE, data, asked, findings, |reading, query, said| {
        let Exposure::Unknown(why) = &said.exposure else { return Vec::new() };
        let effect =
            if reading.is_followed { "the next rule decides" } else { "the risk is Unknown there" };
        let is_intended = reading.is_followed || said.answer == "-1";
        vec![QueryFault {
            range: query.node(query.root()).range.clone(),
            message: format!(
                "on this server, this answers {} instead of one sample, 0 or 1, so {effect}: {why}",
                said.answer
            ),
            help: "`exitpath promql eval QUERY --url URL` shows what its parts answer".into(),
            severity: is_intended.then_some(Severity::Info),
            ..QueryFault::default()
        }]
    });
}
