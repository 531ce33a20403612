//! Two blocks of one target, of which one is lost.

use crate::graph_data::GraphData;

use super::{Check, Family, Finding, Rule, Severity, repeated};

pub(super) static RULE: Rule = Rule {
    code: "EP111",
    name: "duplicate-block",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Error,
    summary: "two blocks of the same target, of which the service keeps one",
    explanation: "\
For each target the service remembers one block. Of two, the file that the
directory happens to list last replaces the other, whose updates are then offered
to everyone. Conditional risks are different: any number may share a target.",
    bad: "\
blocked-edges/4.14.3.yaml            to: 4.14.3   from: 4[.]13[.].*
blocked-edges/4.14.3-again.yaml      to: 4.14.3   from: 4[.]14[.]0.*",
    good: "\
blocked-edges/4.14.3.yaml            to: 4.14.3   from: 4[.]13[.].*|4[.]14[.]0.*",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let blocks = data.blocked_edges.iter().filter(|edge| edge.is_block());
    let targets =
        blocks.filter_map(|edge| Some((edge.to.as_ref()?.value.as_str(), edge.to.as_ref()?)));
    for group in repeated(targets) {
        for later in &group[1..] {
            let first = data.path(group[0].span.source);
            findings.push(
                Finding::at(
                    &RULE,
                    later.span,
                    format!("`{}` is blocked by another file too, and the service keeps only one of the two", later.value),
                )
                .related(group[0].span, "the other block stands here")
                .help(format!("join the two patterns with `|` in `{first}`, and delete this file")),
            );
        }
    }
}
