//! Writes Graphviz: a card for each group, with a row for each arrow that leads there.
//!
//! Each column is a rank, and its patches go down. Only invisible edges determine the ranks:
//! otherwise Graphviz would rank groups by their updates.

use std::fmt::Write;

use super::palette::line;
use super::picture::{Arrow, Bundle, Picture, ReleaseGroup, UpdateKind};
use super::words;
use crate::text::{printable, xml};

pub(super) fn text(picture: &Picture) -> String {
    let mut out = String::new();
    let _ = write_graph(picture, &mut out);
    out
}

fn write_graph(picture: &Picture, out: &mut String) -> std::fmt::Result {
    writeln!(out, "digraph updates {{")?;
    writeln!(
        out,
        "  graph [bgcolor=white, fontname=\"Helvetica\", fontsize=11, labelloc=t, labeljust=l, \
         rankdir=LR, newrank=true, nodesep=0.25, ranksep=1.6, label=<{}>]",
        heading(picture)
    )?;
    writeln!(out, "  node [shape=plain, fontname=\"Helvetica\", fontsize=11]")?;
    writeln!(out, "  edge [arrowsize=0.7, penwidth=1.4, constraint=false]")?;
    for (at, column) in picture.columns.iter().enumerate() {
        writeln!(out, "  subgraph cluster_{at} {{")?;
        writeln!(
            out,
            "    label=<<B>{}</B>>; color=\"#BBBBBB\"; style=rounded",
            escaped(&column.name)
        )?;
        for group in column.groups.clone() {
            writeln!(out, "    b{group} [label=<{}>]", card(picture, group))?;
        }
        let chain: Vec<String> = column.groups.clone().map(|group| format!("b{group}")).collect();
        writeln!(out, "    {{ rank=same; {} [style=invis] }}", chain.join(" -> "))?;
        writeln!(out, "  }}")?;
    }
    let tops = picture.columns.iter().map(|column| format!("b{}", column.groups.start));
    let tops: Vec<String> = tops.collect();
    if tops.len() > 1 {
        writeln!(out, "  {} [style=invis, constraint=true]", tops.join(" -> "))?;
    }
    for (at, arrow) in picture.arrows.iter().enumerate() {
        write_arrow(picture, at, arrow, out)?;
    }
    writeln!(out, "}}")
}

fn write_arrow(picture: &Picture, at: usize, arrow: &Arrow, out: &mut String) -> std::fmt::Result {
    let line = line(arrow.bundle.kind);
    let from = arrow.from.end - 1;
    let leaves = if picture.column_of(from) < picture.column_of(arrow.to) { "e" } else { "w" };
    let updates = words::updates_line(picture, &picture.groups[arrow.to], &arrow.bundle);
    let tooltip = [updates].into_iter().chain(words::risk_names(picture, &arrow.bundle));
    writeln!(
        out,
        "  b{from}:name:{leaves} -> b{}:a{at}:w [style={}, color=\"{}\", tooltip=\"{}\"]",
        arrow.to,
        line.name,
        line.color,
        // Tooltips are HTML. A backslash could end the string.
        escaped(&tooltip.collect::<Vec<_>>().join(", ")).replace('\\', "&#92;")
    )
}

/// The title, the legend and the notes.
fn heading(picture: &Picture) -> String {
    let mut rows = format!(
        "<TR><TD ALIGN=\"LEFT\" COLSPAN=\"2\"><B><FONT POINT-SIZE=\"16\">{}</FONT></B></TD></TR>",
        escaped(&picture.title)
    );
    for kind in picture.kinds() {
        let sample = match kind {
            UpdateKind::Open => "━━━━",
            UpdateKind::Conditional => "━ ━ ━",
            UpdateKind::Blocked => "• • • •",
        };
        let _ = write!(
            rows,
            "<TR><TD ALIGN=\"LEFT\"><FONT COLOR=\"{}\">{sample}</FONT></TD>\
             <TD ALIGN=\"LEFT\">{}</TD></TR>",
            line(kind).color,
            escaped(&words::meaning(picture, kind))
        );
    }
    if let Some(mark) = picture.mark {
        let _ = write!(
            rows,
            "<TR><TD BORDER=\"3\" CELLPADDING=\"2\"> </TD><TD ALIGN=\"LEFT\">{}</TD></TR>",
            escaped(mark)
        );
    }
    let about = [words::ORIGINS.to_owned()];
    for note in about.iter().chain(&picture.notes) {
        let _ = write!(rows, "<TR><TD ALIGN=\"LEFT\" COLSPAN=\"2\">{}</TD></TR>", escaped(note));
    }
    format!("<TABLE BORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"2\">{rows}</TABLE>")
}

fn card(picture: &Picture, index: usize) -> String {
    let group = &picture.groups[index];
    let border = if group.is_marked { 3 } else { 1 };
    let mut rows = format!(
        "<TR><TD PORT=\"name\" ALIGN=\"LEFT\" BGCOLOR=\"#EEEEEE\"><B>{}</B>{}<BR ALIGN=\"LEFT\"/></TD></TR>",
        escaped(&words::version_range(picture, &group.releases)),
        lines_below(&words::remarks(group))
    );
    for (at, arrow) in picture.arrows_to(index) {
        let _ = write!(
            rows,
            "<TR><TD PORT=\"a{at}\" ALIGN=\"LEFT\">{}</TD></TR>",
            row_text(picture, group, &arrow.bundle)
        );
    }
    for bundle in &group.inside {
        let _ =
            write!(rows, "<TR><TD ALIGN=\"LEFT\">{}</TD></TR>", row_text(picture, group, bundle));
    }
    format!(
        "<TABLE BORDER=\"{border}\" STYLE=\"ROUNDED\" CELLBORDER=\"0\" CELLSPACING=\"0\" \
         CELLPADDING=\"4\" BGCOLOR=\"white\">{rows}</TABLE>"
    )
}

/// The text of a bundle's row, in the color of its arrow.
fn row_text(picture: &Picture, group: &ReleaseGroup, bundle: &Bundle) -> String {
    let head = escaped(&words::updates_line(picture, group, bundle));
    let color = line(bundle.kind).color;
    let risks = lines_below(&words::risk_names(picture, bundle));
    format!("<FONT COLOR=\"{color}\">{head}</FONT>{risks}<BR ALIGN=\"LEFT\"/>")
}

fn lines_below(lines: &[String]) -> String {
    let line = |line: &String| format!("<BR ALIGN=\"LEFT\"/>{}", escaped(line));
    lines.iter().map(line).collect()
}

/// Text for an HTML-like label.
fn escaped(text: &str) -> String {
    xml(&printable(text))
}
