//! Where installs move: the resolvers of OLM v0 and OLM v1, compared with what the real ones
//! answer.

use std::collections::{BTreeMap, BTreeSet};

use exitpath::testing::catalog::{
    Bundle, BundleVersion, ChannelMoves, Install, Installed, NoResolution, Package, Pool,
    Resolution, Resolver, Version, first_install, load_texts, next_install, order, packages,
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
            let ignored = [
                "opm_valid",
                "opm_error",
                "entries_without_bundle",
                "queries",
                "successors_highest_first",
            ];
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
    answer["fresh"] = v0_result(first_install(pool, &package.name, channel, ""));
    let next = asked["next"].as_object().unwrap().keys().map(|name| {
        let bundle = package.bundle(name).unwrap();
        let installed = Installed { package: Some(&package.name), bundle };
        (name.clone(), v0_result(next_install(pool, &package.name, channel, installed)))
    });
    answer["next"] = Value::Object(next.collect());
    if let Value::Array(asked) = &asked["next_external"] {
        let answers = asked.iter().map(|asked| {
            let bundle = elsewhere(asked["installed"].as_str().unwrap(), &asked["version"]);
            let installed = Installed { package: asked["package"].as_str(), bundle: &bundle };
            let result = v0_result(next_install(pool, &package.name, channel, installed));
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
            let result =
                v0_result(first_install(pool, &package.name, channel, starting.as_str().unwrap()));
            json!({"startingCSV": starting, "result": result})
        });
        answer["fresh_starting"] = answers.collect();
    }
    answer
}

fn v0_result(result: Result<Resolution, NoResolution>) -> Value {
    let mut answer = json!({"next": null});
    match result {
        Err(failure) => {
            answer["error"] = failure.to_string().into();
            if matches!(failure, NoResolution::Unsatisfiable(_)) {
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

/// What commands simulate: the moves in one channel. OLM also answers for requests that name
/// several channels, or versions.
fn v1_answers(input: &Value, expected: &Value) -> Value {
    let packages = catalog_packages(input);
    let answers = list(&expected["packages"]).iter().map(|asked| {
        let package = packages.iter().find(|package| asked["package"] == package.name).unwrap();
        let resolutions = list(&asked["resolutions"]).iter();
        let resolutions = resolutions.map(|asked| v1_resolution(package, asked, input));
        json!({"package": package.name, "resolutions": resolutions.collect::<Vec<_>>()})
    });
    json!({"packages": answers.collect::<Vec<_>>()})
}

fn v1_resolution(package: &Package, asked: &Value, input: &Value) -> Value {
    let [channel] = list(&asked["channels"]) else { return asked.clone() };
    let channel = package.channel(channel.as_str().unwrap()).unwrap();
    let elsewhere = elsewhere_installed(input);
    let others: Vec<Install<'_>> = elsewhere
        .iter()
        .map(|(name, version)| (*name, Some(version)))
        .chain(package.bundles.iter().map(|bundle| (&*bundle.name, bundle.version.as_ref())))
        .filter(|(name, _)| channel.entries.iter().all(|entry| entry.name != *name))
        .map(|(name, version)| Install { name, version, is_entry: false })
        .collect();
    let moves = ChannelMoves::of(package, channel, &others, Resolver::V1).unwrap();
    let next = asked["next"].as_object().unwrap().keys().map(|name| {
        let installed = moves.named(name).unwrap();
        let install = &moves.installs[installed];
        let answer = match moves.moves.next(installed) {
            // What is not in the channel has nothing to stay on.
            [] if !install.is_entry => json!({"error": format!(
                "error upgrading from currently installed version \"{}\": no bundles found for \
                 package \"{}\" in channels [{}]",
                install.version.unwrap().version, package.name, channel.name
            )}),
            [] => v1_result(package, name),
            [next, ..] => v1_result(package, moves.name(*next)),
        };
        (name.clone(), answer)
    });
    let next: Map<_, _> = next.collect();
    let fresh = moves.heads.first().map(|head| v1_result(package, moves.name(*head)));
    json!({"channels": asked["channels"], "next": next, "fresh": fresh})
}

fn elsewhere_installed(input: &Value) -> BTreeMap<&str, BundleVersion> {
    let outside = list(&input["installed_elsewhere"]).iter().map(|outside| {
        let version = Version::parse(outside["version"].as_str().unwrap()).unwrap();
        (outside["name"].as_str().unwrap(), BundleVersion { version, release: None })
    });
    outside.collect()
}

fn v1_result(package: &Package, name: &str) -> Value {
    let bundle = package.bundle(name).unwrap();
    let version = &bundle.version.as_ref().unwrap().version;
    let BundleVersion { version, release } = BundleVersion::with_build_as_release(version).unwrap();
    let mut answer = json!({"next": bundle.name, "version": version.to_string()});
    if let Some(release) = release {
        answer["release"] = release.to_string().into();
    }
    answer
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
