//! What a running server says about queries: which of their series it has, and what they answer.
//! exitpath asks one question at a time, so that the server can do its other work.

mod ask;
mod asked;
mod asker;
mod words;

pub use ask::ask;
pub use asked::{Asked, AskedQuery, AskedSelector, Missing, Presence};
pub use asker::QuestionLimits;
