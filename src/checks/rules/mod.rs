//! The rules, one file each in the folder of its family.
//!
//! A rule's file holds its code, name, severity, documentation with a bad and a good example,
//! and its check. CONTRIBUTING.md says how to add one. `explain`, the tables, SARIF, and the
//! config's schema are made from [`RULES`]. What several rules need is in `shared.rs` of their
//! family, or in `shared/` if several families need it.

mod allow;
mod block;
mod build_suggestions;
mod catalog;
mod change;
mod channel;
mod file;
mod graph;
mod promql;
mod repository;
mod risk;
mod structure;

mod catalog_subject;
mod finding;
mod graph_subject;
mod listed_origins;
mod outlook;
mod retired;
mod rule;
mod shared;
mod subject;
mod updates;

pub(crate) use crate::domain::Severity;
pub(crate) use catalog_subject::CatalogChange;
pub use catalog_subject::{CatalogSubject, NextCatalog};
pub use finding::Finding;
pub(crate) use finding::{Place, Related};
pub(crate) use graph_subject::{GraphSubject, PlacedUpdate};
pub(crate) use listed_origins::Origin;
pub(crate) use outlook::Outlook;
#[cfg(feature = "testing")]
pub use retired::REMOVED;
pub(crate) use retired::Retired;
pub(crate) use rule::Properties;
pub(crate) use rule::{Allowance, Change};
pub use rule::{Check, Extent, Family, Rule};
pub(crate) use shared::stranding::Stranding;
pub use subject::Subject;
pub(crate) use updates::Updates;

const FAMILIES: [&[&Rule]; 12] = [
    file::RULES,
    structure::RULES,
    block::RULES,
    risk::RULES,
    channel::RULES,
    build_suggestions::RULES,
    repository::RULES,
    promql::RULES,
    graph::RULES,
    change::RULES,
    allow::RULES,
    catalog::RULES,
];

/// All rules in the order of their codes.
pub static RULES: &[&Rule] = &joined::<{ count() }>();

const fn count() -> usize {
    let (mut count, mut family) = (0, 0);
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
}

const fn joined<const N: usize>() -> [&'static Rule; N] {
    let mut all = [FAMILIES[0][0]; N];
    let (mut at, mut family) = (0, 0);
    while family < FAMILIES.len() {
        let mut nth = 0;
        while nth < FAMILIES[family].len() {
            all[at] = FAMILIES[family][nth];
            (at, nth) = (at + 1, nth + 1);
        }
        family += 1;
    }
    all
}

/// The first 40 characters of `text`, on one line.
pub(crate) fn shortened(text: &str) -> String {
    cut_after(text, 40)
}

/// A name to look for or to copy, on one line. The limit is the longest name that Kubernetes
/// accepts, so real names stay whole.
pub(crate) fn whole(name: &str) -> String {
    cut_after(name, 253)
}

fn cut_after(text: &str, characters: usize) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(characters) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// The groups of two or more values with the same key. Values and groups stay in the order given.
fn repeated<'v, K: std::hash::Hash + Eq + Clone, V>(
    values: impl IntoIterator<Item = (K, &'v V)>,
) -> Vec<Vec<&'v V>> {
    let mut groups: Vec<Vec<&V>> = Vec::new();
    let mut by_key: crate::domain::HashMap<K, usize> = crate::domain::HashMap::default();
    for (key, value) in values {
        let at = *by_key.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[at].push(value);
    }
    groups.retain(|group| group.len() > 1);
    groups
}

#[cfg(test)]
mod tests {
    use crate::domain::HashSet;

    use crate::domain::Named;

    use super::{Family, REMOVED, RULES};

    #[test]
    fn no_code_or_name_is_given_twice_not_even_that_of_a_removed_rule() {
        let mut seen = HashSet::default();
        for removed in REMOVED {
            for word in removed.names.iter().chain([&removed.code]) {
                assert!(seen.insert(*word), "{word}");
            }
        }
        for rule in RULES {
            assert!(seen.insert(rule.code), "{}", rule.code);
            for name in rule.properties.aliases.iter().chain([&rule.name]) {
                assert!(seen.insert(*name), "{name}");
                assert!(Family::named(name).is_none(), "{name} is a family");
            }
        }
        assert!(RULES.is_sorted_by_key(|rule| rule.code), "rules are in the order of their codes");
    }

    #[test]
    fn every_rule_is_documented() {
        for rule in RULES {
            for text in [rule.summary, rule.explanation, rule.bad, rule.good] {
                assert!(!text.trim().is_empty(), "{}", rule.name);
            }
            assert!(!rule.summary.ends_with('.'), "a summary is a line of a table: {}", rule.name);
            assert!(rule.summary.len() <= 90, "too long for a table: {}", rule.name);
        }
    }
}
