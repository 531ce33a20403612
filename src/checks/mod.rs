//! What is wrong with the data, and the edits that correct it.

pub(crate) mod authoring;
pub(crate) mod edit;
pub(crate) mod lint;
pub(crate) mod rules;
