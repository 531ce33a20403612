//! The ways of arrows: upright tracks in the gaps between columns, and lanes above all cards
//! for arrows that pass a column over.

use crate::draw::picture::{Arrow, Picture};

/// Between two tracks, and between two lanes.
const STEP: usize = 10;
/// Between a card and the first track.
const CLEARANCE: usize = 16;

/// Which tracks and lanes there are, before anybody knows where.
#[derive(Debug)]
pub(super) struct Tracks {
    /// For each gap, left to right, what runs in it.
    gaps: Vec<Vec<Track>>,
    /// The arrows that have a lane, top to bottom.
    lanes: Vec<usize>,
}

/// One upright line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Track {
    arrow: usize,
    end: End,
}

/// Which end of an arrow a track is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Both,
    Origin,
    Target,
}

/// How an arrow passes from column to column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// Within a column, on the left of it.
    Within,
    /// To the next column.
    Across,
    /// Above all cards.
    Above,
}

pub(super) fn passage(picture: &Picture, arrow: &Arrow) -> Passage {
    let (from, to) = (picture.column_of(arrow.from.start), picture.column_of(arrow.to));
    if from == to {
        Passage::Within
    } else if from + 1 == to {
        Passage::Across
    } else {
        Passage::Above
    }
}

impl Tracks {
    /// Gives every arrow its tracks. Those within a column are next to it, and arrows to
    /// lower cards run farther left: so fewer lines cross.
    pub(super) fn of(picture: &Picture) -> Self {
        let mut across = vec![Vec::new(); picture.columns.len() + 1];
        let mut within = across.clone();
        let mut lanes = Vec::new();
        for (at, arrow) in picture.arrows.iter().enumerate().rev() {
            let (from, to) = (picture.column_of(arrow.from.start), picture.column_of(arrow.to));
            match passage(picture, arrow) {
                Passage::Within => within[to].push(Track { arrow: at, end: End::Both }),
                Passage::Across => across[to].push(Track { arrow: at, end: End::Both }),
                Passage::Above => {
                    across[from + 1].push(Track { arrow: at, end: End::Origin });
                    across[to].push(Track { arrow: at, end: End::Target });
                    lanes.push(at);
                }
            }
        }
        for (gap, within) in across.iter_mut().zip(within) {
            gap.extend(within);
        }
        Self { gaps: across, lanes }
    }

    /// How wide a gap is.
    pub(super) fn width(&self, gap: usize) -> usize {
        match self.gaps[gap].len() {
            0 => 0,
            tracks => (tracks - 1) * STEP + 2 * CLEARANCE,
        }
    }

    /// How high the lanes are together.
    pub(super) fn height(&self) -> usize {
        self.lanes.len() * STEP
    }

    /// Where an arrow runs: its tracks by gap, which begin at `starts`, and its lane.
    pub(super) fn lines(&self, starts: &[usize], top: usize) -> Vec<Lines> {
        let tracks: usize = self.gaps.iter().flatten().count();
        let mut lines = vec![Lines::default(); tracks];
        for (gap, start) in self.gaps.iter().zip(starts) {
            for (at, track) in gap.iter().enumerate() {
                let x = start + CLEARANCE + at * STEP;
                let lines = &mut lines[track.arrow];
                if track.end != End::Target {
                    lines.origin = x;
                }
                if track.end != End::Origin {
                    lines.target = x;
                }
            }
        }
        for (at, arrow) in self.lanes.iter().enumerate() {
            lines[*arrow].lane = Some(top + at * STEP);
        }
        lines
    }
}

/// Where the lines of an arrow are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    /// The track at its origins.
    pub origin: usize,
    /// The track at its target.
    pub target: usize,
    /// The lane between the two, where they are not the same.
    pub lane: Option<usize>,
}

/// The way of an arrow.
#[derive(Debug)]
pub(super) struct Route {
    pub lines: Lines,
    /// Where its origins' lines meet the track, top to bottom.
    pub origins: Vec<usize>,
    /// Where it ends.
    pub end: (usize, usize),
}

impl Route {
    /// As SVG wants it.
    pub(super) fn path(&self) -> String {
        let Lines { origin, target, lane } = self.lines;
        let (x, y) = self.end;
        let first = self.origins.first().copied().unwrap_or(y);
        let last = self.origins.last().copied().unwrap_or(y);
        let end = x - 6;
        match lane {
            Some(lane) => format!("M{origin} {last}V{lane}H{target}V{y}H{end}"),
            // From the far end of its origins, and where it enters among them, from both.
            None if y >= last => format!("M{origin} {first}V{y}H{end}"),
            None if y <= first => format!("M{origin} {last}V{y}H{end}"),
            None => format!("M{origin} {first}V{last}M{origin} {y}H{end}"),
        }
    }

    /// Where its head is.
    pub(super) fn tip(&self) -> (usize, usize) {
        self.end
    }

    /// Where its origins' lines join it.
    pub(super) fn dots(&self) -> impl Iterator<Item = (usize, usize)> {
        self.origins.iter().map(|y| (self.lines.origin, *y))
    }
}
