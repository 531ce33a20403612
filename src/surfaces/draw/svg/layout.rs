//! The places of everything: columns side by side, with the oldest patch on top.

use crate::draw::picture::Picture;

use super::cards::Card;
use super::routes::{Passage, Route, Tracks, passage};
use super::type_size::{LINE, TITLE, width, wrapped};

pub(super) const MARGIN: usize = 24;
/// The space between two cards of a column.
const CARD_GAP: usize = LINE;
/// The least width, which the notes need.
const NARROWEST: usize = 640;
/// How to read the starts of arrows.
const DOTS: &str = "Each dot marks the start of an arrow. The text of an arrow is at its end.";

#[derive(Debug)]
pub(super) struct Layout {
    pub width: usize,
    pub height: usize,
    /// The height of the legend's first line.
    pub legend: usize,
    /// The height of the columns' names.
    pub headings: usize,
    /// The left end of each column's cards.
    pub columns: Vec<usize>,
    pub cards: Vec<Card>,
    /// The route of each arrow.
    pub routes: Vec<Route>,
    pub trunks: Vec<Trunk>,
}

/// The line from a card to the farthest arrow that starts there.
#[derive(Debug)]
pub(super) struct Trunk {
    pub from: usize,
    pub to: usize,
    pub y: usize,
}

/// The lines below the legend.
pub(super) fn notes(picture: &Picture) -> Vec<String> {
    let notes = [DOTS].into_iter().chain(picture.notes.iter().map(String::as_str));
    notes.flat_map(|note| wrapped(note, NARROWEST - 2 * MARGIN)).collect()
}

impl Layout {
    pub(super) fn of(picture: &Picture) -> Self {
        let mut cards: Vec<Card> =
            (0..picture.groups.len()).map(|index| Card::of(picture, index)).collect();
        let tracks = Tracks::of(picture);
        let legend = MARGIN + TITLE + 2 * LINE;
        let legend_lines = picture.kinds().len() + usize::from(picture.mark.is_some());
        let below_legend = legend + (legend_lines + notes(picture).len()) * LINE;
        let lanes = below_legend + LINE / 2;
        let headings = (lanes + tracks.height_of_lanes()).next_multiple_of(LINE) + LINE;
        let mut x = MARGIN;
        let mut bottom = headings;
        let (mut gaps, mut columns) = (Vec::new(), Vec::new());
        for (at, column) in picture.columns.iter().enumerate() {
            gaps.push(x);
            x += tracks.width_of_gap(at).max(if at == 0 { 0 } else { LINE });
            let widest = cards[column.groups.clone()].iter().map(|card| card.width).max();
            let width = widest.unwrap_or(0).max(self::width(&column.name) * 3 / 2);
            // An offset, because lines from the cards of one column must not overlap lines to the
            // next column.
            let mut y = headings + LINE + if at % 2 == 0 { 0 } else { LINE / 4 };
            for card in &mut cards[column.groups.clone()] {
                y = card.place(x, y, width) + CARD_GAP;
            }
            columns.push(x);
            x += width;
            bottom = bottom.max(y);
        }
        gaps.push(x);
        x += tracks.width_of_gap(picture.columns.len());
        let title = self::width(&picture.title) * 7 / 4;
        let routes = routes(picture, &tracks, &cards, &gaps, lanes);
        Self {
            width: (x + MARGIN).max(NARROWEST).max(title + 2 * MARGIN),
            height: bottom + MARGIN,
            legend,
            headings,
            trunks: trunks(picture, &cards, &routes),
            columns,
            cards,
            routes,
        }
    }
}

fn routes(
    picture: &Picture,
    tracks: &Tracks,
    cards: &[Card],
    gaps: &[usize],
    lanes: usize,
) -> Vec<Route> {
    let coordinates = tracks.lines(gaps, lanes);
    let mut ends = vec![(0, 0); picture.arrows.len()];
    for card in cards {
        for row in &card.rows {
            if let Some(arrow) = row.arrow {
                ends[arrow] = (card.x, row.y);
            }
        }
    }
    let arrows = picture.arrows.iter().zip(coordinates).zip(ends);
    arrows
        .map(|((arrow, lines), end)| Route {
            lines,
            origins: cards[arrow.from.clone()].iter().map(Card::trunk_y).collect(),
            end,
        })
        .collect()
}

/// One trunk for each side of a card where arrows start.
fn trunks(picture: &Picture, cards: &[Card], routes: &[Route]) -> Vec<Trunk> {
    let mut left: Vec<Option<usize>> = vec![None; cards.len()];
    let mut right = left.clone();
    for (arrow, route) in picture.arrows.iter().zip(routes) {
        let x = route.lines.origin;
        for group in arrow.from.clone() {
            if passage(picture, arrow) == Passage::Within {
                left[group] = Some(left[group].map_or(x, |known| known.min(x)));
            } else {
                right[group] = right[group].max(Some(x));
            }
        }
    }
    let mut trunks = Vec::new();
    for ((card, left), right) in cards.iter().zip(left).zip(right) {
        let y = card.trunk_y();
        trunks.extend(left.map(|to| Trunk { from: card.x, to, y }));
        trunks.extend(right.map(|to| Trunk { from: card.x + card.width, to, y }));
    }
    trunks
}
