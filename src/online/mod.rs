//! What a running server says of queries: which of their series it has, and what they answer. It is
//! asked one question at a time, so that it can go on with its own work.

mod ask;
mod asked;
mod asker;
mod words;

pub use ask::ask;
pub use asked::{Asked, AskedQuery, AskedSelector, Missing, Presence};
pub use asker::QuestionLimits;
