//! Files and their notation.

mod duplicate_key;
mod ignored_file;
mod loaded_by_accident;
mod merge_conflict;
mod no_final_line_break;
mod production_rejects;
mod several_documents;
mod unreadable_file;
mod unusual_line_break;
mod yaml_syntax;

use super::Rule;

/// The rules, in the order of the codes.
pub(super) const RULES: &[&Rule] = &[
    &unreadable_file::RULE,
    &yaml_syntax::RULE,
    &merge_conflict::RULE,
    &duplicate_key::RULE,
    &several_documents::RULE,
    &ignored_file::RULE,
    &loaded_by_accident::RULE,
    &production_rejects::RULE,
    &unusual_line_break::RULE,
    &no_final_line_break::RULE,
];
