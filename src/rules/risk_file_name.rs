//! A risk's file that is not named for what it says.

use crate::graph_data::{Affected, GraphData, Location};
use crate::schema::closest;

use super::{Check, Family, Finding, Place, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP212",
    name: "risk-file-name",
    aliases: &[],
    family: Family::Risk,
    severity: Severity::Info,
    summary: "a risk's file that is not named for its target and its risk",
    explanation: "\
The service does not care, people and scripts do: a risk is extended by copying
files, and found again by `<to>-<name>.yaml`. The data's own presubmit refuses a
conditional file whose name does not begin with its `to`. A name that almost says
the risk's name (`Image` for `Images`) is a slip in one of the two.

Blocks may be called anything.",
    bad: "blocked-edges/4.14.2-ExampleRisk.yaml      to: 4.14.3",
    good: "blocked-edges/4.14.3-ExampleRisk.yaml      to: 4.14.3",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for edge in &data.blocked_edges {
        let (Some(to), Some(name)) = (&edge.to, &edge.name) else { continue };
        if matches!(edge.affected, Affected::Everyone) {
            continue;
        }
        let file = Location::of(data.path(edge.file)).name;
        let stem = file.strip_suffix(".yaml").unwrap_or(file);
        let Some(rest) = stem.strip_prefix(to.value.as_str()) else {
            let message = format!("this file's name does not begin with its target `{}`", to.value);
            findings.push(finding(edge.file, message, to.span, &to.value, &name.value));
            continue;
        };
        let called = rest.trim_start_matches('-');
        let slip = called.strip_suffix(".yaml") == Some(name.value.as_str())
            || called != name.value && closest(called, [name.value.as_str()]).is_some();
        if slip {
            let message = format!("this file is named for `{called}`, and its risk is called `{}`", name.value);
            findings.push(finding(edge.file, message, name.span, &to.value, &name.value));
        }
    }
}

fn finding(file: crate::text::SourceId, message: String, says: crate::text::Span, to: &str, name: &str) -> Finding {
    Finding::on(&RULE, Place::File(file), message)
        .related(says, "the file says so here")
        .help(format!("rename it to `{to}-{name}.yaml`"))
}
