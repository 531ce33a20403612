//! For Markdown on GitHub, which draws no more than 500 edges and reads no more than
//! 50,000 characters. What would be beyond is left out, and the picture says so.

use std::fmt::Write;

use super::palette::line;
use super::picture::{Arrow, Picture};
use super::{Kind, words};

/// As many edges as are drawn, those of the legend included.
const MOST_EDGES: usize = 480;
/// As many characters as are written, before the last words.
const MOST_TEXT: usize = 46_000;

pub(super) fn text(picture: &Picture) -> String {
    let mut chart = Chart::default();
    chart.write_legend(picture);
    let drawn = chart.write_blocks(picture);
    for arrow in &picture.arrows {
        chart.write_arrow(picture, arrow, drawn);
    }
    chart.finish(picture, drawn)
}

/// A chart while it is written.
#[derive(Default)]
struct Chart {
    text: String,
    length: usize,
    /// The kind of each edge, in their order.
    edges: Vec<Kind>,
    arrows: usize,
}

impl Chart {
    /// Writes a statement where there is room for it.
    fn write(&mut self, statement: &str) -> bool {
        let length = statement.chars().count() + 1;
        let has_room = self.length + length <= MOST_TEXT;
        if has_room {
            self.text.push_str(statement);
            self.text.push('\n');
            self.length += length;
        }
        has_room
    }

    fn write_legend(&mut self, picture: &Picture) {
        // Patches go down, as everywhere. One release's neighbours stand on both sides of it.
        let direction = if picture.is_around { "LR" } else { "TB" };
        self.write(&format!("flowchart {direction}"));
        self.write(&format!("  subgraph legend[\"{}\"]", escaped(&picture.title)));
        self.write("    direction LR");
        for kind in picture.kinds() {
            let (name, meaning) = (line(kind).name, escaped(&words::meaning(kind)));
            self.write(&format!(
                "    {name}[\"{name}\"] {} means_{name}[\"{meaning}\"]",
                edge(kind)
            ));
            self.edges.push(kind);
        }
        let notes = [words::ORIGINS].into_iter().chain(picture.notes.iter().map(String::as_str));
        let notes: Vec<String> = notes.map(escaped).collect();
        self.write(&format!("    notes[\"{}\"]", notes.join("<br/>")));
        self.write("  end");
    }

    /// Writes the blocks, and tells how many there was room for.
    fn write_blocks(&mut self, picture: &Picture) -> usize {
        for (at, column) in picture.columns.iter().enumerate() {
            self.write(&format!("  subgraph minor{at}[\"{}\"]", escaped(&column.name)));
            for index in column.blocks.clone() {
                if !self.write(&node(picture, index)) {
                    self.close();
                    return index;
                }
            }
            self.close();
        }
        picture.blocks.len()
    }

    /// A subgraph is closed, whether there is room or not.
    fn close(&mut self) {
        self.text.push_str("  end\n");
        self.length += 6;
    }

    fn write_arrow(&mut self, picture: &Picture, arrow: &Arrow, drawn: usize) {
        let from = arrow.from.end - 1;
        if from.max(arrow.to) >= drawn || self.edges.len() >= MOST_EDGES {
            return;
        }
        let head = words::head(picture, &picture.blocks[arrow.to], &arrow.bundle);
        let lines = [head].into_iter().chain(words::risks(picture, &arrow.bundle));
        let label: Vec<String> = lines.map(|line| escaped(&line)).collect();
        let kind = arrow.bundle.kind;
        let label = label.join("<br/>");
        if self.write(&format!("  b{from} {}|\"{label}\"| b{}", edge(kind), arrow.to)) {
            self.edges.push(kind);
            self.arrows += 1;
        }
    }

    fn finish(mut self, picture: &Picture, drawn: usize) -> String {
        let (blocks, arrows) = (picture.blocks.len() - drawn, picture.arrows.len() - self.arrows);
        if blocks + arrows > 0 {
            let _ = writeln!(
                self.text,
                "  left_out[\"Left out, for GitHub draws no more: {} and {}\"]",
                words::counted(blocks, "box"),
                words::counted(arrows, "arrow")
            );
        }
        for kind in Kind::ALL {
            let numbers = self.edges.iter().enumerate().filter(|(_, known)| **known == kind);
            let numbers: Vec<String> = numbers.map(|(at, _)| at.to_string()).collect();
            if !numbers.is_empty() {
                let line = line(kind);
                let dashes = match line.dashes {
                    "" => String::new(),
                    dashes => format!(",stroke-dasharray:{dashes}"),
                };
                let numbers = numbers.join(",");
                let _ = writeln!(
                    self.text,
                    "  linkStyle {numbers} stroke:{},stroke-width:2px{dashes}",
                    line.color
                );
            }
        }
        self.text
    }
}

fn node(picture: &Picture, index: usize) -> String {
    let block = &picture.blocks[index];
    let mut lines = vec![words::run(picture, &block.releases)];
    lines.extend(words::remarks(block));
    for bundle in &block.inside {
        lines.push(words::head(picture, block, bundle));
        lines.extend(words::risks(picture, bundle));
    }
    let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
    let style = if block.is_marked { ":::marked" } else { "" };
    format!("    b{index}[\"{}\"]{style}", lines.join("<br/>"))
}

fn edge(kind: Kind) -> &'static str {
    match kind {
        Kind::Open => "-->",
        Kind::Conditional | Kind::Blocked => "-.->",
    }
}

/// Text in which nothing but letters, digits and what stands in versions is written as
/// itself: Mermaid has no other safe way.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_alphanumeric() || " .,:–…-".contains(character) {
            escaped.push(character);
        } else {
            let _ = write!(escaped, "#{};", u32::from(character));
        }
    }
    escaped
}
