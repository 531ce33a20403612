//! A URL that is not `https`, or does not lead to a page.

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject, shortened};
use crate::schema::{Fault, Problem};
use crate::text::is_typo_of;

pub(super) static RULE: Rule = Rule {
    code: "EP203",
    name: "vague-url",
    properties: Properties::USUAL,
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
    let (what, severity) = match url.strip_prefix("https://") {
        None => (
            "does not begin with `https://`: the repository's presubmit refuses it",
            Severity::Error,
        ),
        Some(rest) => (vague_part(rest), Severity::Warning),
    };
    let message = format!("the URL `{}` {what}", subject.quoted(fault.node));
    let finding = Finding::at(&RULE, subject.span(fault.node), message).severity(severity);
    Some(match meant(url) {
        None if what == PASSWORD => finding.help(
            "remove the user and the password from it, and change the password: git keeps it",
        ),
        Some(meant) => finding.help(format!("did you mean `{}`?", shortened(&meant))),
        None => finding.help("link to the page that explains this risk"),
    })
}

const PASSWORD: &str = "contains a password, which everybody can read";

/// The fault of a URL. `rest` begins with its host.
fn vague_part(rest: &str) -> &'static str {
    if rest.starts_with("http") && rest.contains("://") {
        return "contains `https://` twice";
    }
    if rest.contains(char::is_whitespace) {
        return "contains whitespace";
    }
    let site = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let port = site.rsplit_once(':').map(|(_, port)| port);
    match site.rsplit_once('@') {
        Some((user, _)) if user.contains(':') => PASSWORD,
        _ if site.is_empty() => "names no site",
        _ if site.starts_with('[') => "names a site by its address, not by its name",
        _ if port.is_some_and(|port| port.parse::<u16>().is_err()) => {
            "has a port that is not a number"
        }
        _ => "names a site but not a page on it",
    }
}

/// The URL with its scheme corrected, if that is a typo of `https://`.
fn meant(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once(':')?;
    let rest = rest.trim_start_matches('/');
    let is_typo = is_typo_of(scheme, "https") && !url.starts_with("https://");
    (is_typo && !rest.is_empty()).then(|| format!("https://{rest}"))
}

#[cfg(test)]
mod tests {
    use super::{PASSWORD, vague_part};

    #[test]
    fn each_url_is_vague_for_its_own_reason() {
        for (url, why) in [
            ("https://example.com/1", "contains `https://` twice"),
            ("example.com/a page", "contains whitespace"),
            ("me:secret@example.com/page", PASSWORD),
            ("/page", "names no site"),
            ("[::1]/page", "names a site by its address, not by its name"),
            ("example.com:x/page", "has a port that is not a number"),
            ("example.com:443/", "names a site but not a page on it"),
            ("http.example.com", "names a site but not a page on it"),
        ] {
            assert_eq!(vague_part(url), why, "{url}");
        }
    }
}
