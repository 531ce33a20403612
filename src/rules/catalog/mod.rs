//! Catalogs of operators: what opm refuses, and what it does not see.

mod ambiguous_key;
mod catalog_syntax;
mod catalog_wrong_type;
mod dead_end;
mod deprecation_without_message;
mod duplicate_bundle_version;
mod duplicate_declaration;
mod empty_channel;
mod empty_skip;
mod entry_without_bundle;
mod invalid_bundle_version;
mod invalid_deprecation_target;
mod invalid_image;
mod invalid_package_name;
mod invalid_skip_range;
mod missing_default_channel;
mod missing_name;
mod missing_schema;
mod not_one_head;
mod replaces_cycle;
mod shared;
mod stranded_entry;
mod unknown_package;
mod unlisted_bundle;
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
];
