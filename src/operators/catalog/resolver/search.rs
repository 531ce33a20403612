//! The search for the solution that OLM prefers.
//!
//! OLM fulfills needs in the order in which they come up, and takes the first option of each that
//! leads to a solution. If the preferred options of an earlier need rule out all options of a later
//! need of the same candidate, OLM forgets which options it prefers for the later one, and takes
//! any. This search takes the preferred one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::namespace::NoResolution;
use super::problem::{Budget, Claim, Id, Need, Problem, SubscriptionId};

/// A rule that every solution must fulfill.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule<'a> {
    /// The subscription must be fulfilled.
    Wanted(SubscriptionId),
    /// The subscription cannot be fulfilled.
    Invalid(SubscriptionId),
    /// The subscription must be fulfilled by one of its options.
    Options(SubscriptionId),
    /// A bundle that is installed without a subscription stays.
    Bound(Id),
    /// A bundle that is never installed.
    Prohibited(Id),
    /// A candidate's need, by its index, must be fulfilled.
    Need(Id, usize),
    /// A candidate excludes what it replaces.
    Replaces(Id),
    /// Only one candidate can have this.
    Claim(Claim<'a>),
}

/// A need that is not fulfilled yet: one of these options must be taken.
#[derive(Clone, Copy)]
struct Choice<'p> {
    options: &'p [Id],
    /// The index of the first option that was not tried.
    next: usize,
}

/// A choice that the search made, and may take back.
struct Guess<'p> {
    choice: Choice<'p>,
    /// The option that was taken. None if an earlier guess already fulfills the choice.
    taken: Option<Id>,
    /// How many choices the option added.
    brought: usize,
}

pub(super) struct Search<'p, 'a> {
    problem: &'p Problem<'p, 'a>,
    /// The rules that this search ignores.
    dropped: &'p BTreeSet<Rule<'a>>,
    /// The candidates that cannot be in any solution.
    impossible: BTreeSet<Id>,
    taken: BTreeSet<Id>,
    claimed: BTreeMap<Claim<'a>, usize>,
    replaced: BTreeMap<Id, usize>,
    choices: VecDeque<Choice<'p>>,
    guesses: Vec<Guess<'p>>,
}

impl<'p, 'a> Search<'p, 'a> {
    /// Runs the search. Returns the candidates of the solution, if there is one.
    pub(super) fn run(
        problem: &'p Problem<'p, 'a>,
        dropped: &'p BTreeSet<Rule<'a>>,
        budget: &mut Budget,
    ) -> Result<Option<BTreeSet<Id>>, NoResolution> {
        let mut search = Self {
            problem,
            dropped,
            impossible: BTreeSet::new(),
            taken: BTreeSet::new(),
            claimed: BTreeMap::new(),
            replaced: BTreeMap::new(),
            choices: VecDeque::new(),
            guesses: Vec::new(),
        };
        search.find_impossible(budget)?;
        if !search.begin() {
            return Ok(None);
        }
        while let Some(choice) = search.choices.pop_front() {
            budget.spend(1 + choice.options.len())?;
            if choice.options.iter().any(|option| search.taken.contains(option)) {
                search.guesses.push(Guess { choice, taken: None, brought: 0 });
            } else if let Some(at) = search.first_possible(choice, budget)? {
                search.take(Choice { options: choice.options, next: at })?;
            } else {
                search.choices.push_front(Choice { options: choice.options, next: 0 });
                if !search.go_back(budget)? {
                    return Ok(None);
                }
            }
        }
        Ok(Some(search.taken))
    }

    fn keeps(&self, rule: Rule<'a>) -> bool {
        !self.dropped.contains(&rule)
    }

    /// Collects what the namespace needs. Returns false if that is impossible.
    fn begin(&mut self) -> bool {
        let problem = self.problem;
        for id in problem.candidates.keys() {
            let is_bound = problem.candidate(*id).is_some_and(|candidate| candidate.is_bound);
            if is_bound && self.keeps(Rule::Bound(*id)) {
                let options = std::slice::from_ref(id);
                self.choices.push_back(Choice { options, next: 0 });
            }
        }
        for demand in &problem.demands {
            let id = demand.subscription;
            if !self.keeps(Rule::Wanted(id)) {
                continue;
            }
            if demand.invalid.is_some() {
                if self.keeps(Rule::Invalid(id)) {
                    return false;
                }
            } else if self.keeps(Rule::Options(id)) {
                self.choices.push_back(Choice { options: &demand.options, next: 0 });
            }
        }
        true
    }

