//! Reads what `oc get clusterversion,subscriptions,csv -A -o yaml` prints.

use serde::Deserialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::catalog::openshift_limit::{InvalidLimit, OpenShiftLimit};
use crate::catalog::version::BundleVersion;
use crate::domain::HashMap;
use crate::go::semver::Version;
use crate::objects::{PROPERTIES, is_copied_csv, text_at};

use super::cluster::{Cluster, Installed};

const PROPERTY: &str = "olm.maxOpenShiftVersion";

/// The cluster that these objects come from.
pub(crate) fn cluster_of_objects(name: &str, objects: &[Json]) -> Cluster {
    let of_kind = |kind: &'static str| objects.iter().filter(move |object| object["kind"] == kind);
    let mut subscriptions: HashMap<(&str, &str), &Json> = HashMap::default();
    for object in of_kind("Subscription") {
        let csv = text_at(object, "/status/installedCSV");
        subscriptions.insert((text_at(object, "/metadata/namespace"), csv), object);
    }
    let is_own = |csv: &&Json| !is_copied_csv(csv) && !text_at(csv, "/metadata/name").is_empty();
    let installed = of_kind("ClusterServiceVersion").filter(is_own).map(|csv| {
        let (name, namespace) =
            (text_at(csv, "/metadata/name"), text_at(csv, "/metadata/namespace"));
        let subscription = subscriptions.get(&(namespace, name));
        let said = |pointer| {
            let text = subscription.map(|object| text_at(object, pointer)).unwrap_or_default();
            (!text.is_empty()).then(|| text.to_owned())
        };
        Installed {
            name: name.to_owned(),
            namespace: (!namespace.is_empty()).then(|| namespace.to_owned()),
            package: said("/spec/name"),
            channel: said("/spec/channel"),
            version: version(text_at(csv, "/spec/version")),
            limit: Some(limit(csv)),
        }
    });
    let mut installed: Vec<Installed> = installed.collect();
    installed.sort_by(|a, b| (&a.name, &a.namespace).cmp(&(&b.name, &b.namespace)));
    let version = of_kind("ClusterVersion").next().map(running);
    let version = version.filter(|version| !version.is_empty()).map(str::to_owned);
    Cluster { name: name.to_owned(), version, installed }
}

/// The version that the cluster runs: the last one that an installation or an update completed.
fn running(cluster: &Json) -> &str {
    let history = cluster["status"]["history"].as_array().map_or(&[][..], Vec::as_slice);
    let completed = history.iter().find(|entry| entry["state"] == "Completed");
    match completed {
        Some(entry) => text_at(entry, "/version"),
        None => text_at(cluster, "/status/desired/version"),
    }
}

fn version(text: &str) -> Option<BundleVersion> {
    let version = Version::parse_tolerant(text).ok()?;
    Some(BundleVersion { version, release: None })
}

#[derive(Deserialize)]
struct Properties {
    properties: Option<Vec<Property>>,
}

#[derive(Deserialize)]
struct Property {
    #[serde(default, rename = "type")]
    kind: String,
    value: Option<Box<RawValue>>,
}

/// The limit of an install. OLM stores the properties of its bundle in an annotation.
fn limit(csv: &Json) -> OpenShiftLimit {
    let Some(annotation) = csv["metadata"]["annotations"][PROPERTIES].as_str() else {
        return OpenShiftLimit::Absent;
    };
    let Ok(read) = serde_json::from_str::<Properties>(annotation) else {
        return OpenShiftLimit::Invalid(InvalidLimit::Annotation);
    };
    let properties = read.properties.unwrap_or_default();
    let own = properties.iter().filter(|property| property.kind == PROPERTY);
    OpenShiftLimit::of_values(
        own.map(|property| property.value.as_ref().map_or("", |value| value.get())),
    )
}
