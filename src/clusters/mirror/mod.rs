//! Mirrors of disconnected clusters: which releases oc-mirror v2 takes, which clusters get stuck
//! with them, and the smallest addition that unblocks those.
//!
//! The update service of a mirror has the images of the mirrored releases, so its graph is the part
//! of the whole graph with these releases.

mod additional;
mod channel_part;
mod config;
mod entries;
mod outlook;
mod selection;

pub use config::ImageSet;
pub(crate) use config::{
    MirroredCatalog, MirroredChannel, MirroredPackage, MirroredPackageChannel,
};
pub(crate) use outlook::{
    MirrorAddition, MirrorAnswer, MirrorEntries, MirrorOutlook, MirrorRequest, StuckBecause,
};
pub(crate) use selection::{Selection, Selector};
