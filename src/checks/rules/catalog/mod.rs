//! Catalogs of operators: the problems that opm refuses, and those that it does not notice.

mod ambiguous_key;
mod build_only_difference;
mod bundle_name_version;
mod catalog_syntax;
mod catalog_wrong_type;
mod channel_removed;
mod channel_too_large;
mod contradictory_substitution;
mod dead_end;
mod deprecated_default_channel;
mod deprecated_target;
mod deprecation_without_message;
mod downgrade_edge;
mod duplicate_bundle_version;
mod duplicate_declaration;
mod empty_channel;
mod empty_skip;
mod empty_skip_range;
mod entry_without_bundle;
mod head_went_back;
mod ignored_skip_range;
mod impossible_dependency;
mod invalid_bundle_version;
mod invalid_constraint;
mod invalid_deprecation_target;
mod invalid_image;
mod invalid_package_name;
mod invalid_skip_range;
mod long_path;
mod max_openshift_version;
mod missing_default_channel;
mod missing_metadata;
mod missing_name;
mod missing_schema;
mod mixed_metadata;
mod next_without_channel;
mod next_without_package;
mod next_without_update;
mod not_one_head;
mod prohibited_target;
mod range_contains_itself;
mod range_contains_newer;
mod range_leaves_out_replaced;
mod range_without_lower_bound;
mod removed_and_stranded;
mod repeated_field;
mod replaces_cycle;
mod replaces_itself;
mod shared;
mod stranded_entry;
mod unapplied_substitution;
mod unknown_field;
mod unknown_package;
mod unknown_replaces;
mod unknown_skip;
mod unknown_substituted_bundle;
mod unlisted_bundle;
mod unprovided_api;
mod unreachable_channel;
mod wrong_package_property;

use super::Rule;

/// The rules, in the order of the codes.
pub(super) const RULES: &[&Rule] = &[
    &catalog_syntax::RULE,
    &catalog_wrong_type::RULE,
    &missing_schema::RULE,
    &missing_name::RULE,
    &duplicate_declaration::RULE,
    &invalid_package_name::RULE,
    &unknown_package::RULE,
    &wrong_package_property::RULE,
    &invalid_image::RULE,
    &invalid_bundle_version::RULE,
    &unlisted_bundle::RULE,
    &entry_without_bundle::RULE,
    &missing_default_channel::RULE,
    &empty_channel::RULE,
    &not_one_head::RULE,
    &replaces_cycle::RULE,
    &stranded_entry::RULE,
    &duplicate_bundle_version::RULE,
    &empty_skip::RULE,
    &invalid_skip_range::RULE,
    &invalid_deprecation_target::RULE,
    &deprecation_without_message::RULE,
    &ambiguous_key::RULE,
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
    &unprovided_api::RULE,
    &invalid_constraint::RULE,
    &mixed_metadata::RULE,
    &ignored_skip_range::RULE,
    &contradictory_substitution::RULE,
    &unknown_substituted_bundle::RULE,
    &unapplied_substitution::RULE,
    &next_without_package::RULE,
    &next_without_channel::RULE,
    &next_without_update::RULE,
    &unreachable_channel::RULE,
];
