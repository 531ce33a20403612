//! Rules, and what a change can do to them.

pub(crate) mod change_verdict;
pub(crate) mod new_findings;
pub(crate) mod production_scripts;
pub(crate) mod promotions;
pub(crate) mod query_verdicts;
pub(crate) mod real_data;
pub(crate) mod repairs;
pub(crate) mod rules;
pub(crate) mod settings;
pub(crate) mod shared_patterns;
