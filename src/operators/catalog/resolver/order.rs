//! The order in which OLM v0 prefers the entries of a channel.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use crate::catalog::package::{CatalogChannel, Entry, Package};
use crate::go::quoted;

use super::chain_ends::chain_ends;

/// Why OLM cannot order a channel. If it cannot, it installs and updates nothing in the namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderError {
    pub package: String,
    pub channel: String,
    pub fault: OrderFault,
}

/// What is wrong with the entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderFault {
    /// Every entry is replaced or skipped by another.
    NoHead,
    /// `replaces` leads from this head back to an entry that was already visited.
    Cycle { head: String },
    /// The chain of each head: its first and its last entry that nothing skips. Sorted by name
    /// here, random on a cluster.
    SeveralChains(Arc<[Option<(String, String)>]>),
}

/// The entries that OLM can install, the preferred ones first: those on the chain of `replaces`
/// from the head that no entry skips. OLM ignores entries without a bundle.
pub fn order<'a>(
    package: &Package,
    channel: &'a CatalogChannel,
) -> Result<Vec<&'a Entry>, OrderError> {
    let with_bundle = |entry: &&Entry| package.bundle(&entry.name).is_some();
    let entries: Vec<_> = channel.entries.iter().filter(with_bundle).collect();
    order_of(&package.name, &channel.name, &entries)
}

/// The order of some entries of a channel.
pub(super) fn order_of<'a>(
    package: &str,
    channel: &str,
    entries: &[&'a Entry],
) -> Result<Vec<&'a Entry>, OrderError> {
    let failed = |fault| OrderError { package: package.into(), channel: channel.into(), fault };
    let by_name: BTreeMap<_, _> =
        entries.iter().map(|entry| (entry.name.as_str(), *entry)).collect();
    let skipped: BTreeSet<_> = entries.iter().flat_map(|entry| named_skips(entry)).collect();
    let replaced: BTreeSet<_> = entries
        .iter()
        .map(|entry| entry.replaces.as_str())
        .filter(|name| !name.is_empty())
        .collect();
    let is_head = |name: &&str| !replaced.contains(*name) && !skipped.contains(*name);
    let heads = by_name.iter().filter(|(name, _)| is_head(name)).map(|(_, head)| *head);
    let heads: Vec<&Entry> = heads.collect();
    let cycle = |head: &Entry| failed(OrderFault::Cycle { head: head.name.clone() });
    match heads.as_slice() {
        [] if entries.is_empty() => Ok(Vec::new()),
        [] => Err(failed(OrderFault::NoHead)),
        [head] => follow(head, &by_name, &skipped).ok_or_else(|| cycle(head)),
        heads => {
            let ends = chain_ends(heads, &by_name, &skipped);
            if let Some(at) = ends.iter().position(Result::is_err) {
                return Err(cycle(heads[at]));
            }
            let name = |(first, last): (&Entry, &Entry)| (first.name.clone(), last.name.clone());
            let ends = ends.into_iter().map(|ends| ends.ok().flatten().map(name));
            Err(failed(OrderFault::SeveralChains(ends.collect())))
        }
    }
}

fn named_skips(entry: &Entry) -> impl Iterator<Item = &str> {
    entry.skips.iter().map(String::as_str)
}

/// The entries of a chain that nothing skips. None if the chain is a circle.
fn follow<'a>(
    head: &'a Entry,
    by_name: &BTreeMap<&str, &'a Entry>,
    skipped: &BTreeSet<&str>,
) -> Option<Vec<&'a Entry>> {
    let mut chain = Vec::new();
    let mut visited = BTreeSet::new();
    let mut current = Some(&head);
    while let Some(entry) = current {
        if !visited.insert(entry.name.as_str()) {
            return None;
        }
        if !skipped.contains(entry.name.as_str()) {
            chain.push(*entry);
        }
        current = by_name.get(entry.replaces.as_str()).filter(|_| !entry.replaces.is_empty());
    }
    Some(chain)
}

impl OrderError {
    /// How many heads there are, if that is the fault.
    pub(crate) fn heads(&self) -> Option<usize> {
        match &self.fault {
            OrderFault::SeveralChains(chains) => Some(chains.len()),
            OrderFault::NoHead | OrderFault::Cycle { .. } => None,
        }
    }
}