    /// Finds the candidates that cannot be in any solution: the prohibited ones, and those with a
    /// need that only these could fulfill.
    fn find_impossible(&mut self, budget: &mut Budget) -> Result<(), NoResolution> {
        let mut needed_by: BTreeMap<Id, Vec<(Id, usize)>> = BTreeMap::new();
        let mut alive = BTreeMap::new();
        let mut left = Vec::new();
        for (&id, needs) in &self.problem.candidates {
            budget.spend(1)?;
            if self.is_prohibited(id) {
                left.push(id);
            }
            for (at, need) in needs.any_of.iter().enumerate() {
                budget.spend(1 + need.options.len())?;
                if !self.keeps(Rule::Need(id, at)) || need.open_rule.is_some() {
                    continue;
                }
                let options: BTreeSet<_> = need.options.iter().copied().collect();
                if options.is_empty() {
                    left.push(id);
                }
                alive.insert((id, at), options.len());
                for option in options {
                    needed_by.entry(option).or_default().push((id, at));
                }
            }
        }
        while let Some(id) = left.pop() {
            if !self.impossible.insert(id) {
                continue;
            }
            for need in needed_by.get(&id).into_iter().flatten() {
                if let Some(count) = alive.get_mut(need) {
                    *count = count.saturating_sub(1);
                    if *count == 0 {
                        left.push(need.0);
                    }
                }
            }
        }
        Ok(())
    }

    fn is_prohibited(&self, id: Id) -> bool {
        let bundle = self.problem.bundle(id);
        bundle.is_some_and(|bundle| bundle.is_prohibited) && self.keeps(Rule::Prohibited(id))
    }

