//! What a change does.

mod broken_expectation;
mod dropped_risk;
mod moved_fix;
mod narrowed_from;
mod newly_stranded;
mod promoted_tombstone;
mod removed_version;
mod returning_risk_name;
mod stopped_promotion;

use super::Rule;

/// The rules, in the order of the codes.
pub(super) const RULES: &[&Rule] = &[
    &removed_version::RULE,
    &dropped_risk::RULE,
    &moved_fix::RULE,
    &promoted_tombstone::RULE,
    &newly_stranded::RULE,
    &broken_expectation::RULE,
    &returning_risk_name::RULE,
    &stopped_promotion::RULE,
    &narrowed_from::RULE,
];
