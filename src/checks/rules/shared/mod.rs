//! Shared code for rules of several families. It holds no rule.

pub(super) mod channels;
pub(super) mod files;
pub(super) mod patterns;
pub(super) mod stranding;
pub(super) mod words;
