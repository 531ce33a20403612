//! Writes SVG for browsers: a card for each group, with a row for each arrow that leads there.
//!
//! Text is in cards and lines are between them, so neither can cover the other. The picture has no
//! scripts and loads nothing.

mod cards;
mod layout;
mod routes;
mod type_size;

use std::fmt::Write;

use layout::{Layout, MARGIN};
pub(super) use type_size::{LINE, TITLE, width};

use super::palette::line;
use super::picture::{Arrow, Picture, UpdateKind};
use super::words;
use crate::text::{printable, xml};
use cards::{Card, Row, SAMPLE};
use routes::Route;

pub(super) fn text(picture: &Picture) -> String {
    let layout = Layout::of(picture);
    let mut out = String::new();
    let _ = write_all(picture, &layout, &mut out);
    out
}

fn write_all(picture: &Picture, layout: &Layout, out: &mut String) -> std::fmt::Result {
    let (width, height) = (layout.width, layout.height);
    let title = escaped(&picture.title);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title desc\">"
    )?;
    writeln!(out, "<title id=\"title\">{title}</title>")?;
    writeln!(out, "<desc id=\"desc\">{}</desc>", escaped(&picture.notes.join(" ")))?;
    write_style(out)?;
    writeln!(out, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>")?;
    writeln!(out, "<text class=\"title\" x=\"{MARGIN}\" y=\"{}\">{title}</text>", MARGIN + TITLE)?;
    write_legend(picture, layout, out)?;
    for (column, x) in picture.columns.iter().zip(&layout.columns) {
        let (name, y) = (escaped(&column.name), layout.headings);
        writeln!(out, "<text class=\"minor\" x=\"{x}\" y=\"{y}\">{name}</text>")?;
    }
    for trunk in &layout.trunks {
        writeln!(out, "<path class=\"trunk\" d=\"M{} {}H{}\"/>", trunk.from, trunk.y, trunk.to)?;
    }
    for (arrow, route) in picture.arrows.iter().zip(&layout.routes) {
        write_arrow(picture, arrow, route, out)?;
    }
    for card in &layout.cards {
        write_card(card, out)?;
    }
    writeln!(out, "</svg>")
}

/// The colors are those for a light background unless a media query says otherwise, because some
/// programs ignore media queries.
fn write_style(out: &mut String) -> std::fmt::Result {
    writeln!(
        out,
        "<style>\n\
         text{{font:12px \"Helvetica Neue\",Arial,\"Liberation Sans\",\"DejaVu Sans\",sans-serif;fill:#1b1f24}}\n\
         .title{{font-size:18px;font-weight:bold}}.minor{{font-size:15px;font-weight:bold}}\n\
         .name{{font-weight:bold}}.aside{{fill:#57606a}}\n\
         .paper{{fill:#fff}}.card{{fill:#f6f8fa;stroke:#8c959f}}.marked{{stroke:#1b1f24;stroke-width:3}}\n\
         path{{fill:none;stroke-width:1.8}}.trunk{{stroke:#8c959f;stroke-width:1.2}}\n\
         .arrow:hover path{{stroke-width:4}}"
    )?;
    for kind in UpdateKind::ALL {
        let line = line(kind);
        let (name, color) = (line.name, line.color);
        writeln!(out, ".{name}{{stroke:{color}}}.{name}-fill{{fill:{color}}}")?;
        if let Some(dashes) = line.dashes {
            writeln!(out, ".{name}{{stroke-dasharray:{dashes}}}")?;
        }
    }
    writeln!(
        out,
        "@media(prefers-color-scheme:dark){{\n\
         text{{fill:#e6edf3}}.aside{{fill:#9198a1}}.paper{{fill:#0d1117}}\n\
         .card{{fill:#161b22;stroke:#6e7681}}.marked{{stroke:#e6edf3}}.trunk{{stroke:#6e7681}}"
    )?;
    for kind in UpdateKind::ALL {
        let (name, color) = (line(kind).name, line(kind).on_dark);
        writeln!(out, ".{name}{{stroke:{color}}}.{name}-fill{{fill:{color}}}")?;
    }
    writeln!(out, "}}\n</style>")
}

fn write_legend(picture: &Picture, layout: &Layout, out: &mut String) -> std::fmt::Result {
    let mut y = layout.legend;
    for kind in picture.kinds() {
        let (name, meaning) = (line(kind).name, escaped(&words::meaning(picture, kind)));
        writeln!(out, "<path class=\"{name}\" d=\"M{MARGIN} {}h40\"/>", y - 4)?;
        writeln!(out, "<text x=\"{}\" y=\"{y}\">{meaning}</text>", MARGIN + 50)?;
        y += LINE;
    }
    if let Some(mark) = picture.mark {
        let (top, x) = (y - 10, MARGIN + 50);
        writeln!(
            out,
            "<rect class=\"card marked\" x=\"{}\" y=\"{top}\" width=\"38\" height=\"11\" rx=\"3\"/>",
            MARGIN + 1
        )?;
        writeln!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>", escaped(mark))?;
        y += LINE;
    }
    for note in layout::notes(picture) {
        writeln!(out, "<text class=\"aside\" x=\"{MARGIN}\" y=\"{y}\">{}</text>", escaped(&note))?;
        y += LINE;
    }
    Ok(())
}

fn write_arrow(
    picture: &Picture,
    arrow: &Arrow,
    route: &Route,
    out: &mut String,
) -> std::fmt::Result {
    let name = line(arrow.bundle.kind).name;
    let updates = words::updates_line(picture, &picture.groups[arrow.to], &arrow.bundle);
    let lines = [updates].into_iter().chain(words::risk_names(picture, &arrow.bundle));
    let lines: Vec<String> = lines.map(|line| escaped(&line)).collect();
    writeln!(out, "<g class=\"arrow\"><title>{}</title>", lines.join("\n"))?;
    writeln!(out, "<path class=\"{name}\" d=\"{}\"/>", route.path())?;
    let (x, y) = route.tip();
    writeln!(
        out,
        "<polygon class=\"{name}-fill\" points=\"{x},{y} {0},{1} {0},{2}\"/>",
        x - 8,
        y - 4,
        y + 4
    )?;
    for (x, y) in route.dots() {
        writeln!(out, "<circle class=\"{name}-fill\" cx=\"{x}\" cy=\"{y}\" r=\"2.8\"/>")?;
    }
    writeln!(out, "</g>")
}

fn write_card(card: &Card, out: &mut String) -> std::fmt::Result {
    let class = if card.is_marked { "card marked" } else { "card" };
    let Card { x, y, width, height, .. } = card;
    writeln!(
        out,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>"
    )?;
    let left = x + cards::PADDING;
    writeln!(
        out,
        "<text class=\"name\" x=\"{left}\" y=\"{}\">{}</text>",
        card.trunk_y() + 4,
        escaped(&card.name)
    )?;
    let mut y = card.trunk_y() + 4;
    for remark in &card.remarks {
        y += LINE;
        writeln!(out, "<text class=\"aside\" x=\"{left}\" y=\"{y}\">{}</text>", escaped(remark))?;
    }
    for Row { kind, y, lines, .. } in &card.rows {
        let name = line(*kind).name;
        writeln!(out, "<path class=\"{name}\" d=\"M{left} {y}h{}\"/>", SAMPLE - 6)?;
        for (at, text) in lines.iter().enumerate() {
            let (x, y) = (left + SAMPLE, y + 4 + at * LINE);
            writeln!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>", escaped(text))?;
        }
    }
    Ok(())
}

/// One line of text for XML.
pub(super) fn escaped(text: &str) -> String {
    xml(&printable(text))
}
