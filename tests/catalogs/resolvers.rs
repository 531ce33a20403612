//! Where installs move: the resolvers of OLM v0 and OLM v1, compared with what the real ones answer.

use std::collections::{BTreeMap, BTreeSet};

use exitpath::testing::catalog::{
    Bundle, BundleVersion, Failure, Installed, Package, Pool, Requested, Resolution, Version, Why,
    load_texts, order, packages, v1,
};
use serde_json::{Map, Value, json};

use crate::shared::vectors;

#[test]
fn olm_vectors_v0() {
    vectors::compare("olm_vectors_v0", "olm-vectors/v0-next.jsonl", |case, _| {
        difference(&v0(&case["input"], &case["expected"]), &case["expected"])
    });
}

#[test]
fn olm_vectors_v1() {
    vectors::compare("olm_vectors_v1", "olm-vectors/v1-next.jsonl", |case, _| {
        difference(&v1_answers(&case["input"], &case["expected"]), &case["expected"])
    });
}

#[test]
fn olm_vectors_real() {
    vectors::compare("olm_vectors_real", "olm-vectors/real-next.jsonl", |case, _| {
        difference(&real(&case["input"], &case["expected"]), &case["expected"])
    });
}

fn difference(got: &Value, expected: &Value) -> Option<String> {
    let mut differences = Vec::new();
    compare("", got, expected, &mut differences);
    (!differences.is_empty()).then(|| differences.join("\n"))
}

fn catalog_packages(input: &Value) -> Vec<Package> {
    let text = input["catalog"].as_str().unwrap().to_owned();
    packages(&load_texts(&BTreeMap::from([("catalog".to_owned(), text)])).catalogs[0].declared)
}

/// Compares the parts that we answer.
fn compare(path: &str, got: &Value, expected: &Value, differences: &mut Vec<String>) {
    match (got, expected) {
        (Value::Object(got), Value::Object(expected)) => {
            let ignored = ["opm_valid", "opm_error", "entries_without_bundle"];
            let keys: BTreeSet<_> = got.keys().chain(expected.keys()).collect();
            for key in keys.into_iter().filter(|key| !ignored.contains(&key.as_str())) {
                let of = |object: &Map<String, Value>| object.get(key).cloned().unwrap_or_default();
                compare(&format!("{path}.{key}"), &of(got), &of(expected), differences);
            }
        }
        (Value::Array(got), Value::Array(expected)) if got.len() == expected.len() => {
            for (at, (got, expected)) in got.iter().zip(expected).enumerate() {
                compare(&format!("{path}[{at}]"), got, expected, differences);
            }
        }
        _ if got == expected => {}
        _ => differences.push(format!("{path}\n   got      {got}\n   expected {expected}")),
    }
}

fn real(input: &Value, expected: &Value) -> Value {
    json!({"v0": v0(input, &expected["v0"]), "v1": v1_answers(input, &expected["v1"])})
}

// OLM v0

fn v0(input: &Value, expected: &Value) -> Value {
    let packages = catalog_packages(input);
    let pool = Pool::new("cat/olm", &packages);
    let channels = list(&expected["channels"]).iter().map(|channel| {
        let package = packages.iter().find(|package| channel["package"] == package.name).unwrap();
        v0_channel(&pool, package, channel["channel"].as_str().unwrap(), channel, input)
    });
    json!({"channels": channels.collect::<Vec<_>>()})
}

