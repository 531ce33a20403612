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
