//! Choices with names, for flags and settings.

/// A choice from a short list. Each choice has a name.
pub trait Named: Copy + PartialEq + 'static {
    /// All choices, in the order in which help lists them.
    const ALL: &'static [Self];

    /// The name that users write.
    fn name(self) -> &'static str;

    /// The choice with this name.
    fn named(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.name() == word)
    }

    /// All names, in order.
    fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|one| one.name())
    }
}
