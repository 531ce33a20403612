//! Conditional risks.

mod always_with_promql;
mod borrowed_text;
mod bug_as_url;
mod double_slash_url;
mod doubled_word;
mod draft_clusters;
mod duplicate_risk;
mod empty_matching_rules;
mod empty_promql;
mod fixed_in_misplaced;
mod fixed_in_unserved;
mod from_disagrees;
mod invalid_url;
mod message_version;
mod misspelled_word;
mod prerelease_risk_without_fix;
mod pruned_rule;
mod reassuring_message;
mod repeated_rule_type;
mod reserved_risk_name;
mod risk_disagrees;
mod risk_file_name;
mod risk_for_one_architecture;
mod risk_name;
mod risk_not_extended;
mod risk_past_fix;
mod rule_after_always;
mod shared;
mod unknown_rule_type;
mod untested_risk;
mod vague_url;

use super::Rule;

/// The rules, in the order of the codes.
pub(super) const RULES: &[&Rule] = &[
    &risk_name::RULE,
    &invalid_url::RULE,
    &vague_url::RULE,
    &empty_matching_rules::RULE,
    &unknown_rule_type::RULE,
    &pruned_rule::RULE,
    &rule_after_always::RULE,
    &repeated_rule_type::RULE,
    &empty_promql::RULE,
    &always_with_promql::RULE,
    &draft_clusters::RULE,
    &risk_file_name::RULE,
    &duplicate_risk::RULE,
    &risk_disagrees::RULE,
    &risk_for_one_architecture::RULE,
    &message_version::RULE,
    &risk_not_extended::RULE,
    &fixed_in_misplaced::RULE,
    &fixed_in_unserved::RULE,
    &risk_past_fix::RULE,
    &from_disagrees::RULE,
    &borrowed_text::RULE,
    &prerelease_risk_without_fix::RULE,
    &reserved_risk_name::RULE,
    &doubled_word::RULE,
    &reassuring_message::RULE,
    &bug_as_url::RULE,
    &double_slash_url::RULE,
    &misspelled_word::RULE,
    &untested_risk::RULE,
];
