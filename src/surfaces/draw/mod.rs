//! Pictures of an update graph: for Graphviz, for Mermaid, and as SVG.
//!
//! A channel has thousands of updates, too many lines to read. A [`Picture`] folds releases
//! with similar updates to one group, and the updates between groups to one arrow. Folding
//! never makes a picture wrong: an arrow says how many updates it stands for, of how many
//! possible updates, and it names a risk only if one of its updates has that risk.
//!
//! From below: `picture` is the model, `links` are the updates to draw, `columns` and `fold`
//! group the releases, `bundles` makes arrows of links, `words` has the texts, and `builder`
//! puts a picture together. Each format has one writer.

mod builder;
mod bundles;
mod catalog;
mod columns;
mod dot;
mod fold;
mod links;
mod mermaid;
mod palette;
mod payload;
mod picture;
mod request;
mod svg;
mod timeline;
mod words;

pub(crate) use payload::payload_svg;
pub use picture::Picture;
#[cfg(feature = "testing")]
pub use picture::{Bundle, Run, UpdateKind};
pub use request::{PictureRequest, UpdateFilter};
pub(crate) use timeline::timeline;

use crate::domain::Format;

impl Picture {
    /// The function that draws in a format. None if pictures do not have this format.
    pub fn writer(format: Format) -> Option<fn(&Self) -> String> {
        Some(match format {
            Format::Dot => dot::text,
            Format::Mermaid => mermaid::text,
            Format::Svg => svg::text,
            _ => return None,
        })
    }
}
