//! Catalogs of operators: what opm refuses, and what it does not see.

mod build_only_difference;
mod bundle_name_version;
mod catalog_syntax;
mod channel_removed;
mod channel_too_large;
mod dead_end;
mod deprecated_default_channel;
mod deprecated_target;
mod downgrade_edge;
mod empty_skip_range;
mod head_went_back;
mod impossible_dependency;
mod long_path;
mod max_openshift_version;
mod missing_metadata;
mod prohibited_target;
mod range_contains_itself;
mod range_contains_newer;
mod range_leaves_out_replaced;
mod range_without_lower_bound;
mod removed_and_stranded;
mod repeated_field;
mod replaces_and_skips;
mod replaces_itself;
mod shared;
mod unknown_field;
mod unknown_replaces;
mod unknown_skip;

use super::Rule;

/// The rules, in the order of the codes.
pub(super) const RULES: &[&Rule] = &[
    &catalog_syntax::RULE,
    &dead_end::RULE,
    &removed_and_stranded::RULE,
    &channel_removed::RULE,
    &head_went_back::RULE,
    &downgrade_edge::RULE,
    &range_contains_itself::RULE,
    &range_contains_newer::RULE,
    &empty_skip_range::RULE,
    &range_without_lower_bound::RULE,
    &range_leaves_out_replaced::RULE,
    &unknown_replaces::RULE,
    &unknown_skip::RULE,
    &replaces_itself::RULE,
    &replaces_and_skips::RULE,
    &bundle_name_version::RULE,
    &deprecated_default_channel::RULE,
    &unknown_field::RULE,
    &repeated_field::RULE,
    &max_openshift_version::RULE,
    &build_only_difference::RULE,
    &impossible_dependency::RULE,
    &missing_metadata::RULE,
    &deprecated_target::RULE,
    &long_path::RULE,
    &channel_too_large::RULE,
    &prohibited_target::RULE,
];