/// `asked` has the answers of OLM. Only their keys are used: what to ask.
fn v0_channel<'a>(
    pool: &Pool<'a>,
    package: &'a Package,
    channel: &'a str,
    asked: &'a Value,
    input: &Value,
) -> Value {
    let mut answer = json!({"package": package.name, "channel": channel});
    if let Some(channel) = package.channel(channel) {
        match order(package, channel) {
            Ok(order) => {
                answer["order"] = order.iter().map(|entry| entry.name.clone()).collect();
            }
            Err(error) => answer["order_error"] = error.to_string().into(),
        }
    }
    answer["fresh"] = v0_result(pool.fresh(&package.name, channel, ""));
    let next = asked["next"].as_object().unwrap().keys().map(|name| {
        let bundle = package.bundle(name).unwrap();
        let installed = Installed { package: Some(&package.name), bundle };
        check_edges(pool, package, channel, installed);
        (name.clone(), v0_result(pool.next(&package.name, channel, installed)))
    });
    answer["next"] = Value::Object(next.collect());
    if let Value::Array(asked) = &asked["next_external"] {
        let answers = asked.iter().map(|asked| {
            let bundle = elsewhere(asked["installed"].as_str().unwrap(), &asked["version"]);
            let installed = Installed { package: asked["package"].as_str(), bundle: &bundle };
            let result = v0_result(pool.next(&package.name, channel, installed));
            json!({
                "installed": asked["installed"], "package": asked["package"],
                "version": asked["version"], "result": result,
            })
        });
        answer["next_external"] = answers.collect();
    }
    if let (Value::Array(starting), true) = (&input["starting"], asked["fresh_starting"].is_array())
    {
        let answers = starting.iter().map(|starting| {
            let result = v0_result(pool.fresh(&package.name, channel, starting.as_str().unwrap()));
            json!({"startingCSV": starting, "result": result})
        });
        answer["fresh_starting"] = answers.collect();
    }
    answer
}

/// The explanations agree with the answers.
fn check_edges<'a>(
    pool: &Pool<'a>,
    package: &'a Package,
    channel: &'a str,
    installed: Installed<'a>,
) {
    let edges = pool.edges(&package.name, channel, installed);
    let taken = edges.iter().find(|edge| edge.why == Why::Taken).map(|edge| edge.to);
    let taken = taken.filter(|name| *name != installed.bundle.name);
    if let Ok(resolution) = pool.next(&package.name, channel, installed) {
        let next = resolution.next[0].map(|install| install.name);
        assert_eq!(taken, next, "{edges:?}");
        assert!(edges.iter().all(|edge| !matches!(edge.why, Why::Failed)), "{edges:?}");
    }
}

fn v0_result(result: Result<Resolution, Failure>) -> Value {
    let mut answer = json!({"next": null});
    match result {
        Err(failure) => {
            answer["error"] = failure.to_string().into();
            if matches!(failure, Failure::Unsatisfiable(_)) {
                answer["unsatisfiable"] = true.into();
            }
        }
        Ok(resolution) => {
            if let Some(install) = resolution.next[0] {
                answer["next"] = install.name.into();
                if !install.replaces.is_empty() {
                    answer["replaces"] = install.replaces.into();
                }
            }
            if !resolution.dependencies.is_empty() {
                let names = resolution.dependencies.iter().map(|install| install.name);
                answer["also_installed"] = names.collect();
            }
        }
    }
    answer
}

// OLM v1

fn v1_answers(input: &Value, expected: &Value) -> Value {
    let packages = catalog_packages(input);
    let mut answer = json!({});
    let answers = list(&expected["packages"]).iter().map(|asked| {
        let package = packages.iter().find(|package| asked["package"] == package.name).unwrap();
        v1_package(package, asked, input)
    });
    answer["packages"] = answers.collect();
    if let Value::Array(queries) = &input["queries"] {
        answer["queries"] = queries.iter().map(|query| v1_query(&packages, query)).collect();
    }
    answer
}

