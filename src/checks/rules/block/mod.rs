//! Blocked edges in general.

mod block_beside_risk;
mod block_file_name;
mod costly_from;
mod duplicate_block;
mod empty_from;
mod from_dialect;
mod from_idle_branch;
mod from_inline_flags;
mod from_inside_version;
mod from_leaves_out;
mod from_matches_nothing;
mod from_names_target;
mod from_never_applies;
mod from_not_text;
mod from_odd_class;
mod from_unescaped_dot;
mod from_wild_dot;
mod invalid_from;
mod neither_block_nor_risk;
mod unknown_target;
mod unserved_target;

use super::Rule;

/// The rules, in the order of the codes.
pub(super) const RULES: &[&Rule] = &[
    &empty_from::RULE,
    &from_not_text::RULE,
    &from_matches_nothing::RULE,
    &invalid_from::RULE,
    &from_never_applies::RULE,
    &from_inside_version::RULE,
    &from_wild_dot::RULE,
    &from_idle_branch::RULE,
    &from_leaves_out::RULE,
    &neither_block_nor_risk::RULE,
    &duplicate_block::RULE,
    &from_odd_class::RULE,
    &from_inline_flags::RULE,
    &from_dialect::RULE,
    &block_beside_risk::RULE,
    &unserved_target::RULE,
    &from_names_target::RULE,
    &costly_from::RULE,
    &unknown_target::RULE,
    &from_unescaped_dot::RULE,
    &block_file_name::RULE,
];
