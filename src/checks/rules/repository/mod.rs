//! The repository as a whole.

mod invalid_json;
mod missing_part;
mod newer_schema_version;
mod newer_than_declared;
mod overwritten_metadata;
mod schema_version_ahead;
mod unsupported_schema_version;

use super::Rule;

/// The rules, in the order of the codes.
pub(super) const RULES: &[&Rule] = &[
    &missing_part::RULE,
    &unsupported_schema_version::RULE,
    &newer_schema_version::RULE,
    &schema_version_ahead::RULE,
    &newer_than_declared::RULE,
    &invalid_json::RULE,
    &overwritten_metadata::RULE,
];
