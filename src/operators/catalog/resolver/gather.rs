//! Finds the candidates for a namespace, and what each of them needs.

use std::collections::{BTreeMap, BTreeSet};

use super::bundle_condition::{BundleCondition, SearchPlace};
use super::namespace::{NoResolution, ResolverFault, ResolverNamespace};
use super::order::{OrderError, OrderFault};
use super::pool::{Candidate, OfferId, Pool, StreamId};
use super::problem::{Budget, Claim, Demand, Id, Need, Needs, Problem, SubscriptionId};
use crate::catalog::package::Bundle;
use crate::domain::HashMap;

/// Why the requirements of a bundle cannot be fulfilled or checked.
enum NeedError {
    /// OLM cannot order a channel, or the installed bundles.
    Fault(OrderError),
    /// The budget is spent, so the search for all bundles ends.
    Over(NoResolution),
}

impl<'p, 'a> Problem<'p, 'a> {
    /// With `only`, the first subscription can move to this offer only.
    pub(super) fn new(
        pool: &'p Pool<'a>,
        namespace: &'p ResolverNamespace<'a>,
        only: Option<OfferId>,
        budget: &mut Budget,
    ) -> Result<Self, NoResolution> {
        let claimed: BTreeSet<_> =
            namespace.subscriptions.iter().map(|subscription| subscription.installed).collect();
        let existing = namespace.installed.iter().map(|installed| {
            let is_claimed = claimed.contains(installed.bundle.name.as_str());
            Candidate::installed(installed.package, installed.bundle, is_claimed)
        });
        let existing: Vec<_> = existing.collect();
        let (candidates, demands) = (BTreeMap::new(), Vec::new());
        let nothing = BTreeSet::new();
        let mut problem = Self { pool, namespace, existing, candidates, demands, nothing };
        problem.visit(problem.existing_ids().collect(), budget)?;
        let mut faults = Vec::new();
        for at in 0..namespace.subscriptions.len() {
            let only = only.filter(|_| at == 0);
            match problem.demand(SubscriptionId::at(at), only, budget) {
                Ok(()) => {}
                Err(NoResolution::Faults(more)) => faults.extend(more),
                Err(failure) => return Err(failure),
            }
        }
        if faults.is_empty() { Ok(problem) } else { Err(NoResolution::Faults(faults)) }
    }

    fn demand(
        &mut self,
        id: SubscriptionId,
        only: Option<OfferId>,
        budget: &mut Budget,
    ) -> Result<(), NoResolution> {
        let Some(subscription) = self.namespace.subscriptions.get(id.index()) else {
            return Ok(());
        };
        let current = self.existing_ids().find(|&existing| {
            self.bundle(existing).is_some_and(|bundle| bundle.name == subscription.installed)
        });
        let streams = self.pool.streams_of(subscription.package, subscription.channel);
        let mut demand = Demand { subscription: id, options: Vec::new(), invalid: None };
        demand.invalid = self.invalid(id, &streams, current.is_none());
        if demand.invalid.is_some() {
            self.demands.push(demand);
            return Ok(());
        }
        let wanted = self.wanted(id, &streams, current).map_err(order_failure)?;
        let wanted = wanted.into_iter().filter(|offer| only.is_none_or(|only| *offer == only));
        for offer in wanted {
            for same in self.same_name(&streams, offer) {
                self.visit(vec![Id::Offer(same)], budget)?;
                demand.options.push(Id::Offer(same));
                let needs = self.candidates.entry(Id::Offer(same)).or_default();
                needs.replaces.extend(current);
            }
        }
        demand.options.extend(current);
        self.demands.push(demand);
        Ok(())
    }

    /// The offers that a subscription can move to, the preferred ones first.
    fn wanted(
        &self,
        id: SubscriptionId,
        streams: &[StreamId],
        current: Option<Id>,
    ) -> Result<Vec<OfferId>, OrderError> {
        let mut wanted = Vec::new();
        let starting =
            self.namespace.subscriptions.get(id.index()).map_or("", |found| found.starting);
        for &stream in streams {
            let stream = &self.pool.streams[stream];
            match current.and_then(|current| self.bundle(current)) {
                Some(installed) => wanted.extend(stream.successors(self.pool, installed)?),
                None if starting.is_empty() => {
                    wanted.extend(stream.order.as_ref().map_err(Clone::clone)?);
                }
                None => wanted.extend(stream.starting(self.pool, starting)?),
            }
        }
        Ok(wanted)
    }

    /// An offer, and the offers of the same bundle in the other channels.
    fn same_name(&self, streams: &[StreamId], offer: OfferId) -> Vec<OfferId> {
        let name = self.pool.offers[offer].bundle.name.as_str();
        let others = streams.iter().filter_map(|&stream| {
            self.pool.streams[stream].by_name.get(name).copied().filter(|other| *other != offer)
        });
        std::iter::once(offer).chain(others).collect()
    }

