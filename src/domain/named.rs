//! Choices that people write as words.

/// One of a few things, each with the word that people write for it.
pub trait Named: Copy + PartialEq + 'static {
    /// All of them, in the order in which help lists them.
    const ALL: &'static [Self];

    /// The word for it.
    fn name(self) -> &'static str;

    /// The one that a word names.
    fn named(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.name() == word)
    }

    /// All words.
    fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|one| one.name())
    }
}