impl fmt::Display for OrderError {
    /// Writes the error in the words of OLM.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (package, channel) = (quoted(&self.package), quoted(&self.channel));
        match &self.fault {
            OrderFault::NoHead => write!(
                f,
                "no channel heads (entries not replaced by another entry) found in channel \
                 {channel} of package {package}"
            ),
            OrderFault::Cycle { head } => write!(
                f,
                "a cycle exists in the chain of replacement beginning with {} in channel \
                 {channel} of package {package}",
                quoted(head)
            ),
            OrderFault::SeveralChains(chains) => {
                let chains: Vec<_> =
                    chains.iter().map(|ends| chain_in_words(ends.as_ref())).collect();
                write!(
                    f,
                    "a unique replacement chain within a channel is required to determine the \
                     relative order between channel entries, but {} replacement chains were found \
                     in channel {channel} of package {package}: {}",
                    chains.len(),
                    chains.join(", ")
                )
            }
        }
    }
}

fn chain_in_words(ends: Option<&(String, String)>) -> String {
    match ends {
        None => "[]".to_owned(),
        Some((first, last)) if first == last => first.clone(),
        Some((first, last)) => format!("{first}...{last}"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    fn entry(name: &str, replaces: &str, skips: &[&str]) -> Entry {
        let skips = skips.iter().map(|&skip| skip.to_owned()).collect();
        Entry { name: name.to_owned(), replaces: replaces.to_owned(), skips, skip_range: None }
    }

    fn ordered(entries: &[Entry]) -> Result<Vec<&str>, String> {
        let entries: Vec<_> = entries.iter().collect();
        match order_of("lamp", "bright", &entries) {
            Ok(order) => Ok(order.iter().map(|entry| entry.name.as_str()).collect()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn skipped_entries_are_passed_through() {
        let entries = [entry("c", "b", &["b"]), entry("b", "a", &[]), entry("a", "", &[])];
        assert_eq!(ordered(&entries), Ok(vec!["c", "a"]));
    }

    #[test]
    fn several_heads_are_an_error_with_the_ends_of_their_chains() {
        let entries = [entry("c", "b", &[]), entry("b", "", &[]), entry("d", "", &[])];
        let error = ordered(&entries).unwrap_err();
        assert!(error.ends_with(
            "2 replacement chains were found in channel \"bright\" of package \"lamp\": c...b, d"
        ));
    }

    #[test]
    fn names_are_quoted_as_go_quotes_them() {
        let round = [entry("b", "a", &[]), entry("a", "b", &[])];
        let entries: Vec<_> = round.iter().collect();
        let error = order_of("la\u{7f}mp", "bri\u{a0}ght", &entries).unwrap_err().to_string();
        assert!(error.ends_with(r#"channel "bri\u00a0ght" of package "la\x7fmp""#), "{error}");
    }

    #[test]
    fn a_chain_that_comes_back_is_an_error_and_so_is_a_channel_without_head() {
        let back = [entry("c", "b", &[]), entry("b", "a", &[]), entry("a", "b", &[])];
        assert!(ordered(&back).unwrap_err().contains("beginning with \"c\""));
        let round = [entry("b", "a", &[]), entry("a", "b", &[])];
        assert!(ordered(&round).unwrap_err().starts_with("no channel heads"));
    }

    #[test]
    fn the_ends_of_shared_chains_are_those_of_each_chain() {
        let mut number = 1_u32;
        let mut below = |end: u32| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (number >> 16) % end
        };
        for _ in 0..2_000 {
            let count = 2 + below(8);
            let entries: Vec<Entry> = (0..count)
                .map(|at| {
                    let (replaces, skip) = (below(count + 2), below(count + 3));
                    entry(&at.to_string(), &replaces.to_string(), &[&skip.to_string()])
                })
                .collect();
            let by_name: BTreeMap<_, _> =
                entries.iter().map(|entry| (entry.name.as_str(), entry)).collect();
            let skipped = entries.iter().flat_map(named_skips).collect();
            let heads: Vec<&Entry> = entries.iter().collect();
            for (head, ends) in heads.iter().zip(chain_ends(&heads, &by_name, &skipped)) {
                let chain = follow(head, &by_name, &skipped);
                let expected = chain.map(|chain| chain.first().copied().zip(chain.last().copied()));
                let names = |ends: Option<(&Entry, &Entry)>| {
                    ends.map(|(first, last)| (first.name.clone(), last.name.clone()))
                };
                assert_eq!(ends.ok().map(names), expected.map(names), "{entries:?}");
            }
        }
    }
}
