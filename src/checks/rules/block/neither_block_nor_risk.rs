//! A block with an extra key.

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject, shortened};
use crate::schema::{Fault, Problem};

pub(super) static RULE: Rule = Rule {
    code: "EP110",
    name: "neither-block-nor-risk",
    properties: Properties::USUAL,
    family: Family::Block,
    severity: Severity::Error,
    summary: "a block with an extra key, which makes the service drop the file",
    explanation: "\
A block has exactly the keys `to` and `from`. The service rejects any other key there.
Without `url`, `name`, `message`, and `matchingRules`, the file is not a risk either, so
the service drops it and offers the updates to all clusters. Put notes for people in a
comment.",
    bad: "\
to: 4.14.0
from: 4[.]13[.].*
fixedIn: 4.14.1",
    good: "\
to: 4.14.0
from: 4[.]13[.].*
# fixed in 4.14.1",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    let Problem::UnknownKey { key, key_node, meant, .. } = &fault.problem else { return None };
    if fault.part != "block" {
        return None;
    }
    let message = format!(
        "with `{}` next to `to` and `from`, this file is neither a block nor a risk, so the service drops it and offers the updates to all clusters",
        shortened(key),
    );
    let help = match meant {
        Some(meant) => format!("did you mean `{meant}`? A risk needs all of `url`, `name`, `message`, and `matchingRules`"),
        None => "turn the key into a comment, or complete the risk: `url`, `name`, `message`, and `matchingRules`".to_owned(),
    };
    Some(Finding::at(&RULE, subject.span(*key_node), message).help(help))
}
