//! The payload of a release as SVG: run levels are columns, and components are lanes.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::svg::{LINE, TITLE, escaped, width};
use crate::payload::{Cell, Payload, Slot, Steps};
use crate::text::words::counted;

const MARGIN: usize = 24;
const LANE: usize = 2 * LINE;
const PADDING: usize = 8;
const GAP: usize = 10;

/// Draws the steps of an update.
pub(crate) fn payload_svg(payload: &Payload, steps: &Steps) -> String {
    let cells = steps.cells(payload);
    let boxes: Vec<LaneBox> = cells.iter().map(|cell| LaneBox::of(payload, cell)).collect();
    let mut out = String::new();
    let _ = Drawing::of(payload, &boxes).write(&mut out);
    out
}

/// The manifests of a component at a level.
struct LaneBox<'p> {
    slot: Slot<'p>,
    step: usize,
    text: String,
    has_operator: bool,
}

impl<'p> LaneBox<'p> {
    fn of(payload: &'p Payload, cell: &Cell<'p>) -> Self {
        let manifests = cell.manifests.iter().map(|id| &payload.manifests[*id]);
        let operators = manifests.filter(|manifest| manifest.is_waited_for());
        let names: Vec<&str> = operators.map(|manifest| manifest.name.as_str()).collect();
        let count = cell.manifests.len().to_string();
        let text = if names.is_empty() { count } else { format!("{count}, {}", names.join(", ")) };
        let slot = cell.slot.unwrap_or(Slot { level: "?", component: "not placed" });
        Self { slot, step: cell.step, text: short(&text), has_operator: !names.is_empty() }
    }
}

/// The longest name of a component. Real ones are shorter.
const LONGEST: usize = 80;

fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

struct Column<'p> {
    level: &'p str,
    step: usize,
    x: usize,
    width: usize,
}

struct Drawing<'p> {
    title: String,
    boxes: &'p [LaneBox<'p>],
    columns: Vec<Column<'p>>,
    lanes: BTreeMap<&'p str, usize>,
    width: usize,
    height: usize,
}

impl<'p> Drawing<'p> {
    fn of(payload: &Payload, boxes: &'p [LaneBox<'p>]) -> Self {
        let mut lanes: BTreeMap<&str, usize> = BTreeMap::new();
        let mut order: Vec<&str> = Vec::new();
        for one in boxes {
            if lanes.insert(one.slot.component, 0).is_none() {
                order.push(one.slot.component);
            }
        }
        for (at, component) in order.iter().enumerate() {
            lanes.insert(component, at);
        }
        let names = order.iter().map(|name| width(&short(name))).max().unwrap_or(0);
        let mut x = MARGIN + names + 2 * GAP;
        let mut columns: Vec<Column<'p>> = Vec::new();
        for same in boxes.chunk_by(|a, b| a.slot.level == b.slot.level && a.step == b.step) {
            let Some(first) = same.first() else { continue };
            let widest = same.iter().map(|one| width(&one.text)).max().unwrap_or(0);
            let width =
                widest.max(width(&format!("level {}", short(first.slot.level)))) + 2 * PADDING;
            columns.push(Column { level: first.slot.level, step: first.step, x, width });
            x += width + GAP;
        }
        let version = payload.version.as_deref().unwrap_or("of an unknown version");
        let manifests = counted(payload.manifests.len(), "manifest");
        let title = format!("Payload {version}: {manifests}");
        let note = width(NOTE).max(width(&title) * 3 / 2);
        Self {
            title,
            boxes,
            columns,
            width: (x + MARGIN).max(note + 2 * MARGIN),
            height: HEAD + lanes.len() * LANE + MARGIN,
            lanes,
        }
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let (width, height, title) = (self.width, self.height, escaped(&self.title));
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title desc\">"
        )?;
        writeln!(out, "<title id=\"title\">{title}</title>\n<desc id=\"desc\">{NOTE}</desc>")?;
        writeln!(out, "{STYLE}\n<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>")?;
        writeln!(
            out,
            "<text class=\"title\" x=\"{MARGIN}\" y=\"{}\">{title}</text>",
            MARGIN + TITLE
        )?;
        writeln!(
            out,
            "<text class=\"aside\" x=\"{MARGIN}\" y=\"{}\">{NOTE}</text>",
            MARGIN + TITLE + 3 * LINE / 2
        )?;
        self.write_columns(out)?;
        for (name, lane) in &self.lanes {
            let y = HEAD + lane * LANE + LANE / 2 + 4;
            writeln!(out, "<text x=\"{MARGIN}\" y=\"{y}\">{}</text>", escaped(&short(name)))?;
        }
        for one in self.boxes {
            self.write_box(one, out)?;
        }
        writeln!(out, "</svg>")
    }

    /// Draws the columns. Every second step has a darker background.
    fn write_columns(&self, out: &mut String) -> std::fmt::Result {
        let bottom = self.height - MARGIN / 2;
        for column in &self.columns {
            let Column { level, step, x, width } = column;
            let ground = if step % 2 == 0 { "even" } else { "odd" };
            let top = HEAD - 3 * LINE;
            writeln!(
                out,
                "<rect class=\"{ground}\" x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{}\"/>",
                x - GAP / 2,
                width + GAP,
                bottom - top
            )?;
            let (level, first, second) = (escaped(&short(level)), top + LINE, top + 2 * LINE);
            writeln!(out, "<text class=\"level\" x=\"{x}\" y=\"{first}\">level {level}</text>")?;
            writeln!(out, "<text class=\"aside\" x=\"{x}\" y=\"{second}\">step {step}</text>")?;
        }
        Ok(())
    }

    fn write_box(&self, one: &LaneBox<'_>, out: &mut String) -> std::fmt::Result {
        let mut columns = self.columns.iter();
        let column =
            columns.find(|column| column.level == one.slot.level && column.step == one.step);
        let (Some(column), Some(lane)) = (column, self.lanes.get(one.slot.component)) else {
            return Ok(());
        };
        let (x, y) = (column.x, HEAD + lane * LANE + 4);
        let (height, text) = (LANE - 8, escaped(&one.text));
        let class = if one.has_operator { "waits" } else { "card" };
        writeln!(
            out,
            "<rect class=\"{class}\" rx=\"4\" x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{height}\"/>",
            column.width
        )?;
        writeln!(out, "<text x=\"{}\" y=\"{}\">{text}</text>", x + PADDING, y + height / 2 + 4)
    }
}

/// The height above the lanes.
const HEAD: usize = MARGIN + TITLE + 6 * LINE;

const NOTE: &str = "Levels from left to right. A box has the number of manifests, and the \
                    ClusterOperators that the next step waits for.";

const STYLE: &str = "<style>\n\
    text{font:12px \"Helvetica Neue\",Arial,\"Liberation Sans\",\"DejaVu Sans\",sans-serif;fill:#1b1f24}\n\
    .title{font-size:18px;font-weight:bold}.level{font-weight:bold}.aside{fill:#57606a}\n\
    .paper{fill:#fff}.odd{fill:#f6f8fa}.even{fill:#eaeef2}\n\
    .card{fill:#fff;stroke:#8c959f}.waits{fill:#ddf4ff;stroke:#0072B2;stroke-width:1.8}\n\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}.aside{fill:#9198a1}.paper{fill:#0d1117}\
    .odd{fill:#161b22}.even{fill:#21262d}.card{fill:#0d1117;stroke:#6e7681}\
    .waits{fill:#0c2d4a;stroke:#56B4E9}}\n\
    </style>";
