//! Pictures of an update graph: for Graphviz, for Mermaid, and as SVG.
//!
//! A channel has thousands of updates, and nobody can read thousands of lines. A [`Picture`]
//! folds releases that behave alike to one block, and the updates between blocks to one
//! arrow; how many there are and on which risks they depend stays written on it. Whatever is
//! folded stays true: an arrow says how many updates it stands for, of how many pairs, and a
//! risk is only named where some update depends on it.
//!
//! From below: `links` are the updates to draw, `fold` makes blocks of releases,
//! `bundle` makes arrows of links, `words` says it in text, and there is one writer for
//! each format.

mod bundle;
mod dot;
mod fold;
mod links;
mod mermaid;
mod palette;
mod picture;
mod svg;
mod words;

pub use picture::{Arrow, Block, Bundle, Column, Picture, Run};

use std::collections::BTreeSet;
use std::io::{self, Write};

use petgraph::graph::NodeIndex;

/// What is to be drawn of a channel.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Only a release, with the releases that lead to it and those that it leads to.
    pub around: Option<NodeIndex>,
    /// Which updates matter.
    pub only: Only,
    /// Whether to draw updates that no cluster sees.
    pub blocked: bool,
}

/// Which updates matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Only {
    /// Every update.
    #[default]
    All,
    /// Those that depend on risks.
    Conditional,
    /// Those from or to one of these releases, which are drawn in any case.
    Touching(BTreeSet<NodeIndex>),
}

/// What becomes of updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// They are offered to every cluster.
    Open,
    /// They are offered to clusters that none of the risks affects.
    Conditional,
    /// No cluster sees them.
    Blocked,
}

impl Kind {
    /// Every kind, in the order of legends.
    pub const ALL: [Self; 3] = [Self::Open, Self::Conditional, Self::Blocked];
}

/// The formats of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For Graphviz.
    Dot,
    /// For Markdown on GitHub.
    Mermaid,
    /// For browsers.
    Svg,
}

impl Format {
    /// Every format, with the name it goes by.
    pub const ALL: [(&'static str, Self); 3] =
        [("dot", Self::Dot), ("mermaid", Self::Mermaid), ("svg", Self::Svg)];

    /// The format of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }
}

impl Picture {
    /// Writes the picture in a format.
    pub fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.text(format).as_bytes())
    }

    fn text(&self, format: Format) -> String {
        match format {
            Format::Dot => dot::text(self),
            Format::Mermaid => mermaid::text(self),
            Format::Svg => svg::text(self),
        }
    }
}
