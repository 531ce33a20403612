//! Comments that allow rules.

mod allow_without_reason;
mod unused_allow;

use super::Rule;

/// The rules, in the order of the codes.
pub(super) const RULES: &[&Rule] = &[&unused_allow::RULE, &allow_without_reason::RULE];
