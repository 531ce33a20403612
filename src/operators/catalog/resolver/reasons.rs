//! Why there is no solution, in the words of OLM.

use std::collections::BTreeSet;

use super::namespace::NoResolution;
use super::problem::{Budget, Claim, Id, Problem};
use super::search::{Rule, Search};

/// A minimal list of rules that leave no solution: without any one of them, there is one. Empty if
/// finding it takes too much work.
pub(super) fn reasons(problem: &Problem, budget: &mut Budget) -> Vec<String> {
    let rules = rules(problem);
    let mut dropped = BTreeSet::new();
    for &rule in &rules {
        dropped.insert(rule);
        match Search::run(problem, &dropped, budget) {
            Ok(None) => {}
            Err(NoResolution::TooManyChoices) => return Vec::new(),
            Ok(Some(_)) | Err(_) => {
                dropped.remove(&rule);
            }
        }
    }
    let left = rules.iter().filter(|rule| !dropped.contains(rule));
    let texts: BTreeSet<_> = left.map(|rule| text(problem, *rule)).collect();
    texts.into_iter().collect()
}

/// All rules. Those that explain least come first, so that the search for a minimal list drops them
/// first.
fn rules<'a>(problem: &Problem<'_, 'a>) -> Vec<Rule<'a>> {
    let ids = || problem.candidates.keys().copied();
    let claims: BTreeSet<_> = ids().flat_map(|id| problem.claims(id).iter().copied()).collect();
    let needs = problem
        .candidates
        .iter()
        .flat_map(|(&id, needs)| (0..needs.any_of.len()).map(move |at| Rule::Need(id, at)));
    let bound = |id: &Id| problem.candidate(*id).is_some_and(|candidate| candidate.is_bound);
    let prohibited = |id: &Id| problem.bundle(*id).is_some_and(|bundle| bundle.is_prohibited);
    let demands = problem.demands.iter().flat_map(|demand| {
        let id = demand.subscription;
        let needed = match demand.invalid {
            Some(_) => Rule::Invalid(id),
            None => Rule::Options(id),
        };
        [needed, Rule::Wanted(id)]
    });
    let replacing = problem.candidates.iter().filter(|(_, needs)| !needs.replaces.is_empty());
    let mut rules: Vec<_> = replacing.map(|(&id, _)| Rule::Replaces(id)).collect();
    rules.extend(claims.into_iter().rev().map(Rule::Claim));
    rules.extend(needs);
    rules.extend(ids().filter(bound).map(Rule::Bound));
    rules.extend(ids().filter(prohibited).map(Rule::Prohibited));
    rules.extend(demands);
    rules
}

fn text(problem: &Problem, rule: Rule) -> String {
    let subscription = |id| {
        problem
            .namespace
            .subscriptions
            .get(crate::domain::Id::index(id))
            .map_or("", |found| found.name)
    };
    let bundle = |id| problem.bundle(id).map_or("", |bundle| bundle.name.as_str());
    match rule {
        Rule::Wanted(id) => format!("subscription {} exists", subscription(id)),
        Rule::Invalid(id) => {
            let demand = problem.demands.iter().find(|demand| demand.subscription == id);
            demand.and_then(|demand| demand.invalid.clone()).unwrap_or_default()
        }
        Rule::Options(id) => {
            let demand = problem.demands.iter().find(|demand| demand.subscription == id);
            let options = demand.map_or(&[][..], |demand| &demand.options);
            required(problem, subscription(id), options)
        }
        Rule::Bound(id) => {
            format!(
                "clusterserviceversion {} exists and is not referenced by a subscription",
                bundle(id)
            )
        }
        Rule::Prohibited(id) => format!("bundle {} is deprecated", problem.name(id)),
        Rule::Need(id, at) => {
            let need = problem.candidates.get(&id).and_then(|needs| needs.any_of.get(at));
            need.map(|need| need.text.clone()).unwrap_or_default()
        }
        Rule::Replaces(id) => {
            let replaced = problem.candidates.get(&id).and_then(|needs| needs.replaces.first());
            let replaced = replaced.map(|&other| problem.name(other)).unwrap_or_default();
            format!("{} conflicts with {replaced}", problem.name(id))
        }
        Rule::Claim(claim) => claimed(problem, claim),
    }
}

fn required(problem: &Problem, subscription: &str, options: &[Id]) -> String {
    let names: Vec<_> = options.iter().map(|&id| problem.name(id)).collect();
    match names.as_slice() {
        [] => format!("no operators found matching the criteria of subscription {subscription}"),
        [name] => format!("subscription {subscription} requires {name}"),
        [names @ .., last] => format!(
            "subscription {subscription} requires at least one of {} or {last}",
            names.join(", ")
        ),
    }
}

fn claimed(problem: &Problem, claim: Claim) -> String {
    let ids = problem.candidates.keys().copied();
    let having = ids.filter(|&id| problem.claims(id).contains(&claim));
    let mut names: Vec<_> = having.map(|id| problem.name(id)).collect();
    names.sort();
    let last = names.pop().unwrap_or_default();
    let names = format!("{} and {last}", names.join(", "));
    match claim {
        Claim::Package(package) => format!("{names} originate from package {package}"),
        Claim::Api(gvk) => format!("{names} provide {} ({}/{})", gvk.kind, gvk.group, gvk.version),
    }
}
