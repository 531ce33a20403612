//! For Graphviz: a card for each block, a row in it for each arrow that leads there.
//!
//! The minors are ranks, side by side, and patches go down in them. Only invisible edges
//! decide that, or else Graphviz would rank blocks by who can be updated to whom.

use std::fmt::Write;

use super::palette::line;
use super::picture::{Arrow, Block, Bundle, Picture};
use super::{Kind, words};

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
        for block in column.blocks.clone() {
            writeln!(out, "    b{block} [label=<{}>]", card(picture, block))?;
        }
        let chain: Vec<String> = column.blocks.clone().map(|block| format!("b{block}")).collect();
        writeln!(out, "    {{ rank=same; {} [style=invis] }}", chain.join(" -> "))?;
        writeln!(out, "  }}")?;
    }
    let tops = picture.columns.iter().map(|column| format!("b{}", column.blocks.start));
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
    let head = words::head(picture, &picture.blocks[arrow.to], &arrow.bundle);
    let tooltip = [head].into_iter().chain(words::risks(picture, &arrow.bundle));
    writeln!(
        out,
        "  b{from}:name:{leaves} -> b{}:a{at}:w [style={}, color=\"{}\", tooltip=\"{}\"]",
        arrow.to,
        line.name,
        line.color,
        // As HTML, which is what tooltips are taken for, and without what ends a string.
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
            Kind::Open => "━━━━",
            Kind::Conditional => "━ ━ ━",
            Kind::Blocked => "• • • •",
        };
        let _ = write!(
            rows,
            "<TR><TD ALIGN=\"LEFT\"><FONT COLOR=\"{}\">{sample}</FONT></TD>\
             <TD ALIGN=\"LEFT\">{}</TD></TR>",
            line(kind).color,
            escaped(&words::meaning(kind))
        );
    }
    let about = [words::ORIGINS.to_owned()];
    for note in about.iter().chain(&picture.notes) {
        let _ = write!(rows, "<TR><TD ALIGN=\"LEFT\" COLSPAN=\"2\">{}</TD></TR>", escaped(note));
    }
    format!("<TABLE BORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"2\">{rows}</TABLE>")
}

fn card(picture: &Picture, index: usize) -> String {
    let block = &picture.blocks[index];
    let border = if block.is_marked { 3 } else { 1 };
    let mut rows = format!(
        "<TR><TD PORT=\"name\" ALIGN=\"LEFT\" BGCOLOR=\"#EEEEEE\"><B>{}</B>{}<BR ALIGN=\"LEFT\"/></TD></TR>",
        escaped(&words::run(picture, &block.releases)),
        lines(&words::remarks(block))
    );
    for (at, arrow) in picture.arrows_to(index) {
        let _ = write!(
            rows,
            "<TR><TD PORT=\"a{at}\" ALIGN=\"LEFT\">{}</TD></TR>",
            said(picture, block, &arrow.bundle)
        );
    }
    for bundle in &block.inside {
        let _ = write!(rows, "<TR><TD ALIGN=\"LEFT\">{}</TD></TR>", said(picture, block, bundle));
    }
    format!(
        "<TABLE BORDER=\"{border}\" STYLE=\"ROUNDED\" CELLBORDER=\"0\" CELLSPACING=\"0\" \
         CELLPADDING=\"4\" BGCOLOR=\"white\">{rows}</TABLE>"
    )
}

/// What is said of updates, in the colour of their arrow.
fn said(picture: &Picture, block: &Block, bundle: &Bundle) -> String {
    let head = escaped(&words::head(picture, block, bundle));
    let color = line(bundle.kind).color;
    let risks = lines(&words::risks(picture, bundle));
    format!("<FONT COLOR=\"{color}\">{head}</FONT>{risks}<BR ALIGN=\"LEFT\"/>")
}

fn lines(lines: &[String]) -> String {
    let line = |line: &String| format!("<BR ALIGN=\"LEFT\"/>{}", escaped(line));
    lines.iter().map(line).collect()
}

/// Text for an HTML-like label.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(character),
        }
    }
    escaped
}
