//! What several rules about catalogs need.

use crate::rules::Finding;
use crate::text::Span;

/// What any objection causes, as the end of a sentence.
pub(super) const REFUSED: &str = "so opm refuses the catalog";

/// Adds a few places with the same words.
pub(super) fn with_related(
    finding: Finding,
    places: impl IntoIterator<Item = Span>,
    words: &str,
) -> Finding {
    const FEW: usize = 4;
    places.into_iter().take(FEW).fold(finding, |finding, place| finding.related(place, words))
}
