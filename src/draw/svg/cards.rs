//! What stands in the card of a block, and how much room it takes.

use crate::draw::picture::{Bundle, Picture};
use crate::draw::{Kind, words};

use super::type_size::{LINE, width, wrapped};

/// Between a card's edge and its text.
pub(super) const PADDING: usize = 10;
/// The width of a sample of a line, with the gap behind it.
pub(super) const SAMPLE: usize = 26;
/// Text is wrapped to this.
const WIDEST: usize = 390;

/// A block, as it is drawn.
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

/// What a card says of some updates.
#[derive(Debug)]
pub(super) struct Row {
    /// The arrow that leads to it, as an index into the picture's; none for updates inside.
    pub arrow: Option<usize>,
    pub kind: Kind,
    /// Where the middle of its first line is.
    pub y: usize,
    pub lines: Vec<String>,
}

impl Card {
    /// The card of a block, not placed yet.
    pub(super) fn of(picture: &Picture, index: usize) -> Self {
        let block = &picture.blocks[index];
        let arrows = picture.arrows_to(index).map(|(at, arrow)| (Some(at), &arrow.bundle));
        let inside = block.inside.iter().map(|bundle| (None, bundle));
        let row = |(arrow, bundle): (Option<usize>, &Bundle)| {
            let mut lines = wrapped(&words::head(picture, block, bundle), WIDEST);
            let risks = words::risks(picture, bundle);
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
            is_marked: block.is_marked,
            name: words::run(picture, &block.releases),
            remarks: words::remarks(block),
            rows: arrows.chain(inside).map(row).collect(),
        };
        card.width = card.needed_width();
        card
    }

    /// Where lines leave it.
    pub(super) fn trunk(&self) -> usize {
        self.y + LINE
    }

    /// Places it, and tells where it ends. Everything stands on a grid of half a line.
    pub(super) fn place(&mut self, x: usize, y: usize, width: usize) -> usize {
        (self.x, self.y, self.width) = (x, y, width);
        let mut bottom = self.trunk() + LINE / 2 + self.remarks.len() * LINE;
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
