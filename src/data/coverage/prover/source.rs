//! The origin of a value or text that is only partly known.

/// The origin of a value or text that is only partly known. In one case, equal sources mean equal
/// values.
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