fn v1_package(package: &Package, asked: &Value, input: &Value) -> Value {
    let installed = v1_installed(package, input);
    let successors = asked["successors_highest_first"].as_object().unwrap().keys().map(|name| {
        let version = &installed[name.as_str()];
        let found = v1::successors(package, &[], v1::Installed { name, version });
        (name.clone(), found.iter().map(|bundle| bundle.name.clone()).collect())
    });
    let resolutions = list(&asked["resolutions"]).iter().map(|asked| {
        let channels: Vec<_> = list(&asked["channels"]).iter().filter_map(Value::as_str).collect();
        let request = v1::Request {
            package: &package.name,
            channels: &channels,
            versions: None,
            is_self_certified: false,
            installed: None,
        };
        let next = asked["next"].as_object().unwrap().keys().map(|name| {
            let version = &installed[name.as_str()];
            let from = Some(v1::Installed { name, version });
            let request = v1::Request { installed: from, ..request };
            (name.clone(), v1_result(Some(package), &request))
        });
        let next: Map<_, _> = next.collect();
        json!({
            "channels": channels, "next": next, "fresh": v1_result(Some(package), &request),
        })
    });
    json!({
        "package": package.name,
        "resolutions": resolutions.collect::<Vec<_>>(),
        "successors_highest_first": successors.collect::<Map<_, _>>(),
    })
}

/// What can be installed: all bundles, and what the case installs elsewhere.
fn v1_installed<'a>(package: &'a Package, input: &'a Value) -> BTreeMap<&'a str, Version> {
    let mut installed = BTreeMap::new();
    for outside in list(&input["installed_elsewhere"]) {
        let version = Version::parse(outside["version"].as_str().unwrap()).unwrap();
        installed.insert(outside["name"].as_str().unwrap(), version);
    }
    for bundle in &package.bundles {
        installed.insert(bundle.name.as_str(), bundle.version.clone().unwrap().version);
    }
    installed
}

fn v1_result(package: Option<&Package>, request: &v1::Request) -> Value {
    match v1::candidates(package, request) {
        Err(error) => json!({"error": error.to_string()}),
        Ok(candidates) => {
            let bundle = candidates.bundles[0];
            let version = &bundle.version.as_ref().unwrap().version;
            let BundleVersion { version, release } =
                BundleVersion::with_build_as_release(version).unwrap();
            let mut answer = json!({"next": bundle.name, "version": version.to_string()});
            if let Some(release) = release {
                answer["release"] = release.to_string().into();
            }
            answer
        }
    }
}

fn v1_query(packages: &[Package], query: &Value) -> Value {
    let text = |name: &str| query[name].as_str();
    let package_name = text("package").unwrap_or("p");
    let package = packages.iter().find(|package| package.name == package_name);
    let requested = match text("version").map(Requested::parse) {
        None => None,
        Some(Ok(requested)) => Some(requested),
        Some(Err(error)) => {
            let version = text("version").unwrap();
            return json!({
                "error": format!("desired version range {version:?} is invalid: {error}"),
            });
        }
    };
    let contains = |version: &BundleVersion| {
        requested.as_ref().is_some_and(|requested| requested.contains(&version.version))
    };
    let installed = text("installed").map(|name| {
        let version = match text("installed_version") {
            Some(version) => Version::parse(version).unwrap(),
            None => package.unwrap().bundle(name).unwrap().version.clone().unwrap().version,
        };
        (name, version)
    });
    let channels: Vec<_> = list(&query["channels"]).iter().filter_map(Value::as_str).collect();
    let request = v1::Request {
        package: package_name,
        channels: &channels,
        versions: text("version").map(|text| v1::Versions { text, contains: &contains }),
        is_self_certified: text("upgradeConstraintPolicy") == Some("SelfCertified"),
        installed: installed.as_ref().map(|(name, version)| v1::Installed { name, version }),
    };
    v1_result(package, &request)
}

// Shared

/// What is installed without being in the catalog: it has no properties but its package.
fn elsewhere(name: &str, version: &Value) -> Bundle {
    let version = version.as_str().map(|text| Version::parse(text).unwrap());
    let version = version.map(|version| BundleVersion { version, release: None });
    Bundle { name: name.to_owned(), version, ..Bundle::default() }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
