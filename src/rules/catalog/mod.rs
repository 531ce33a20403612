//! Catalogs of operators: what opm refuses, and what it does not see.

mod catalog_syntax;
mod dead_end;

use super::Rule;

/// The rules, in the order of the codes.
pub(super) const RULES: &[&Rule] = &[&catalog_syntax::RULE, &dead_end::RULE];
