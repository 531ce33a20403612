//! Colors that color-blind people can distinguish (by Okabe and Ito), and dashes for readers
//! without colors.

use super::picture::UpdateKind;

/// How updates of a kind are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineStyle {
    /// The name of the style, in formats that have such names.
    pub name: &'static str,
    /// The color on a light background.
    pub color: &'static str,
    /// The color on a dark background.
    pub on_dark: &'static str,
    /// The lengths of dashes and gaps. None for a solid line.
    pub dashes: Option<&'static str>,
}

pub(super) fn line(kind: UpdateKind) -> LineStyle {
    match kind {
        UpdateKind::Open => {
            LineStyle { name: "solid", color: "#0072B2", on_dark: "#56B4E9", dashes: None }
        }
        UpdateKind::Conditional => {
            LineStyle { name: "dashed", color: "#D55E00", on_dark: "#E69F00", dashes: Some("7 4") }
        }
        UpdateKind::Blocked => LineStyle {
            name: "dotted",
            color: "#A64D79",
            on_dark: "#CC79A7",
            dashes: Some("1.5 3.5"),
        },
    }
}
