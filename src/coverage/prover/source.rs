//! Where something that is only partly known comes from.

/// Where something that is only partly known comes from. In one case, it is the same thing wherever it
/// is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    /// The only series of a kind.
    Series {
        metric: usize,
        kind: usize,
        moment: usize,
    },
    Step {
        step: usize,
        number: u32,
    },
}
