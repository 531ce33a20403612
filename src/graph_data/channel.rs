//! A channel: which releases are served where.

use crate::text::{SourceId, Sources, Spanned};

use super::{DataFile, Kind, Location};

/// One file of `channels/` or `internal-channels/`.
#[derive(Clone, Debug)]
pub struct Channel {
    /// The file.
    pub file: SourceId,
    /// Whether clusters can ask for it.
    pub public: bool,
    /// The file's name without `.yaml`.
    pub stem: String,
    /// The channel's name.
    pub name: Option<Spanned<String>>,
    /// The members that are written as text, in the order written.
    pub versions: Vec<Spanned<String>>,
    /// The releases that are never promoted.
    pub tombstones: Vec<Spanned<String>>,
}

impl Channel {
    pub(super) fn read(file: &DataFile, sources: &Sources) -> Option<Self> {
        if !matches!(file.kind, Kind::Channel | Kind::InternalChannel) {
            return None;
        }
        let document = file.document()?;
        let list = |key| -> Vec<Spanned<String>> {
            let items = document.top(key).map_or(&[][..], |node| document.items(node));
            items.iter().filter_map(|item| file.spanned_text(*item)).collect()
        };
        let name = Location::of(sources.get(file.id).path()).name;
        Some(Self {
            file: file.id,
            public: file.kind == Kind::Channel,
            stem: name.strip_suffix(".yaml").unwrap_or(name).to_owned(),
            name: file.text("name"),
            versions: list("versions"),
            tombstones: list("tombstones"),
        })
    }
}
