//! The types that every other room speaks of.

mod arch;
pub mod channel_name;
mod id;
mod minor;
mod named;
mod rule_kind;
mod severity;
pub mod version;

pub use arch::{Arch, ArchSet};
pub use channel_name::ChannelName;
pub use id::{Arena, Id};
pub use minor::Minor;
pub use named::Named;
pub use rule_kind::RuleKind;
pub use severity::{FailOn, Severity};
pub use version::Version;

pub(crate) use id::ids;
