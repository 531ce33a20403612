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
mod words;

pub(crate) use payload::payload_svg;
pub use picture::Picture;
#[cfg(feature = "testing")]
pub use picture::{Bundle, Run, UpdateKind};
pub use request::{PictureRequest, UpdateFilter};

use crate::domain::Named;
use std::io::{self, Write};

/// The formats of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// For Graphviz.
    Dot,
    /// For Markdown on GitHub.
    Mermaid,
    /// For browsers.
    Svg,
}

impl Named for PictureFormat {
    const ALL: &'static [Self] = &[Self::Dot, Self::Mermaid, Self::Svg];

    fn name(self) -> &'static str {
        match self {
            Self::Dot => "dot",
            Self::Mermaid => "mermaid",
            Self::Svg => "svg",
        }
    }
}

impl Picture {
    /// Writes the picture in a format.
    pub fn write(&self, format: PictureFormat, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.text(format).as_bytes())
    }

    fn text(&self, format: PictureFormat) -> String {
        match format {
            PictureFormat::Dot => dot::text(self),
            PictureFormat::Mermaid => mermaid::text(self),
            PictureFormat::Svg => svg::text(self),
        }
    }
}
