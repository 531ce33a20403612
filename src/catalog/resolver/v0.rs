//! What OLM v0 installs, and why it does not install the rest.

#![allow(missing_docs, reason = "the names say it")]

use std::collections::BTreeSet;

use super::namespace::{Failure, Install, Installed, Namespace, Resolution, Subscription};
use super::order::OrderError;
use super::pool::{Pool, Stream};
use super::problem::{Budget, Id, Problem};
use super::reasons::reasons;
use super::search::Search;
use crate::catalog::package::{Bundle, Entry};

/// How much work one question may be: less than a second.
const STEPS: usize = 2_000_000;

/// OLM's messages name a namespace. Where there is none, it is this one.
const NAMESPACE: &str = "ns";

/// An update that the catalog declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge<'a> {
    pub channel: &'a str,
    /// The entry that declares it, which is where it leads to.
    pub to: &'a str,
    pub kind: Kind,
    pub why: Why<'a>,
}

/// What declares an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Replaces,
    Skips,
    SkipRange,
}

/// What OLM makes of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why<'a> {
    Taken,
    /// Another one is preferred.
    Passed {
        preferred: &'a str,
    },
    /// It would be preferred, but this would be wrong.
    Rejected(Failure),
    /// Entries of the channel skip it: then nothing is ever updated to it.
    Skipped {
        by: Vec<&'a str>,
    },
    /// Following `replaces` from the head does not lead to it.
    OffChain,
    /// It has no bundle.
    NoBundle,
    /// The channel has no order.
    NoOrder(OrderError),
    /// The whole namespace fails, for another reason.
    Failed,
}

impl<'a> Pool<'a> {
    /// What OLM does in a namespace.
    pub fn resolve(&self, namespace: &Namespace<'a>) -> Result<Resolution<'a>, Failure> {
        let mut budget = Budget(STEPS);
        let problem = Problem::new(self, namespace, None, &mut budget)?;
        let solution = solve(&problem, &mut budget)?;
        Ok(resolution(&problem, &solution))
    }

    /// What a new subscription installs. The channel and `startingCSV` are empty if there is none.
    pub fn fresh(
        &self,
        package: &'a str,
        channel: &'a str,
        starting: &'a str,
    ) -> Result<Resolution<'a>, Failure> {
        let subscription = Subscription { starting, ..subscription(package, channel) };
        let (subscriptions, installed) = (vec![subscription], Vec::new());
        self.resolve(&Namespace { name: NAMESPACE, subscriptions, installed })
    }

    /// Where a subscription moves something that is installed alone in a namespace.
    pub fn next(
        &self,
        package: &'a str,
        channel: &'a str,
        installed: Installed<'a>,
    ) -> Result<Resolution<'a>, Failure> {
        self.resolve(&alone(package, channel, installed))
    }

    /// The updates that a channel declares for what is installed, and what OLM makes of each.
    #[must_use]
    pub fn edges(
        &self,
        package: &'a str,
        channel: &'a str,
        installed: Installed<'a>,
    ) -> Vec<Edge<'a>> {
        let namespace = alone(package, channel, installed);
        let mut budget = Budget(STEPS);
        let chosen = self.chosen(&namespace, &mut budget);
        let mut is_preferred = true;
        let mut edges = Vec::new();
        for stream in self.streams_of(package, channel) {
            let stream = &self.streams[stream];
            let place = |entry: &Entry| stream.place(&entry.name);
            let mut declared: Vec<_> = stream
                .channel
                .entries
                .iter()
                .filter_map(|entry| Some((entry, kind(entry, installed.bundle)?)))
                .collect();
            declared.sort_by_key(|(entry, _)| place(entry).unwrap_or(usize::MAX));
            for (entry, kind) in declared {
                let why = dead(stream, entry).unwrap_or_else(|| match &chosen {
                    Err(_) => Why::Failed,
                    Ok(Some(name)) if *name == entry.name => {
                        is_preferred = false;
                        Why::Taken
                    }
                    Ok(Some(preferred)) if !is_preferred => Why::Passed { preferred },
                    Ok(_) => self.rejected(&namespace, stream, entry, &mut budget),
                });
                edges.push(Edge { channel: &stream.channel.name, to: &entry.name, kind, why });
            }
        }
        edges
    }

    /// What the first subscription moves to, which may be what is installed.
    fn chosen(
        &self,
        namespace: &Namespace<'a>,
        budget: &mut Budget,
    ) -> Result<Option<&'a str>, Failure> {
        let problem = Problem::new(self, namespace, None, budget)?;
        let solution = solve(&problem, budget)?;
        let options = problem.demands.first().map_or(&[][..], |demand| &demand.options);
        let chosen = options.iter().find(|option| solution.contains(option));
        Ok(chosen.and_then(|&id| match id {
            Id::Offer(_) => problem.bundle(id).map(|bundle| bundle.name.as_str()),
            Id::Standing(_) => None,
        }))
    }

    /// Why a preferred entry is not taken: what is wrong if the subscription has to take it.
    fn rejected(
        &self,
        namespace: &Namespace<'a>,
        stream: &Stream<'a>,
        entry: &Entry,
        budget: &mut Budget,
    ) -> Why<'a> {
        let Some(&offer) = stream.by_name.get(entry.name.as_str()) else { return Why::NoBundle };
        let problem = Problem::new(self, namespace, Some(offer), budget);
        let solution = problem.and_then(|mut problem| {
            for demand in &mut problem.demands {
                demand.options.retain(|option| matches!(option, Id::Offer(_)));
            }
            solve(&problem, budget)
        });
        solution.map_or_else(Why::Rejected, |_| Why::Failed)
    }
}

