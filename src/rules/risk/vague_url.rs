//! A url that leads nowhere in particular.

use crate::rules::{Check, Family, Finding, Rule, Severity, Subject};
use crate::schema::{Fault, Problem};

pub(super) static RULE: Rule = Rule {
    code: "EP203",
    name: "vague-url",
    aliases: &[],
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a risk's url that is not https, or names a site but no page",
    explanation: "\
An administrator who is warned of a risk follows its url. A tracker's front page
tells nothing, and the data's own presubmit refuses anything but `https`.",
    bad: "url: https://issues.example.com/",
    good: "url: https://issues.example.com/browse/BUG-1",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    if fault.part != "page" || fault.problem != Problem::Pattern {
        return None;
    }
    let url = subject.document()?.text(fault.node)?;
    let what = if url.starts_with("https://http") {
        "says `https://` twice"
    } else if url.contains(char::is_whitespace) {
        "has white space in it"
    } else if url.starts_with("https://") {
        "names a site, but no page on it"
    } else {
        "does not begin with `https://`"
    };
    let message = format!("the url `{}` {what}", subject.quoted(fault.node));
    let finding = Finding::at(&RULE, subject.span(fault.node), message);
    Some(finding.help("link to the page that explains this risk"))
}
