//! How a path is rolled out: each update with its eleven steps.

mod human;
mod json;

pub(super) use human::write;
pub(super) use json::json;
