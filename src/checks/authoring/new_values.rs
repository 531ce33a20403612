//! New values for the keys of a risk's file.

use crate::edit::KeyLines;

use super::text::{RiskRules, message_value, rules_lines};

/// The given values. All other values stay.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NewValues<'a> {
    pub url: Option<&'a str>,
    pub message: Option<&'a str>,
    pub rules: Option<RiskRules<'a>>,
    /// The pattern of origins.
    pub from: Option<&'a str>,
    /// The comment above `from`. It is about the origins, so a new `from` without a comment removes
    /// it.
    pub comment: Option<&'a str>,
}

impl NewValues<'_> {
    /// Writes the values into a file. Returns the keys.
    pub(super) fn write(&self, lines: &mut KeyLines<'_>) -> Vec<&'static str> {
        let mut changed = Vec::new();
        if let Some(url) = self.url {
            lines.set_text("url", url);
            changed.push("url");
        }
        if let Some(message) = self.message {
            if message.contains('\n') || !lines.has_on_one_line("message") {
                lines.set("message", &message_value(message));
            } else {
                lines.set_text("message", message);
            }
            changed.push("message");
        }
        if let Some(from) = self.from {
            lines.set_text("from", from);
            changed.push("from");
        }
        if self.from.or(self.comment).is_some() {
            lines.set_comment("from", self.comment);
        }
        if let Some(rules) = self.rules {
            lines.set_lines("matchingRules", &rules_lines(rules));
            changed.push("matchingRules");
        }
        changed
    }
}
