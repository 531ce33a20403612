//! Reads a namespace from real objects, as `oc get -o yaml` writes them.

mod csv;
mod finding;
mod operator_group;
mod plan;
mod subscription;

use std::collections::{BTreeMap, BTreeSet};

use crate::objects::{Documents, Object};
use crate::text::Failure;

pub use finding::ObjectFinding;

use super::namespace::Namespace;
use super::phase::Strategy;

/// A namespace, and what is wrong with the objects that describe it.
#[derive(Clone, Debug)]
pub struct ReadNamespace {
    pub namespace: Namespace,
    /// In the order of their places.
    pub findings: Vec<ObjectFinding>,
    /// Catalogs (`namespace/name`) that Subscriptions use.
    pub sources: BTreeSet<String>,
}

/// No real namespace has this many Subscriptions.
const MOST_SUBSCRIPTIONS: usize = 1_000;
const MOST_OBJECTS: usize = 200_000;

/// Reads the OLM objects of a text: those of the namespace `wanted`, if it is given.
pub fn read_namespace(text: &str, wanted: Option<&str>) -> Result<ReadNamespace, Failure> {
    let documents = Documents::read(text)?;
    let objects: Vec<Object<'_>> = documents.objects().collect();
    if objects.len() > MOST_OBJECTS {
        return Err(Failure::new(format!("it has more than {MOST_OBJECTS} objects")));
    }
    let known = objects.iter().filter(|object| is_of_olm(object));
    let known: Vec<&Object<'_>> = known.collect();
    if known.is_empty() {
        return Err(
            "it has no OperatorGroup, Subscription, ClusterServiceVersion, or InstallPlan".into()
        );
    }
    let name = wanted.map_or_else(|| chosen(&known), str::to_owned);
    let mut read = ReadNamespace {
        namespace: Namespace::new(&name, Strategy::Default),
        findings: Vec::new(),
        sources: BTreeSet::new(),
    };
    read.namespace.operator_groups = 0;
    let mut seen: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for object in known {
        let Some(own) = object.name() else {
            read.findings.push(ObjectFinding::nameless(object));
            continue;
        };
        let other = object.namespace().filter(|other| *other != name);
        if let Some(other) = other {
            read.findings.push(ObjectFinding::elsewhere(object, own, other, &name));
            continue;
        }
        if seen.insert((object.kind(), own), object.at()).is_some() {
            read.findings.push(ObjectFinding::repeated(object, own));
            continue;
        }
        read.add(object, own);
    }
    if wanted.is_some() && seen.is_empty() {
        return Err(Failure::new(format!("it has no objects of OLM in the namespace `{name}`")));
    }
    if read.namespace.subscriptions.len() > MOST_SUBSCRIPTIONS {
        return Err(Failure::new(format!("it has more than {MOST_SUBSCRIPTIONS} Subscriptions")));
    }
    read.conclude();
    Ok(read)
}

fn is_of_olm(object: &Object<'_>) -> bool {
    const KINDS: [&str; 4] =
        ["OperatorGroup", "Subscription", "ClusterServiceVersion", "InstallPlan"];
    KINDS.contains(&object.kind()) && object.api_version().starts_with("operators.coreos.com/")
}

/// The namespace of the objects: that of the Subscriptions, or else of the OperatorGroup, or else
/// of any object.
fn chosen(objects: &[&Object<'_>]) -> String {
    let of_kind = |kind: &str| {
        objects.iter().filter(|object| object.kind() == kind).find_map(|object| object.namespace())
    };
    let found = of_kind("Subscription").or_else(|| of_kind("OperatorGroup"));
    let any = || objects.iter().find_map(|object| object.namespace());
    found.or_else(any).unwrap_or("default").to_owned()
}

impl ReadNamespace {
    fn add(&mut self, object: &Object<'_>, name: &str) {
        match object.kind() {
            "OperatorGroup" => operator_group::read(object, name, self),
            "Subscription" => subscription::read(object, name, self),
            "ClusterServiceVersion" => csv::read(object, name, self),
            "InstallPlan" => plan::read(object, name, self),
            _ => {}
        }
    }

    /// Reports what no single object shows.
    fn conclude(&mut self) {
        match self.namespace.operator_groups {
            0 => self.findings.push(ObjectFinding::no_operator_group(&self.namespace.name)),
            1 => {}
            several => {
                let finding = ObjectFinding::operator_groups(several, &self.namespace.name);
                self.findings.push(finding);
            }
        }
        for (name, replacers) in self.namespace.csvs.disputed() {
            self.findings.push(ObjectFinding::disputed(name, &replacers));
        }
        self.findings.sort_by_key(|finding| finding.at.unwrap_or(usize::MAX));
    }
}
