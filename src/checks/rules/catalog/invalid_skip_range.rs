//! A `skipRange` that is not a range of versions.

use crate::catalog::{Objection, ObjectionKind};
use crate::go::semver::Range;
use crate::rules::{CatalogSubject, Check, Family, Finding, Properties, Rule, Severity, whole};

pub(super) static RULE: Rule = Rule {
    code: "OC020",
    name: "invalid-skip-range",
    properties: Properties::USUAL,
    family: Family::Catalog,
    severity: Severity::Error,
    summary: "a `skipRange` that is not a range of versions",
    explanation: "\
Since version 1.69, opm refuses a catalog with a `skipRange` that it cannot read: none of its
operators can be installed or updated. Older versions of opm accept it. OLM then ignores it
silently: the entry has no `skipRange`, and the versions that it means get no update.

A range is comparisons with spaces between them: `>=1.0.0 <1.2.0`. All of them must be true.
`||` with spaces around it means \"or\". There are no commas, and no `^` or `~`. Versions have
three numbers and no `v`, except with `x`: `1.2.x` or `1.x`. A range that begins with `>`
needs quotes in YAML.",
    bad: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.2.0
  skipRange: \">=v1.0.0, <v1.2.0\"",
    good: "\
schema: olm.channel
package: example
name: stable
entries:
- name: example.v1.2.0
  skipRange: \">=1.0.0 <1.2.0\"",
    check: Check::Objection(check),
};

fn check(_: &CatalogSubject<'_>, objection: &Objection) -> Option<Finding> {
    let ObjectionKind::SkipRange { range, .. } = &objection.kind else { return None };
    let message = format!(
        "`{}` is not a range of versions, so opm refuses the catalog; OLM ignores such a `skipRange` \
         silently",
        whole(range)
    );
    let reasons = reasons(range).join(", ");
    let help = match (meant(range), reasons.as_str()) {
        (Some(meant), "") => format!("did you mean `{}`?", whole(&meant)),
        (Some(meant), reasons) => format!("write `{}`: {reasons}", whole(&meant)),
        (None, "") => {
            "write comparisons with spaces between them, such as `\">=1.0.0 <1.2.0\"`".to_owned()
        }
        (None, reasons) => format!("{reasons}; a range is `\">=1.0.0 <1.2.0\"`, for example"),
    };
    Some(Finding::at(&RULE, objection.span, message).help(help))
}

/// The usual mistakes that a range contains, in words.
fn reasons(range: &str) -> Vec<&'static str> {
    let parts = parts(range);
    let mut reasons = Vec::new();
    let mut add = |is_wrong: bool, reason| {
        if is_wrong {
            reasons.push(reason);
        }
    };
    add(range.contains(['"', '\'']), "the inner quotes are part of the text");
    add(range.contains(','), "a range has no commas");
    add(range.contains(['^', '~']), "a range has no `^` and no `~`");
    add(parts.iter().any(|part| part.has_v), "a version has no `v`");
    let is_short = |part: &RangePart<'_>| part.numbers().len() < 3 && !part.has_wildcard();
    add(
        parts.iter().any(|part| !part.version.is_empty() && is_short(part)),
        "a version has three numbers",
    );
    let has_tight_or = range.contains("||") && !range.contains(" || ");
    add(has_tight_or, "`||` needs spaces around it");
    let is_next = |part: &RangePart<'_>| {
        part.version.split_once('-').is_some_and(|(_, pre_release)| pre_release.contains('x'))
            && !matches!(part.operator, ">=" | "<")
    };
    add(
        parts.iter().any(is_next),
        "an `x` counts as a wildcard, also in a pre-release, except after `>=` and `<`",
    );
    reasons
}

/// One comparison of a range, or `||`.
struct RangePart<'r> {
    operator: &'r str,
    has_v: bool,
    /// The version without `v`. Empty for `||`.
    version: &'r str,
}

