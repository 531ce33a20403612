//! Writes the keys of a risk as the data files have them.

use crate::edit::{literal, scalar};

/// Which clusters a risk affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RiskRules<'a> {
    Always,
    /// A query.
    PromQl(&'a str),
}

/// A message is on lines of its own.
pub(super) fn message_value(message: &str) -> String {
    literal(message.trim_end(), 2)
}

/// `matchingRules` with one rule.
pub(super) fn rules_lines(rules: RiskRules<'_>) -> String {
    match rules {
        RiskRules::Always => "matchingRules:\n- type: Always\n".to_owned(),
        RiskRules::PromQl(query) => {
            let query = query.trim_end();
            let value = match query.trim_start() {
                one if !one.contains('\n') => scalar(one),
                _ => literal(&format!("{query}\n"), 6),
            };
            format!("matchingRules:\n- type: PromQL\n  promql:\n    promql: {value}\n")
        }
    }
}

/// A text with another release wherever it names the first one as a whole.
pub(super) fn with_target(text: &str, old: &str, new: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let mut changed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(old) {
        let (before, after) = (&rest[..at], &rest[at + old.len()..]);
        let is_inside = before.ends_with(|c| is_part(c) || c == '.')
            || after.starts_with(is_part)
            || after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_digit());
        changed.push_str(before);
        changed.push_str(if is_inside { old } else { new });
        rest = after;
    }
    changed.push_str(rest);
    changed
}
