//! Types that all rooms share.

mod arch;
mod buckets;
pub(crate) mod channel_name;
mod collections;
mod format;
mod id;
mod minor;
mod named;
mod product;
mod rule_kind;
mod severity;
mod shared_list;
pub(crate) mod time;
pub(crate) mod version;

pub(crate) use arch::ArchSet;
pub use arch::{Arch, Architectures};
pub(crate) use buckets::Buckets;
pub use channel_name::ChannelName;
pub(crate) use collections::{FastHash, HashMap, HashSet};
pub use format::Format;
pub(crate) use id::{Arena, Id};
pub use minor::Minor;
pub use named::Named;
pub(crate) use product::{Product, by_age, is_general};
pub(crate) use rule_kind::RuleKind;
pub use severity::{FailOn, Severity};
pub use shared_list::SharedList;
pub(crate) use version::Version;

pub(crate) use id::{each_id, ids};