    /// The index of the first option that does not conflict with what is taken.
    fn first_possible(
        &self,
        choice: Choice<'p>,
        budget: &mut Budget,
    ) -> Result<Option<usize>, NoResolution> {
        for (at, &option) in choice.options.iter().enumerate().skip(choice.next) {
            budget.spend(1 + self.problem.claims(option).len())?;
            if self.is_possible(option) {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    fn is_possible(&self, id: Id) -> bool {
        let is_replaced = self.replaced.get(&id).is_some_and(|&count| count > 0);
        let is_claimed = |claim| self.claimed.get(claim).is_some_and(|&count| count > 0);
        !self.impossible.contains(&id)
            && !is_replaced
            && !self.replaces(id).any(|other| self.taken.contains(&other))
            && !self.problem.claims(id).iter().any(is_claimed)
    }

    fn replaces(&self, id: Id) -> impl Iterator<Item = Id> + use<'p, 'a> {
        let keeps = self.keeps(Rule::Replaces(id));
        let problem = self.problem;
        let needs = problem.candidates.get(&id).filter(|_| keeps);
        needs.into_iter().flat_map(|needs| needs.replaces.iter().copied())
    }

    /// Takes the option at `next`, and adds the choices that it needs.
    fn take(&mut self, choice: Choice<'p>) -> Result<(), NoResolution> {
        let Some(&id) = choice.options.get(choice.next) else { return Ok(()) };
        let mut brought = 0;
        let problem = self.problem;
        let needs = problem.candidates.get(&id).map_or(&[][..], |needs| &needs.any_of);
        for (at, need) in needs.iter().enumerate() {
            if !self.keeps(Rule::Need(id, at)) {
                continue;
            }
            self.only_olm_can_tell(id, need)?;
            self.choices.push_back(Choice { options: &need.options, next: 0 });
            brought += 1;
        }
        self.taken.insert(id);
        self.count(id, true);
        self.guesses.push(Guess { choice, taken: Some(id), brought });
        Ok(())
    }

    fn only_olm_can_tell(&self, id: Id, need: &Need) -> Result<(), NoResolution> {
        let Some(rule) = need.open_rule.clone() else { return Ok(()) };
        let bundle = self.problem.bundle(id).map(|bundle| bundle.name.clone()).unwrap_or_default();
        Err(NoResolution::OnlyOlmCanTell { bundle, rule })
    }

    /// Counts what a taken candidate claims and replaces, or takes it out of the count.
    fn count(&mut self, id: Id, is_taken: bool) {
        let change = |count: &mut usize| {
            *count = if is_taken { *count + 1 } else { count.saturating_sub(1) };
        };
        for other in self.replaces(id) {
            change(self.replaced.entry(other).or_default());
        }
        for &claim in self.problem.claims(id) {
            if self.keeps(Rule::Claim(claim)) {
                change(self.claimed.entry(claim).or_default());
            }
        }
    }

    /// Takes back guesses up to the last one that took an option. Its choice comes next, from the
    /// following option on. Returns false if no guess took an option.
    fn go_back(&mut self, budget: &mut Budget) -> Result<bool, NoResolution> {
        while let Some(guess) = self.guesses.pop() {
            budget.spend(1 + guess.brought)?;
            let Some(id) = guess.taken else {
                self.choices.push_front(Choice { options: guess.choice.options, next: 0 });
                continue;
            };
            self.taken.remove(&id);
            self.count(id, false);
            self.choices.truncate(self.choices.len().saturating_sub(guess.brought));
            let next = guess.choice.next + 1;
            self.choices.push_front(Choice { options: guess.choice.options, next });
            return Ok(true);
        }
        Ok(false)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use crate::catalog::package::{Bundle, CatalogChannel, Entry, Gvk, Package, Requirement};
    use crate::catalog::resolver::{
        NoResolution, Pool, Resolution, ResolverNamespace, ResolverSubscription,
    };
    use crate::catalog::version::BundleVersion;
    use crate::go::semver::Version;

    /// A package with one channel, in which each bundle replaces the previous one.
    fn package(name: &str, mut bundles: Vec<Bundle>) -> Package {
        let mut entries: Vec<Entry> = Vec::new();
        for (place, bundle) in bundles.iter_mut().enumerate() {
            bundle.name = format!("{name}.{place:02}");
            let version = Version::parse(&format!("{place}.0.0")).ok();
            bundle.version = version.map(|version| BundleVersion { version, release: None });
            let replaces = entries.last().map(|entry| entry.name.clone()).unwrap_or_default();
            entries.push(Entry { name: bundle.name.clone(), replaces, ..Entry::default() });
        }
        let channels =
            vec![CatalogChannel { name: "bright".to_owned(), entries, deprecation: None }];
        Package { name: name.to_owned(), bundles, channels, ..Package::default() }
    }

    fn provides(kind: usize) -> Bundle {
        let kind = format!("Kind{kind}");
        let gvk = Gvk { group: "lamp.io".to_owned(), version: "v1".to_owned(), kind };
        Bundle { provides: vec![gvk], ..Bundle::default() }
    }

    fn requires(packages: &[&str]) -> Bundle {
        let require = |name: &&str| Requirement::Package {
            name: (*name).to_owned(),
            range: ">=0.0.0".to_owned(),
        };
        Bundle { requires: packages.iter().map(require).collect(), ..Bundle::default() }
    }

    fn fresh<'a>(pool: &Pool<'a>, package: &'a str) -> Result<Resolution<'a>, NoResolution> {
        let channel = "bright";
        let subscription =
            ResolverSubscription { name: "sub", package, channel, starting: "", installed: "" };
        let (subscriptions, installed) = (vec![subscription], Vec::new());
        pool.resolve(&ResolverNamespace { name: "ns", subscriptions, installed })
    }

    #[test]
    fn an_older_dependency_is_taken_if_the_newest_conflicts() {
        let packages = [
            package("lamp", vec![requires(&["bulb", "shade"])]),
            package("bulb", vec![provides(1), provides(2)]),
            package("shade", vec![provides(2)]),
        ];
        let pool = Pool::new("cat/olm", &packages);
        let resolution = fresh(&pool, "lamp").unwrap();
        let names: Vec<_> = resolution.dependencies.iter().map(|install| install.name).collect();
        assert_eq!(names, ["bulb.00", "shade.00"]);
    }

    #[test]
    fn a_rule_in_cel_matters_only_where_its_bundle_is_tried() {
        let cel = serde_json::json!({"failureMessage": "Too dark.", "cel": {"rule": "true"}});
        let open =
            || Bundle { requires: vec![Requirement::Constraint(cel.clone())], ..Bundle::default() };
        let packages = [
            package("lamp", vec![open(), Bundle::default()]),
            package("bulb", vec![Bundle::default(), open()]),
        ];
        let pool = Pool::new("cat/olm", &packages);
        let lamp = fresh(&pool, "lamp").unwrap();
        assert_eq!(lamp.next[0].map(|install| install.name), Some("lamp.01"));
        let failure = fresh(&pool, "bulb").unwrap_err();
        let (bundle, rule) = ("bulb.01".to_owned(), "true".to_owned());
        assert_eq!(failure, NoResolution::OnlyOlmCanTell { bundle, rule });
    }

    #[test]
    fn gives_up_where_too_many_choices_conflict() {
        let names: Vec<_> = (0..14).map(|at| format!("bulb{at}")).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let mut packages = vec![package("lamp", vec![requires(&names)])];
        for name in &names {
            packages.push(package(name, (0..13).map(provides).collect()));
        }
        let pool = Pool::new("cat/olm", &packages);
        assert_eq!(fresh(&pool, "lamp"), Err(NoResolution::TooManyChoices));
    }
}
