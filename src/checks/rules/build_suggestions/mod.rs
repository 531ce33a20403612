//! Build suggestions.

mod suggestions_empty_range;
mod suggestions_idle_block;
mod suggestions_stale_floor;
mod suggestions_unknown_release;
mod suggestions_wrong_minor;

use super::Rule;

/// The rules, in the order of the codes.
pub(super) const RULES: &[&Rule] = &[
    &suggestions_wrong_minor::RULE,
    &suggestions_empty_range::RULE,
    &suggestions_idle_block::RULE,
    &suggestions_stale_floor::RULE,
    &suggestions_unknown_release::RULE,
];