impl RangePart<'_> {
    /// The numbers of the version before any `-` or `+`.
    fn numbers(&self) -> Vec<&str> {
        self.version.split(['-', '+']).next().unwrap_or_default().split('.').collect()
    }

    fn has_wildcard(&self) -> bool {
        self.numbers().iter().any(|number| matches!(*number, "x" | "X" | "*"))
    }

    /// The version, completed to three numbers.
    fn whole(&self) -> String {
        let missing = 3_usize.saturating_sub(self.numbers().len());
        format!("{}{}", self.version, ".0".repeat(missing))
    }

    /// The comparison in the notation that OLM reads.
    fn corrected(&self) -> Option<String> {
        let Self { operator, version, .. } = *self;
        let numbers = self.numbers();
        let at = |at: usize| numbers.get(at).map_or(Some(0), |number| number.parse::<u64>().ok());
        let below = |[major, minor, patch]: [u64; 3]| {
            format!(">={} <{major}.{minor}.{patch}", self.whole())
        };
        Some(match operator {
            "||" => operator.to_owned(),
            _ if self.has_wildcard() => format!("{operator}{}", version.replace(['X', '*'], "x")),
            "^" => below(match [at(0)?, at(1)?, at(2)?] {
                [0, 0, patch] if numbers.len() > 2 => [0, 0, patch.checked_add(1)?],
                [0, minor, _] if numbers.len() > 1 => [0, minor.checked_add(1)?, 0],
                [major, ..] => [major.checked_add(1)?, 0, 0],
            }),
            "~" if numbers.len() == 1 => below([at(0)?.checked_add(1)?, 0, 0]),
            "~" => below([at(0)?, at(1)?.checked_add(1)?, 0]),
            ">=" | "<" => format!("{operator}{}", self.whole()),
            _ if numbers.len() < 3 => format!("{operator}{version}.x"),
            _ => format!("{operator}{version}"),
        })
    }
}

fn parts(range: &str) -> Vec<RangePart<'_>> {
    let is_operator = |c: char| "<>=!^~|".contains(c);
    let mut parts = Vec::new();
    let mut rest = range;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || ",\"'".contains(c));
        if rest.is_empty() {
            return parts;
        }
        let operator = &rest[..rest.find(|c| !is_operator(c)).unwrap_or(rest.len())];
        if let Some(after) = rest.strip_prefix("||") {
            parts.push(RangePart { operator: "||", has_v: false, version: "" });
            rest = after;
            continue;
        }
        let after = rest[operator.len()..].trim_start();
        let is_end = |c: char| c.is_whitespace() || is_operator(c) || ",\"'".contains(c);
        let word = &after[..after.find(is_end).unwrap_or(after.len())];
        let version = word.strip_prefix(['v', 'V']).unwrap_or(word);
        parts.push(RangePart { operator, has_v: version.len() < word.len(), version });
        rest = &after[word.len()..];
    }
}

/// The range that the author probably means, if it is clear.
fn meant(range: &str) -> Option<String> {
    let parts = parts(range);
    let parts: Option<Vec<String>> = parts.iter().map(RangePart::corrected).collect();
    let text = parts?.join(" ");
    (text != range && Range::parse(&text).is_ok()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn usual_mistakes_have_a_suggestion() {
        for (range, expected) in [
            (">=v1.0.0, <v1.2.0", ">=1.0.0 <1.2.0"),
            ("^1.2.3", ">=1.2.3 <2.0.0"),
            ("^0.2.3", ">=0.2.3 <0.3.0"),
            ("^0.0.3", ">=0.0.3 <0.0.4"),
            ("~1.2", ">=1.2.0 <1.3.0"),
            ("~1", ">=1.0.0 <2.0.0"),
            (">=1.0 <1.2", ">=1.0.0 <1.2.0"),
            ("<=1.2", "<=1.2.x"),
            ("1", "1.x"),
            ("<1.0.0||>2.0.0", "<1.0.0 || >2.0.0"),
            ("'>= 1.0.0 < 1.2.0'", ">=1.0.0 <1.2.0"),
            (">=1.0.0<1.2.0", ">=1.0.0 <1.2.0"),
        ] {
            assert_eq!(meant(range).as_deref(), Some(expected), "{range}");
        }
        for range in ["", " ", "latest", "1.0.0 - 1.2.0", ">1.0.0-next", "||", "^", "é^1.é"] {
            assert_eq!(meant(range), None, "{range}");
        }
    }
}
