//! A URL that is not `https`, or does not lead to a page.

use crate::rules::{Check, Family, Finding, Rule, Severity, Subject, shortened};
use crate::schema::{Fault, Problem};
use crate::text::is_typo_of;

pub(super) static RULE: Rule = Rule {
    code: "EP203",
    name: "vague-url",
    aliases: &[],
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a risk's `url` that is not `https`, or names a site but not a page",
    explanation: "\
An administrator who is warned of a risk opens its `url`. The front page of a tracker
explains nothing. Anything but `https` is an error: the repository's presubmit refuses it.",
    bad: "url: https://issues.example.com/",
    good: "url: https://issues.example.com/browse/BUG-1",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    if fault.part != "page" || fault.problem != Problem::Pattern {
        return None;
    }
    let url = subject.document()?.text(fault.node)?;
    let (what, severity) = if url.starts_with("https://http") {
        ("contains `https://` twice", Severity::Warning)
    } else if !url.starts_with("https://") {
        ("does not begin with `https://`: the repository's presubmit refuses it", Severity::Error)
    } else if url.contains(char::is_whitespace) {
        ("contains whitespace", Severity::Warning)
    } else {
        ("names a site but not a page on it", Severity::Warning)
    };
    let message = format!("the URL `{}` {what}", subject.quoted(fault.node));
    let finding = Finding::at(&RULE, subject.span(fault.node), message).severity(severity);
    Some(match meant(url) {
        Some(meant) => finding.help(format!("did you mean `{}`?", shortened(&meant))),
        None => finding.help("link to the page that explains this risk"),
    })
}

/// The URL with `https://` where there is a typo of it.
fn meant(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once(':')?;
    let rest = rest.trim_start_matches('/');
    let is_typo = is_typo_of(scheme, "https") && !url.starts_with("https://");
    (is_typo && !rest.is_empty()).then(|| format!("https://{rest}"))
}
