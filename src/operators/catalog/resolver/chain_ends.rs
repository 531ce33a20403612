//! The ends of the chains of a channel with several heads. Chains share entries, so each entry is
//! followed only once.

use std::collections::{BTreeMap, BTreeSet};

use crate::catalog::package::Entry;
use crate::domain::{HashMap, HashSet};

/// The first and the last entry of a chain that nothing skips, or a circle.
pub(super) type Ends<'a> = Result<Option<(&'a Entry, &'a Entry)>, Circle>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Circle;

/// The ends of the chains that begin with some entries, in their order.
pub(super) fn chain_ends<'a>(
    heads: &[&'a Entry],
    by_name: &BTreeMap<&'a str, &'a Entry>,
    skipped: &BTreeSet<&str>,
) -> Vec<Ends<'a>> {
    let mut known: HashMap<&str, Ends<'a>> = HashMap::default();
    let mut ends_of = |head: &'a Entry| {
        let (mut path, mut on_path) = (Vec::new(), HashSet::default());
        let mut at = Some(head);
        let mut ends = loop {
            let Some(entry) = at else { break Ok(None) };
            if let Some(known) = known.get(entry.name.as_str()) {
                break *known;
            }
            if !on_path.insert(entry.name.as_str()) {
                break Err(Circle);
            }
            path.push(entry);
            at = by_name
                .get(entry.replaces.as_str())
                .filter(|_| !entry.replaces.is_empty())
                .copied();
        };
        for entry in path.into_iter().rev() {
            let is_skipped = skipped.contains(entry.name.as_str());
            ends = ends.map(|below| match below {
                below if is_skipped => below,
                Some((_, last)) => Some((entry, last)),
                None => Some((entry, entry)),
            });
            known.insert(&entry.name, ends);
        }
        ends
    };
    heads.iter().map(|head| ends_of(head)).collect()
}
