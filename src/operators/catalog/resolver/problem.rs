//! One question to the search: everything that can matter for a namespace.

use std::collections::{BTreeMap, BTreeSet};

use super::namespace::{NoResolution, ResolverNamespace};
use super::pool::{Candidate, OfferId, Pool};
use crate::catalog::package::{Bundle, Gvk};
use crate::domain::ids;

ids! {
    /// Something that is installed in the namespace.
    ExistingId;
    /// A subscription of the namespace.
    SubscriptionId;
}

/// The id of a candidate, which is a bundle that a solution can contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Id {
    Existing(ExistingId),
    Offer(OfferId),
}

/// One question to the search.
pub(super) struct Problem<'p, 'a> {
    pub(super) pool: &'p Pool<'a>,
    pub(super) namespace: &'p ResolverNamespace<'a>,
    pub(super) existing: Vec<Candidate<'a>>,
    pub(super) candidates: BTreeMap<Id, Needs<'a>>,
    pub(super) demands: Vec<Demand>,
    pub(super) nothing: BTreeSet<Claim<'a>>,
}

/// The needs of a candidate, and the candidates that it excludes.
#[derive(Default)]
pub(super) struct Needs<'a> {
    pub(super) any_of: Vec<Need>,
    /// The candidates that it replaces. They cannot be in the same solution.
    pub(super) replaces: BTreeSet<Id>,
    /// The properties that no other candidate of the solution can have.
    pub(super) claims: BTreeSet<Claim<'a>>,
}

/// One of these options is needed. The preferred ones come first.
pub(super) struct Need {
    pub(super) options: Vec<Id>,
    pub(super) text: String,
    /// The rule that only OLM can evaluate, if the options depend on one.
    pub(super) open_rule: Option<String>,
}

/// The candidates that fulfill a subscription.
pub(super) struct Demand {
    pub(super) subscription: SubscriptionId,
    /// The bundle that is installed comes last.
    pub(super) options: Vec<Id>,
    /// Why nothing can fulfill the subscription.
    pub(super) invalid: Option<String>,
}

/// The steps that are left before the search gives up.
pub(super) struct Budget(pub(super) usize);

impl Budget {
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), NoResolution> {
        self.0 = self.0.checked_sub(steps).ok_or(NoResolution::TooManyChoices)?;
        Ok(())
    }
}

impl<'a> Problem<'_, 'a> {
    pub(super) fn candidate(&self, id: Id) -> Option<&Candidate<'a>> {
        match id {
            Id::Existing(id) => self.existing.get(id.index()),
            Id::Offer(id) => Some(&self.pool.offers[id]),
        }
    }

    pub(super) fn bundle(&self, id: Id) -> Option<&'a Bundle> {
        self.candidate(id).map(|candidate| candidate.bundle)
    }

    pub(super) fn existing_ids(&self) -> impl Iterator<Item = Id> + use<> {
        (0..self.existing.len()).map(|at| Id::Existing(ExistingId::at(at)))
    }

    /// The name of a candidate in OLM's messages.
    pub(super) fn name(&self, id: Id) -> String {
        let Some(candidate) = self.candidate(id) else { return String::new() };
        let name = &candidate.bundle.name;
        match id {
            Id::Existing(_) => format!("@existing/{}//{name}", self.namespace.name),
            Id::Offer(_) => {
                let channel = candidate.offered.map_or("", |offered| offered.channel);
                format!("{}/{channel}/{name}", self.pool.name)
            }
        }
    }

    pub(super) fn claims(&self, id: Id) -> &BTreeSet<Claim<'a>> {
        self.candidates.get(&id).map_or(&self.nothing, |needs| &needs.claims)
    }
}

/// A property that only one candidate of a solution can have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Claim<'a> {
    Package(&'a str),
    Api(&'a Gvk),
}
