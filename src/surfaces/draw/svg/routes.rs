//! The routes of arrows: vertical tracks in the gaps between columns, and horizontal lanes above
//! all cards for arrows that skip a column.

use crate::draw::picture::{Arrow, Picture};

/// The space between two tracks, and between two lanes.
const STEP: usize = 10;
/// The space between a card and the first track.
const CLEARANCE: usize = 16;

/// The order of tracks and lanes, before they have coordinates.
#[derive(Debug)]
pub(super) struct Tracks {
    /// The tracks of each gap, left to right.
    gaps: Vec<Vec<Track>>,
    /// The arrows with a lane, top to bottom.
    lanes: Vec<usize>,
}

/// One vertical line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Track {
    arrow: usize,
    end: TrackEnd,
}

/// The ends of an arrow that a track serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TrackEnd {
    Both,
    Origin,
    Target,
}

/// How an arrow gets from column to column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// It stays in the gap on the left of one column.
    Within,
    /// It leads to the next column.
    Across,
    /// It passes above all cards.
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
    /// Gives every arrow its tracks. To cross fewer lines, tracks within a column are next to it,
    /// and arrows to lower cards are farther left.
    pub(super) fn of(picture: &Picture) -> Self {
        let mut across = vec![Vec::new(); picture.columns.len() + 1];
        let mut within = across.clone();
        let mut lanes = Vec::new();
        for (at, arrow) in picture.arrows.iter().enumerate().rev() {
            let (from, to) = (picture.column_of(arrow.from.start), picture.column_of(arrow.to));
            match passage(picture, arrow) {
                Passage::Within => within[to].push(Track { arrow: at, end: TrackEnd::Both }),
                Passage::Across => across[to].push(Track { arrow: at, end: TrackEnd::Both }),
                Passage::Above => {
                    across[from + 1].push(Track { arrow: at, end: TrackEnd::Origin });
                    across[to].push(Track { arrow: at, end: TrackEnd::Target });
                    lanes.push(at);
                }
            }
        }
        for (gap, within) in across.iter_mut().zip(within) {
            gap.extend(within);
        }
        Self { gaps: across, lanes }
    }

    pub(super) fn width_of_gap(&self, gap: usize) -> usize {
        match self.gaps[gap].len() {
            0 => 0,
            tracks => (tracks - 1) * STEP + 2 * CLEARANCE,
        }
    }

    pub(super) fn height_of_lanes(&self) -> usize {
        self.lanes.len() * STEP
    }

    /// The coordinates of each arrow's lines. The gaps begin at `starts`, and the lanes at `top`.
    pub(super) fn lines(&self, starts: &[usize], top: usize) -> Vec<Lines> {
        let tracks: usize = self.gaps.iter().flatten().count();
        let mut lines = vec![Lines::default(); tracks];
        for (gap, start) in self.gaps.iter().zip(starts) {
            for (at, track) in gap.iter().enumerate() {
                let x = start + CLEARANCE + at * STEP;
                let lines = &mut lines[track.arrow];
                if track.end != TrackEnd::Target {
                    lines.origin = x;
                }
                if track.end != TrackEnd::Origin {
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

/// The coordinates of an arrow's lines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    /// The track at its origins.
    pub origin: usize,
    /// The track at its target.
    pub target: usize,
    /// The lane between the two tracks. None if there is only one track.
    pub lane: Option<usize>,
}

/// The complete route of an arrow.
#[derive(Debug)]
pub(super) struct Route {
    pub lines: Lines,
    /// The heights at which it leaves its origins' cards, top to bottom.
    pub origins: Vec<usize>,
    /// The point where it ends.
    pub end: (usize, usize),
}

impl Route {
    /// The `d` attribute of an SVG path.
    pub(super) fn path(&self) -> String {
        let Lines { origin, target, lane } = self.lines;
        let (x, y) = self.end;
        let first = self.origins.first().copied().unwrap_or(y);
        let last = self.origins.last().copied().unwrap_or(y);
        let end = x - 6;
        match lane {
            Some(lane) => format!("M{origin} {last}V{lane}H{target}V{y}H{end}"),
            // The line begins at the farthest origin. If the target is between the origins, it has
            // two beginnings.
            None if y >= last => format!("M{origin} {first}V{y}H{end}"),
            None if y <= first => format!("M{origin} {last}V{y}H{end}"),
            None => format!("M{origin} {first}V{last}M{origin} {y}H{end}"),
        }
    }

    pub(super) fn tip(&self) -> (usize, usize) {
        self.end
    }

    /// The points where the lines from the origins join it.
    pub(super) fn dots(&self) -> impl Iterator<Item = (usize, usize)> {
        self.origins.iter().map(|y| (self.lines.origin, *y))
    }
}