    /// Why a subscription can never be fulfilled, in the words of OLM.
    fn invalid(&self, id: SubscriptionId, streams: &[StreamId], is_new: bool) -> Option<String> {
        let subscription = self.namespace.subscriptions.get(id.index())?;
        let (name, package) = (subscription.name, subscription.package);
        let channel = subscription.channel;
        let starting = subscription.starting;
        let has = |stream: &StreamId| self.pool.streams[*stream].by_name.contains_key(starting);
        if self.pool.offers.ids().len() == 0 {
            let (catalog, namespace) =
                self.pool.name.split_once('/').unwrap_or((self.pool.name, ""));
            return Some(format!(
                "no operators found from catalog {catalog} in namespace {namespace} referenced by \
                 subscription {name}"
            ));
        }
        let rest = format!("in the catalog referenced by subscription {name}");
        if !self.pool.has_package(package) {
            return Some(format!("no operators found in package {package} {rest}"));
        }
        if streams.is_empty() {
            return Some(format!(
                "no operators found in channel {channel} of package {package} {rest}"
            ));
        }
        let is_missing = is_new && !starting.is_empty() && !streams.iter().any(has);
        is_missing.then(|| {
            format!(
                "no operators found with name {starting} in channel {channel} of package {package} \
                 {rest}"
            )
        })
    }

    /// Adds candidates, and everything that can fulfill their requirements.
    fn visit(&mut self, mut left: Vec<Id>, budget: &mut Budget) -> Result<(), NoResolution> {
        let mut faults = Vec::new();
        while let Some(id) = left.pop() {
            if self.candidates.contains_key(&id) {
                continue;
            }
            let Some(candidate) = self.candidate(id) else { continue };
            let bundle = candidate.bundle;
            let apis = bundle.provides.iter().map(Claim::Api);
            let claims = apis.chain(candidate.package.map(Claim::Package)).collect();
            self.candidates.insert(id, Needs { claims, ..Needs::default() });
            let wishes: Result<Vec<_>, _> =
                bundle.requires.iter().map(BundleCondition::new).collect();
            let wishes = match wishes {
                Ok(wishes) => wishes,
                Err(message) => {
                    faults.push(ResolverFault::Requirement {
                        bundle: bundle.name.clone(),
                        message: message.to_string(),
                    });
                    continue;
                }
            };
            for wish in wishes {
                budget.spend(wish.size())?;
                match self.need(bundle, &wish, budget) {
                    Ok(need) => {
                        left.extend(&need.options);
                        self.candidates.entry(id).or_default().any_of.push(need);
                    }
                    Err(NeedError::Fault(error)) => faults.push(ResolverFault::Order(error)),
                    Err(NeedError::Over(failure)) => return Err(failure),
                }
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(NoResolution::Faults(faults)) }
    }

    /// What can fulfill a condition: first what is installed, then the offers of the streams, in
    /// their order.
    fn need(
        &self,
        bundle: &Bundle,
        wish: &BundleCondition,
        budget: &mut Budget,
    ) -> Result<Need, NeedError> {
        let mut is_open = false;
        let mut holds = |candidate: &Candidate| {
            budget.spend(1 + wish.size()).map_err(NeedError::Over)?;
            let answer = wish.test(candidate);
            is_open |= answer.is_none();
            Ok(answer.unwrap_or(false))
        };
        let mut options = Vec::new();
        let mut packages = HashMap::default();
        for id in self.existing_ids() {
            let Some(candidate) = self.candidate(id) else { continue };
            if !holds(candidate)? {
                continue;
            }
            options.push(id);
            if let Some(other) = packages.insert(candidate.package, candidate) {
                return Err(NeedError::Fault(two_installed(other, candidate)));
            }
        }
        options.sort_by_key(|&id| self.candidate(id).map(|candidate| candidate.package));
        for stream in self.possible(wish) {
            let stream = &self.pool.streams[stream];
            let mut fulfilling = BTreeSet::new();
            for &offer in stream.by_name.values() {
                if holds(&self.pool.offers[offer])? {
                    fulfilling.insert(offer);
                }
            }
            if !fulfilling.is_empty() {
                let order =
                    stream.order.as_ref().map_err(|error| NeedError::Fault(error.clone()))?;
                let fulfilling = order.iter().filter(|offer| fulfilling.contains(offer));
                options.extend(fulfilling.map(|&offer| Id::Offer(offer)));
            }
        }
        let open_rule = wish.rule().filter(|_| is_open).map(str::to_owned);
        let text = format!("bundle {} requires an operator {}", bundle.name, wish.text());
        Ok(Need { options, text, open_rule })
    }

    /// The streams that may have a bundle that fulfills a condition.
    fn possible(&self, wish: &BundleCondition) -> BTreeSet<StreamId> {
        match wish.place() {
            SearchPlace::Providers(gvk) => {
                let providers = self.pool.providers(gvk).iter();
                providers.filter_map(|&offer| self.pool.stream_of(offer)).collect()
            }
            SearchPlace::Package(name) => self.pool.streams_of(name, "").into_iter().collect(),
            SearchPlace::Anywhere => self.pool.streams.ids().collect(),
        }
    }
}

/// The error of OLM if two bundles of one package are installed: it orders them as if they were a
/// channel, and finds two heads.
fn two_installed(one: &Candidate, other: &Candidate) -> OrderError {
    let mut names = [one, other].map(|candidate| candidate.bundle.name.clone());
    names.sort();
    let chains = names.map(|name| Some((name.clone(), name)));
    OrderError {
        package: one.package.unwrap_or_default().to_owned(),
        channel: String::new(),
        fault: OrderFault::SeveralChains(chains.into()),
    }
}

fn order_failure(error: OrderError) -> NoResolution {
    NoResolution::Faults(vec![ResolverFault::Order(error)])
}
