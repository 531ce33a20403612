//! The cards of groups: their texts, and how much room they take.

use crate::draw::picture::{Bundle, Picture, UpdateKind};
use crate::draw::words;

use super::type_size::{LINE, width, wrapped};

/// The space between a card's edge and its text.
pub(super) const PADDING: usize = 10;
/// The width of a sample of a line, and the gap after it.
pub(super) const SAMPLE: usize = 26;
/// The width at which text wraps.
const WIDEST: usize = 450;

/// The box of a group.
#[derive(Debug)]
pub(super) struct Card {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
    pub is_marked: bool,
    pub name: String,
    pub remarks: Vec<String>,
    pub rows: Vec<Row>,
}

/// What a card says about a bundle of updates.
#[derive(Debug)]
pub(super) struct Row {
    /// The arrow that ends here, as an index into the picture's arrows. None for updates inside the
    /// group.
    pub arrow: Option<usize>,
    pub kind: UpdateKind,
    /// The middle of its first line.
    pub y: usize,
    pub lines: Vec<String>,
}

impl Card {
    /// The card of a group, which is not placed yet.
    pub(super) fn of(picture: &Picture, index: usize) -> Self {
        let group = &picture.groups[index];
        let arrows = picture.arrows_to(index).map(|(at, arrow)| (Some(at), &arrow.bundle));
        let inside = group.inside.iter().map(|bundle| (None, bundle));
        let row = |(arrow, bundle): (Option<usize>, &Bundle)| {
            let mut lines = wrapped(&words::updates_line(picture, group, bundle), WIDEST);
            let risks = words::risk_names(picture, bundle);
            if !risks.is_empty() {
                lines.extend(wrapped(&risks.join(", "), WIDEST));
            }
            Row { arrow, kind: bundle.kind, y: 0, lines }
        };
        let mut card = Self {
            x: 0,
            y: 0,
            width: 0,
            height: 0,
            is_marked: group.is_marked,
            name: words::version_range(picture, &group.releases),
            remarks: words::remarks(group),
            rows: arrows.chain(inside).map(row).collect(),
        };
        card.width = card.needed_width();
        card
    }

    /// The height at which lines leave it.
    pub(super) fn trunk_y(&self) -> usize {
        self.y + LINE
    }

    /// Places the card, and returns its lower end. Everything is on a grid of half a line.
    pub(super) fn place(&mut self, x: usize, y: usize, width: usize) -> usize {
        (self.x, self.y, self.width) = (x, y, width);
        let mut bottom = self.trunk_y() + LINE / 2 + self.remarks.len() * LINE;
        for row in &mut self.rows {
            row.y = bottom + LINE;
            bottom = row.y + LINE / 2 + (row.lines.len() - 1) * LINE;
        }
        self.height = bottom + LINE / 2 - y;
        y + self.height
    }

    fn needed_width(&self) -> usize {
        // Bold letters are wider.
        let name = width(&self.name) * 9 / 8;
        let remarks = self.remarks.iter().map(|remark| width(remark));
        let rows = self.rows.iter().flat_map(|row| &row.lines).map(|line| width(line) + SAMPLE);
        remarks.chain(rows).chain([name]).max().unwrap_or(0) + 2 * PADDING
    }
}