fn subscription<'a>(package: &'a str, channel: &'a str) -> Subscription<'a> {
    Subscription { name: "sub", package, channel, starting: "", installed: "" }
}

fn alone<'a>(package: &'a str, channel: &'a str, installed: Installed<'a>) -> Namespace<'a> {
    let name = installed.bundle.name.as_str();
    let subscription = Subscription { installed: name, ..subscription(package, channel) };
    let (subscriptions, installed) = (vec![subscription], vec![installed]);
    Namespace { name: NAMESPACE, subscriptions, installed }
}

fn solve(problem: &Problem, budget: &mut Budget) -> Result<BTreeSet<Id>, Failure> {
    let solution = Search::run(problem, &BTreeSet::new(), budget)?;
    solution.ok_or_else(|| Failure::Unsatisfiable(reasons(problem, budget)))
}

fn resolution<'a>(problem: &Problem<'_, 'a>, solution: &BTreeSet<Id>) -> Resolution<'a> {
    let mut next = Vec::new();
    let mut dependencies = solution.clone();
    for demand in &problem.demands {
        let chosen = demand.options.iter().copied().find(|option| solution.contains(option));
        dependencies.retain(|id| Some(*id) != chosen);
        let install = chosen.and_then(|id| install(problem, id));
        next.push(install.filter(|install| install.name != install.replaces));
    }
    let mut dependencies: Vec<_> =
        dependencies.into_iter().filter_map(|id| install(problem, id)).collect();
    dependencies.sort();
    Resolution { next, dependencies }
}

/// None if it is there already.
fn install<'a>(problem: &Problem<'_, 'a>, id: Id) -> Option<Install<'a>> {
    let candidate = problem.candidate(id)?;
    let entry = candidate.entry?;
    let needs = problem.candidates.get(&id)?;
    let current = needs.replaces.first().and_then(|&other| problem.bundle(other));
    let replaces = current.map_or(&entry.replaces, |bundle| &bundle.name);
    let package = candidate.package.unwrap_or_default();
    Some(Install { name: &entry.name, package, channel: candidate.channel, replaces })
}

fn kind(entry: &Entry, installed: &Bundle) -> Option<Kind> {
    if entry.replaces == installed.name {
        return Some(Kind::Replaces);
    }
    if entry.skips.contains(&installed.name) {
        return Some(Kind::Skips);
    }
    let version = installed.version.as_ref().map(|version| version.version.clone());
    let range = entry.skip_range.as_ref()?;
    range.contains(&version.unwrap_or_default()).then_some(Kind::SkipRange)
}

/// Why nothing is ever updated to an entry.
fn dead<'a>(stream: &Stream<'a>, entry: &'a Entry) -> Option<Why<'a>> {
    if !stream.by_name.contains_key(entry.name.as_str()) {
        return Some(Why::NoBundle);
    }
    if let Err(error) = &stream.order {
        return Some(Why::NoOrder(error.clone()));
    }
    if let Some(by) = stream.skipped_by.get(entry.name.as_str()) {
        return Some(Why::Skipped { by: by.iter().copied().collect() });
    }
    stream.place(&entry.name).is_none().then_some(Why::OffChain)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::*;
    use crate::catalog::package::{Channel, Package, Requirement};

    fn entry(name: &str, replaces: &str, skips: &[&str]) -> Entry {
        let skips = skips.iter().map(|&skip| skip.to_owned()).collect();
        Entry { name: name.to_owned(), replaces: replaces.to_owned(), skips, skip_range: None }
    }

    fn package(name: &str, entries: Vec<Entry>) -> Package {
        let mut bundles: Vec<_> = entries
            .iter()
            .map(|entry| Bundle { name: entry.name.clone(), ..Bundle::default() })
            .collect();
        bundles.sort_by(|one, other| one.name.cmp(&other.name));
        let channel = Channel { name: "bright".to_owned(), entries, deprecation: None };
        let default_channel = "bright".to_owned();
        Package {
            name: name.to_owned(),
            default_channel,
            channels: vec![channel],
            bundles,
            deprecation: None,
        }
    }

    fn edges<'a>(pool: &Pool<'a>, package: &'a Package, name: &str) -> Vec<(&'a str, Why<'a>)> {
        let bundle = package.bundle(name).unwrap();
        let installed = Installed { package: Some("lamp"), bundle };
        let edges = pool.edges("lamp", "bright", installed);
        edges.into_iter().map(|edge| (edge.to, edge.why)).collect()
    }

    #[test]
    fn an_install_stays_if_its_only_successor_is_skipped() {
        let entries = vec![entry("c", "", &["b"]), entry("b", "", &["a"]), entry("a", "", &[])];
        let packages = [package("lamp", entries)];
        let pool = Pool::new("cat/olm", &packages);
        let [lamp] = &packages;
        assert_eq!(edges(&pool, lamp, "a"), [("b", Why::Skipped { by: vec!["c"] })]);
        assert_eq!(edges(&pool, lamp, "b"), [("c", Why::Taken)]);
    }

    #[test]
    fn what_needs_something_absent_is_passed_over_and_says_why() {
        let entries = vec![entry("c", "b", &["a"]), entry("b", "a", &[]), entry("a", "", &[])];
        let mut packages = [package("lamp", entries)];
        let need = Requirement::Package { name: "bulb".to_owned(), range: ">=1.0.0".to_owned() };
        packages[0].bundles[2].requires.push(need);
        let pool = Pool::new("cat/olm", &packages);
        let [lamp] = &packages;
        let edges = edges(&pool, lamp, "a");
        let [("c", Why::Rejected(failure)), ("b", Why::Taken)] = edges.as_slice() else {
            panic!("{edges:?}");
        };
        let text = failure.to_string();
        assert!(text.contains("bundle c requires an operator with package: bulb"), "{text}");
    }
}
