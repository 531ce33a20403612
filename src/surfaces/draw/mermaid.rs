//! Writes Mermaid for Markdown on GitHub, which draws at most 500 edges and reads at most 50,000
//! characters. The picture omits what exceeds these limits, and says so.

use std::fmt::Write;

use super::palette::line;
use super::picture::{Arrow, Picture, UpdateKind};
use super::words;
use crate::text::printable;
use crate::text::words::counted;

/// The legend has edges, too.
const MOST_EDGES: usize = 480;
/// This leaves room for the last lines, which are always written.
const MOST_TEXT: usize = 46_000;

pub(super) fn text(picture: &Picture) -> String {
    let mut chart = Chart::default();
    chart.write_legend(picture);
    let drawn = chart.write_groups(picture);
    for arrow in &picture.arrows {
        chart.write_arrow(picture, arrow, drawn);
    }
    chart.finish(picture, drawn)
}

#[derive(Default)]
struct Chart {
    text: String,
    length: usize,
    /// The kinds of the edges, in order.
    edges: Vec<UpdateKind>,
    arrows: usize,
}

impl Chart {
    /// Writes a statement if there is room for it.
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
        // Patches go down, as in the other formats. In a picture around one release, its neighbors
        // are on both sides of it.
        let direction = if picture.is_around { "LR" } else { "TB" };
        self.write(&format!("flowchart {direction}"));
        self.write(&format!("  subgraph legend[\"{}\"]", escaped(&picture.title)));
        self.write("    direction LR");
        for kind in picture.kinds() {
            let (name, meaning) = (line(kind).name, escaped(&words::meaning(picture, kind)));
            self.write(&format!(
                "    {name}[\"{name}\"] {} means_{name}[\"{meaning}\"]",
                edge(kind)
            ));
            self.edges.push(kind);
        }
        if let Some(mark) = picture.mark {
            self.write(&format!("    mark[\"{}\"]:::marked", escaped(mark)));
        }
        let notes = [words::ORIGINS].into_iter().chain(picture.notes.iter().map(String::as_str));
        let notes: Vec<String> = notes.map(escaped).collect();
        self.write(&format!("    notes[\"{}\"]", notes.join("<br/>")));
        self.write("  end");
    }

    /// Writes the groups that fit. Returns how many there are.
    fn write_groups(&mut self, picture: &Picture) -> usize {
        for (at, column) in picture.columns.iter().enumerate() {
            self.write(&format!("  subgraph minor{at}[\"{}\"]", escaped(&column.name)));
            for index in column.groups.clone() {
                if !self.write(&node(picture, index)) {
                    self.close_subgraph();
                    return index;
                }
            }
            self.close_subgraph();
        }
        picture.groups.len()
    }

    /// Closes a subgraph, even beyond the limit, because the text would be invalid otherwise.
    fn close_subgraph(&mut self) {
        self.text.push_str("  end\n");
        self.length += 6;
    }

    fn write_arrow(&mut self, picture: &Picture, arrow: &Arrow, drawn: usize) {
        let from = arrow.from.end - 1;
        if from.max(arrow.to) >= drawn || self.edges.len() >= MOST_EDGES {
            return;
        }
        let updates = words::updates_line(picture, &picture.groups[arrow.to], &arrow.bundle);
        let lines = [updates].into_iter().chain(words::risk_names(picture, &arrow.bundle));
        let label: Vec<String> = lines.map(|line| escaped(&line)).collect();
        let kind = arrow.bundle.kind;
        let label = label.join("<br/>");
        if self.write(&format!("  b{from} {}|\"{label}\"| b{}", edge(kind), arrow.to)) {
            self.edges.push(kind);
            self.arrows += 1;
        }
    }

    fn finish(mut self, picture: &Picture, drawn: usize) -> String {
        let (groups, arrows) = (picture.groups.len() - drawn, picture.arrows.len() - self.arrows);
        if groups + arrows > 0 {
            let _ = writeln!(
                self.text,
                "  omitted[\"Omitted, because GitHub does not draw more: {} and {}\"]",
                counted(groups, "box"),
                counted(arrows, "arrow")
            );
        }
        for kind in UpdateKind::ALL {
            let numbers = self.edges.iter().enumerate().filter(|(_, known)| **known == kind);
            let numbers: Vec<String> = numbers.map(|(at, _)| at.to_string()).collect();
            if !numbers.is_empty() {
                let line = line(kind);
                let dashes = match line.dashes {
                    None => String::new(),
                    Some(dashes) => format!(",stroke-dasharray:{dashes}"),
                };
                let numbers = numbers.join(",");
                let _ = writeln!(
                    self.text,
                    "  linkStyle {numbers} stroke:{},stroke-width:2px{dashes}",
                    line.color
                );
            }
        }
        if picture.mark.is_some() {
            self.text.push_str("  classDef marked stroke-width:4px\n");
        }
        self.text
    }
}

fn node(picture: &Picture, index: usize) -> String {
    let group = &picture.groups[index];
    let mut lines = vec![words::version_range(picture, &group.releases)];
    lines.extend(words::remarks(group));
    for bundle in &group.inside {
        lines.push(words::updates_line(picture, group, bundle));
        lines.extend(words::risk_names(picture, bundle));
    }
    let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
    let style = if group.is_marked { ":::marked" } else { "" };
    format!("    b{index}[\"{}\"]{style}", lines.join("<br/>"))
}

fn edge(kind: UpdateKind) -> &'static str {
    match kind {
        UpdateKind::Open => "-->",
        UpdateKind::Conditional | UpdateKind::Blocked => "-.->",
    }
}

/// Escapes everything except letters, digits, and the characters of versions. Nothing else is safe
/// in Mermaid.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in printable(text).chars() {
        if character.is_alphanumeric() || " .,:–…-".contains(character) {
            escaped.push(character);
        } else {
            let _ = write!(escaped, "#{};", u32::from(character));
        }
    }
    escaped
}
