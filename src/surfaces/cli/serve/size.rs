//! How much a state of the data declares, to notice when much of it is lost.

use crate::graph_data::GraphData;
use crate::text::words::counted;

/// How much a repository declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    risks: usize,
    blocks: usize,
    channels: usize,
}

impl Size {
    pub(super) fn of(data: &GraphData) -> Self {
        let risks = data.blocked_edges.iter().filter(|edge| edge.name.is_some()).count();
        let blocks = data.blocked_edges.len() - risks;
        Self { risks, blocks, channels: data.channels.len() }
    }

    /// What another state has lost, in words, if it is more than a tenth of something.
    pub(super) fn much_lost_in(self, other: Self) -> Option<String> {
        let pairs = [
            (self.risks, other.risks, "declaration", " of risks"),
            (self.blocks, other.blocks, "block", ""),
            (self.channels, other.channels, "channel", ""),
        ];
        let lost = pairs.into_iter().filter_map(|(before, after, noun, more)| {
            let lost = before.saturating_sub(after);
            (lost * 10 > before).then(|| format!("{lost} of {}{more}", counted(before, noun)))
        });
        let lost: Vec<String> = lost.collect();
        (!lost.is_empty()).then(|| lost.join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::Size;

    #[test]
    fn a_tenth_is_not_much() {
        let before = Size { risks: 20, blocks: 10, channels: 0 };
        let after = |risks, blocks| before.much_lost_in(Size { risks, blocks, channels: 0 });
        assert_eq!(after(18, 9), None);
        assert_eq!(after(40, 10), None);
        assert_eq!(after(17, 9).as_deref(), Some("3 of 20 declarations of risks"));
        let both = "20 of 20 declarations of risks and 10 of 10 blocks";
        assert_eq!(after(0, 0).as_deref(), Some(both));
    }
}
