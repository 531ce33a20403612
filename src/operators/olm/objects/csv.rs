//! CSVs, with what they tell the resolver.

use serde_json::Value as Json;

use crate::catalog::package::{Bundle, Gvk, Requirement};
use crate::catalog::version::BundleVersion;
use crate::domain::Named;
use crate::go::semver::Version;
use crate::objects::{Object, PROPERTIES};
use crate::olm::csvs::{Csv, Health};
use crate::olm::phase::Phase;

use super::ReadNamespace;
use super::finding::ObjectFinding;

pub(super) fn read(object: &Object<'_>, name: &str, read: &mut ReadNamespace) {
    let (spec, status) = (object.get("spec"), object.get("status"));
    let text =
        |part: Option<Object<'_>>, key: &str| part.map(|part| part.owned(key)).unwrap_or_default();
    let (phase, reason) = (text(status, "phase"), text(status, "reason"));
    let phase = Phase::named(&phase).unwrap_or_else(|| {
        read.findings.push(ObjectFinding::warning(
            object.at(),
            format!("CSV {name}: OLM knows no such `phase`, so the CSV stays as it is."),
            "Write objects with `oc get -o yaml`.".to_owned(),
        ));
        Phase::Unknown
    });
    let version = Version::parse_tolerant(&text(spec, "version")).ok();
    let mut bundle = Bundle {
        name: name.to_owned(),
        version: version.map(|version| BundleVersion { version, release: None }),
        ..Bundle::default()
    };
    let properties = object.at_path(&["metadata", "annotations"]);
    let properties = properties.and_then(|annotations| annotations.get(PROPERTIES));
    let mut package = None;
    match properties.and_then(|properties| Some((properties, properties.as_text()?))) {
        Some((place, text)) => match serde_json::from_str::<Json>(text) {
            Ok(json) => package = add_properties(&json, &mut bundle),
            Err(_) => read.findings.push(ObjectFinding::error(
                place.at(),
                format!(
                    "CSV {name}: the annotation `{PROPERTIES}` is not JSON. OLM cannot tell what \
                     is installed, and updates nothing in the namespace."
                ),
                "Write objects with `oc get -o yaml`.".to_owned(),
            )),
        },
        None => add_apis(spec, &mut bundle),
    }
    read.namespace.csvs.insert(Csv {
        replaces: text(spec, "replaces"),
        health: health(phase, &reason),
        phase,
        is_copied: object.is_copied(),
        reason,
        package,
        has_properties: properties.is_some(),
        bundle,
    });
}

/// Guesses what OLM will find next from what it found last.
fn health(phase: Phase, reason: &str) -> Health {
    match phase {
        Phase::Failed => Health::Fails,
        Phase::Pending if reason == "RequirementsNotMet" => Health::RequirementsMissing,
        Phase::Succeeded | Phase::Replacing | Phase::Deleting => Health::Healthy,
        _ => Health::Waiting,
    }
}

/// Adds the APIs of the CSV's own fields, for CSVs without properties.
fn add_apis(spec: Option<Object<'_>>, bundle: &mut Bundle) {
    let Some(spec) = spec else { return };
    let apis = |key: &str| {
        let crds = spec.get("customresourcedefinitions").map(|crds| crds.list(key));
        let services = spec.get("apiservicedefinitions").map(|services| services.list(key));
        let crds = crds.unwrap_or_default().into_iter().map(|crd| {
            let group = crd.text("name").and_then(|name| name.split_once('.'));
            let group = group.map_or("", |(_, group)| group).to_owned();
            Gvk { group, version: crd.owned("version"), kind: crd.owned("kind") }
        });
        let services = services.unwrap_or_default().into_iter().map(|service| Gvk {
            group: service.owned("group"),
            version: service.owned("version"),
            kind: service.owned("kind"),
        });
        crds.chain(services).collect::<Vec<_>>()
    };
    bundle.provides = apis("owned");
    bundle.requires = apis("required").into_iter().map(Requirement::Gvk).collect();
}

/// Adds the properties of a CSV, and returns the package that they name.
fn add_properties(json: &Json, bundle: &mut Bundle) -> Option<String> {
    let mut package = None;
    let list = json.get("properties").and_then(Json::as_array);
    for property in list.into_iter().flatten() {
        let value = property.get("value").unwrap_or(&Json::Null);
        let text = |key: &str| value.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        let gvk = || Gvk { group: text("group"), version: text("version"), kind: text("kind") };
        let label = || value.as_str().map_or_else(|| text("label"), str::to_owned);
        match property.get("type").and_then(Json::as_str).unwrap_or_default() {
            "olm.package" => package = Some(text("packageName")),
            "olm.gvk" => bundle.provides.push(gvk()),
            "olm.gvk.required" => bundle.requires.push(Requirement::Gvk(gvk())),
            "olm.package.required" => {
                let (name, range) = (text("packageName"), text("versionRange"));
                bundle.requires.push(Requirement::Package { name, range });
            }
            "olm.label" => bundle.labels.push(label()),
            "olm.label.required" => bundle.requires.push(Requirement::Label(label())),
            "olm.constraint" => bundle.requires.push(Requirement::Constraint(value.clone())),
            "olm.deprecated" => bundle.is_prohibited = true,
            _ => {}
        }
    }
    package
}
