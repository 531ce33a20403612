//! A block with one key too many.

use crate::rules::{Check, Family, Finding, Rule, Severity, Subject, shortened};
use crate::schema::{Fault, Problem};

pub(super) static RULE: Rule = Rule {
    code: "EP110",
    name: "neither-block-nor-risk",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Error,
    summary: "a block with a further key, which the service drops",
    explanation: "\
A block is exactly `to` and `from`. The service refuses any further key there, and
without `url`, `name`, `message` and `matchingRules` the file is no risk either.
So it is dropped, and the updates are offered to everyone. What a block has to say
to people belongs in a comment.",
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
        "with `{}` beside `to` and `from` this file is neither a block nor a risk, so the service drops it and offers the updates to everyone",
        shortened(key),
    );
    let help = match meant {
        Some(meant) => format!("did you mean `{meant}`? A risk also needs the others of `url`, `name`, `message` and `matchingRules`"),
        None => "turn the key into a comment, or complete the risk: `url`, `name`, `message` and `matchingRules`".to_owned(),
    };
    Some(Finding::at(&RULE, subject.span(*key_node), message).help(help))
}
