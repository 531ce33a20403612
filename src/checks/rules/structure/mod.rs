//! Keys and values, in every kind of file.

mod empty_file;
mod empty_text;
mod invalid_version;
mod missing_key;
mod repeated_version;
mod shared;
mod unknown_key;
mod unquoted_text;
mod wrong_type;

use super::Rule;

/// The rules, in the order of the codes.
pub(super) const RULES: &[&Rule] = &[
    &empty_file::RULE,
    &unknown_key::RULE,
    &missing_key::RULE,
    &wrong_type::RULE,
    &unquoted_text::RULE,
    &invalid_version::RULE,
    &repeated_version::RULE,
    &empty_text::RULE,
];
