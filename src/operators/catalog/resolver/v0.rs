//! What OLM v0 installs.

use std::collections::BTreeSet;

use super::namespace::{Install, NoResolution, Resolution, ResolverNamespace};
use super::pool::{OfferedEntry, Pool};
use super::problem::{Budget, Id, Problem};
use super::reasons::reasons;
use super::search::Search;

/// The most steps for one question, which take less than a second.
const STEPS: usize = 2_000_000;

impl<'a> Pool<'a> {
    /// What OLM v0 installs in a namespace.
    pub fn resolve(
        &self,
        namespace: &ResolverNamespace<'a>,
    ) -> Result<Resolution<'a>, NoResolution> {
        let mut budget = Budget(STEPS);
        let problem = Problem::new(self, namespace, None, &mut budget)?;
        let solution = solve(&problem, &mut budget)?;
        Ok(resolution(&problem, &solution))
    }
}

fn solve(problem: &Problem, budget: &mut Budget) -> Result<BTreeSet<Id>, NoResolution> {
    let solution = Search::run(problem, &BTreeSet::new(), budget)?;
    solution.ok_or_else(|| NoResolution::Unsatisfiable(reasons(problem, budget)))
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

/// The install of a candidate. None if it is already installed.
fn install<'a>(problem: &Problem<'_, 'a>, id: Id) -> Option<Install<'a>> {
    let candidate = problem.candidate(id)?;
    let OfferedEntry { channel, entry } = candidate.offered?;
    let needs = problem.candidates.get(&id)?;
    let current = needs.replaces.first().and_then(|&other| problem.bundle(other));
    let replaces = current.map_or(&entry.replaces, |bundle| &bundle.name);
    let package = candidate.package.unwrap_or_default();
    Some(Install { name: &entry.name, package, channel, replaces })
}
