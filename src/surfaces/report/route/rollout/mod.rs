//! The rollout of a path: each update with its eleven steps.

mod human;
mod json;

pub(super) use human::write;
pub(super) use json::json;
