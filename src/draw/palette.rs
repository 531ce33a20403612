//! Colours that colour-blind people can tell (of Okabe and Ito), and dashes for those who
//! see none, or print.

use super::Kind;

/// How updates of a kind are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// What it goes by in formats that have names for styles.
    pub name: &'static str,
    /// On a light background.
    pub color: &'static str,
    /// On a dark one.
    pub on_dark: &'static str,
    /// Lengths of dashes and of gaps; nothing for a line without gaps.
    pub dashes: &'static str,
}

pub(super) fn line(kind: Kind) -> Line {
    match kind {
        Kind::Open => Line { name: "solid", color: "#0072B2", on_dark: "#56B4E9", dashes: "" },
        Kind::Conditional => {
            Line { name: "dashed", color: "#D55E00", on_dark: "#E69F00", dashes: "7 4" }
        }
        Kind::Blocked => {
            Line { name: "dotted", color: "#A64D79", on_dark: "#CC79A7", dashes: "1.5 3.5" }
        }
    }
}
