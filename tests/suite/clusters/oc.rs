//! What `oc adm upgrade` prints and sends.

use exitpath::testing::cluster::object::{Alert, ClusterVersion};
use exitpath::testing::oc::{Alerts, ClientLevel, Inside, Output, Situation, Switches, run};
use serde_json::{Value as Json, json};

use crate::shared::vectors::compare;

fn text<'v>(value: &'v Json, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// What is different in a case, with both texts.
fn differences(case: &Json) -> Vec<String> {
    let (input, expected) = (&case["input"], &case["expected"]);
    let cluster_version: Option<ClusterVersion> =
        serde_json::from_value(input["clusterversion"].clone()).unwrap();
    let alerts: Vec<Alert> = match &input["alerts"] {
        list @ Json::Array(_) => serde_json::from_value(list.clone()).unwrap(),
        _ => Vec::new(),
    };
    let alerts = match text(input, "alerts") {
        "unavailable" => Alerts::Unavailable,
        "mock-none" => Alerts::NotMocked,
        _ => Alerts::Of(&alerts),
    };
    let switches = switches(&input["env"]);
    let args = input["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap());
    let level = ClientLevel::default();
    let cluster_version = cluster_version.as_ref();
    let inside = Inside::default();
    let situation = Situation { cluster_version, alerts, inside, switches, level };
    let Output { exit, stdout, stderr, remarks: _, patches, reads_cluster } =
        run(&args.collect::<Vec<_>>(), &situation);
    let found = [
        ("exit", json!(exit)),
        ("stdout", json!(stdout)),
        ("stderr", json!(stderr)),
        ("patch", json!(patches)),
        ("reads_cluster", json!(reads_cluster)),
    ];
    let differs = found.into_iter().filter(|(key, found)| expected[key] != *found);
    differs
        .map(|(key, found)| format!("{key}:\n  expected {}\n  found    {found}", expected[key]))
        .collect()
}

#[test]
fn oc_vectors() {
    compare("oc_vectors", "cvo-vectors/oc-upgrade.jsonl", |case, _| {
        let differences = differences(case);
        (!differences.is_empty()).then(|| differences.join("\n"))
    });
}

/// An object with two conditional updates, one of them clean, and an update without risks.
fn cluster_version() -> ClusterVersion {
    let release = |version: &str| {
        let image = format!("registry.example.com/release@sha256:{}", version.len());
        json!({ "version": version, "image": image, "url": "https://example.com/page" })
    };
    let verdict = |status: &str, reason: &str, message: &str| json!([{ "type": "Recommended", "status": status, "reason": reason, "message": message }]);
    let risks = json!([{ "name": "Slow", "message": "It is slow.", "url": "https://example.com" }]);
    let condition = |kind: &str, status: &str, message: &str| json!({ "type": kind, "status": status, "reason": "Why", "message": message });
    let object = json!({
        "spec": { "channel": "stable-4.16" },
        "status": {
            "desired": {
                "version": "4.16.1",
                "image": "registry.example.com/release@sha256:1",
                "channels": ["fast-4.16", "stable-4.16"],
            },
            "availableUpdates": [release("4.16.2")],
            "conditionalUpdates": [
                {
                    "release": release("4.16.10"),
                    "risks": risks,
                    "conditions": verdict("False", "Slow", "It is slow.\nSee the page.\n"),
                },
                {
                    "release": release("4.17.0-rc.1"),
                    "risks": risks,
                    "conditions": verdict("True", "NotExposedToRisks", "It is fine."),
                },
            ],
            "conditions": [
                condition("Failing", "False", ""),
                condition("Progressing", "False", "Cluster version is 4.16.1"),
            ],
        },
    });
    serde_json::from_value(object).unwrap()
}

/// The commands that the variables of an environment switch on.
fn switches(environment: &Json) -> Switches {
    let is_on =
        |name: &str| environment[name].as_str().is_some_and(|value| value.to_lowercase() == "true");
    Switches {
        accept_risks: is_on("OC_ENABLE_CMD_UPGRADE_ACCEPT_RISKS"),
        rollback: is_on("OC_ENABLE_CMD_UPGRADE_ROLLBACK"),
        recommend: is_on("OC_ENABLE_CMD_UPGRADE_RECOMMEND"),
        status: is_on("OC_ENABLE_CMD_UPGRADE_STATUS"),
    }
}

/// What the newest `oc` does with arguments, separated by spaces.
fn oc(args: &str) -> Output {
    oc_of(ClientLevel::default(), args)
}

fn oc_of(level: ClientLevel, args: &str) -> Output {
    let cluster = cluster_version();
    let switches = Switches::ALL;
    let alerts = Alerts::Of(&[]);
    let inside = Inside::default();
    let situation = Situation { cluster_version: Some(&cluster), alerts, inside, switches, level };
    let args: Vec<&str> = ["adm", "upgrade"].into_iter().chain(args.split_whitespace()).collect();
    run(&args, &situation)
}

#[test]
fn updates_with_issues_are_shown_on_request() {
    let shown = oc("--include-not-recommended").stdout;
    let (_, updates) = shown.split_once("Recommended updates:\n").unwrap();
    let expected = "
  VERSION     IMAGE
  4.16.2      registry.example.com/release@sha256:6

Updates with known issues:

  Version: 4.16.10
  Image: registry.example.com/release@sha256:7
  Reason: Slow
  Message: It is slow.
  See the page.
";
    assert_eq!(updates, expected);
}

#[test]
fn older_releases_of_oc_have_other_words() {
    let args = "--include-not-recommended";
    let shown = oc_of(ClientLevel::of_minor(4, 15), args).stdout;
    assert!(shown.contains("\nSupported but not recommended updates:\n"), "{shown}");
    assert!(shown.contains("\n  Recommended: False\n  Reason: Slow\n"), "{shown}");
    assert_eq!(oc_of(ClientLevel::of_minor(4, 17), args), oc(args));

    let unknown = oc_of(ClientLevel::of_minor(4, 17), "recommend").stderr;
    assert!(unknown.starts_with("error: unknown command \"recommend\"\n"), "{unknown}");
    let unknown = oc_of(ClientLevel::of_minor(4, 19), "recommend --accept=A").stderr;
    assert!(unknown.starts_with("error: unknown flag: --accept\n"), "{unknown}");
    let shown = oc_of(ClientLevel::of_minor(4, 19), "recommend").stdout;
    assert!(shown.starts_with("Upstream update service is unset"), "no word about alerts: {shown}");
}

#[test]
fn recommend_shows_the_newest_of_each_minor_version() {
    let shown = oc("recommend").stdout;
    let (_, updates) = shown.split_once("available channels: fast-4.16, stable-4.16)\n").unwrap();
    let expected = "
Updates to 4.17:
  VERSION     ISSUES
  4.17.0-rc.1 no known issues relevant to this cluster

Updates to 4.16:

  Version: 4.16.10
  Image: registry.example.com/release@sha256:7
  Reason: Slow
  Message: It is slow.
  See the page.

  VERSION     ISSUES
  4.16.2      no known issues relevant to this cluster
";
    assert_eq!(updates, expected);
}

#[test]
fn recommend_exits_with_1_if_an_issue_is_not_accepted() {
    let refused = oc("recommend --version 4.16.10 --quiet");
    assert_eq!(refused.exit, 1);
    assert_eq!(refused.stdout, "");
    let words = "error: issues that apply to this cluster but which were not included in --accept: \
                 ConditionalUpdateRisk\n";
    assert_eq!(refused.stderr, words);
    let accepted = oc("recommend --version=4.16.10 --accept Other,ConditionalUpdateRisk");
    assert_eq!(accepted.exit, 0);
    let reason = "\nReason: accepted Slow via ConditionalUpdateRisk\n";
    assert!(accepted.stdout.contains(reason), "{}", accepted.stdout);
}

#[test]
fn a_request_sends_a_patch() {
    let requested = oc("--to=4.16.2");
    assert_eq!(requested.stdout, "Requested update to 4.16.2\n");
    let image = "registry.example.com/release@sha256:6";
    let update = json!({ "architecture": "", "version": "4.16.2", "image": image, "force": false });
    assert_eq!(requested.patches, [json!({ "spec": { "desiredUpdate": update } })]);

    let refused = oc("--to=4.16.10");
    assert_eq!((refused.exit, refused.patches.len()), (1, 0));
    let words = "error: the update 4.16.10 is not one of the recommended updates, but is available";
    assert!(refused.stderr.starts_with(words), "{}", refused.stderr);
}

#[test]
fn channels_and_accepted_risks_are_patched_too() {
    let channel = oc("channel fast-4.16");
    assert_eq!((channel.stdout.as_str(), channel.stderr.as_str()), ("", ""));
    assert_eq!(channel.patches, [json!({ "spec": { "channel": "fast-4.16" } })]);

    let accepted = oc("accept B,A,C-");
    assert_eq!(accepted.stdout, "info: Accept risks are [A, B]\n");
    let risks = json!([{ "name": "A" }, { "name": "B" }]);
    assert_eq!(
        accepted.patches,
        [json!({ "spec": { "desiredUpdate": { "acceptRisks": risks } } })]
    );
}

/// The words after `error: ` of arguments that are refused before the cluster is asked.
fn refused(args: &str) -> String {
    let output = oc(args);
    assert!(!output.reads_cluster && output.exit == 1, "{args}: {output:?}");
    let first = output.stderr.lines().next().unwrap();
    first.strip_prefix("error: ").unwrap().to_owned()
}

#[test]
fn flags_are_those_of_go() {
    let refusals = [
        ("--to", "flag needs an argument: --to"),
        ("--force channel", "unknown flag: --force"),
        ("--=x", "bad flag syntax: --=x"),
        ("-vh", "unknown shorthand flag: 'v' in -vh"),
        ("-- --force", "unknown command \"--force\""),
        ("--clear=1 --to-latest", "--clear may not be specified with any other flags"),
        (
            "-h=x",
            "invalid argument \"x\" for \"-h, --help\" flag: strconv.ParseBool: parsing \"x\": \
             invalid syntax",
        ),
        (
            "recommend --accept=a\"b",
            "invalid argument \"a\\\"b\" for \"--accept\" flag: parse error on line 1, column 2: \
             bare \" in non-quoted field",
        ),
        (
            "recommend --accept=\"a\"b",
            "invalid argument \"\\\"a\\\"b\" for \"--accept\" flag: parse error on line 1, column \
             3: extraneous or missing \" in quoted-field",
        ),
        ("--help", "exitpath does not have the help of `oc adm upgrade`"),
        ("recommend -h", "exitpath does not have the help of `oc adm upgrade recommend`"),
    ];
    for (args, words) in refusals {
        assert_eq!(refused(args), words, "{args}");
    }
    let accepts = "recommend --version 4.16.10 --accept \"Other,too\",ConditionalUpdateRisk";
    assert_eq!(oc(accepts).exit, 0);
    assert_eq!(oc("--to-latest=false --").stdout, oc("").stdout);
}

#[test]
fn pull_specs_are_those_of_docker() {
    let digest = "0123456789abcdef".repeat(4);
    let place = "registry.example.com:5000/x/y";
    let tagged = "--to-image must be a by-digest pull spec, unless --force is also set, because \
                  release images that are not accessed via digest cannot be verified by the \
                  cluster.  Even when --force is set, using tags is not recommended, although we \
                  continue to allow it for backwards compatibility";
    let invalid = |why: &str| format!("--to-image must be a valid image pull spec: {why}");
    let refusals = [
        (format!("{place}:tag"), tagged.to_owned()),
        (format!("{place}:tag@sha256:{digest}"), tagged.to_owned()),
        (place.to_owned(), invalid("no tag or digest specified")),
        ("release:4.16.2".to_owned(), invalid("no registry or repository specified")),
        (format!("{place}@sha256:0123"), invalid("invalid reference format")),
        (format!("{place}@sha256:{}", &digest[1..]), invalid("invalid checksum digest length")),
        (format!("{place}@md5:{digest}"), invalid("unsupported digest algorithm")),
        (format!("{place}/Z@sha256:{digest}"), invalid("repository name must be lowercase")),
        (
            format!("{}@sha256:{digest}", "x/".repeat(127) + "yz"),
            invalid("repository name must not be more than 255 characters"),
        ),
    ];
    for (image, words) in refusals {
        assert_eq!(refused(&format!("--to-image={image}")), words, "{image}");
    }
    let unknown = oc(&format!("--to-image={place}@sha256:{digest}"));
    assert!(unknown.reads_cluster, "{unknown:?}");
}

#[test]
fn alerts_can_be_unknown_or_left_to_the_operator() {
    let cluster = cluster_version();
    let recommend = |alerts| {
        let (switches, level) = (Switches::default(), ClientLevel::default());
        let cluster_version = Some(&cluster);
        run(
            &["adm", "upgrade", "recommend", "--version=4.16.2"],
            &Situation { cluster_version, alerts, inside: Inside::default(), switches, level },
        )
    };
    let unavailable = recommend(Alerts::Unavailable);
    let words = "Failed to check for at least some preconditions: failed to get alerts from Thanos";
    assert!(unavailable.stdout.starts_with(words), "{}", unavailable.stdout);
    assert!(unavailable.stderr.ends_with(": FailedToCompletePrecheck\n"), "{}", unavailable.stderr);
    let left = recommend(Alerts::LeftToOperator);
    assert!(left.stdout.starts_with("Upstream update service"), "{}", left.stdout);
    let labels = [("alertname", "EtcdDown"), ("severity", "critical")];
    let labels = labels.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let alert = Alert { labels, state: "firing".into(), ..Alert::default() };
    let firing = recommend(Alerts::Of(&[alert]));
    assert!(firing.stdout.contains("\n  Reason: Alert:firing\n"), "{}", firing.stdout);
    assert!(firing.stderr.ends_with(": EtcdDown\n"), "{}", firing.stderr);
}

#[test]
fn odd_arguments_are_refused_or_ignored() {
    let cluster = cluster_version();
    let situation = Situation {
        cluster_version: Some(&cluster),
        alerts: Alerts::Of(&[]),
        inside: Inside::default(),
        switches: Switches::ALL,
        level: ClientLevel::default(),
    };
    let odd =
        ["", "-", "--", "-é", "--é=", "é", "\"", "\"\"é", "a\r\n\"b", "\r", "--to", "-h\u{1}"];
    let commands: [&[&str]; 5] =
        [&[], &["accept"], &["channel"], &["recommend", "--accept"], &["--to-image"]];
    for command in commands {
        for (first, second) in odd.iter().flat_map(|one| odd.iter().map(move |two| (one, two))) {
            let args = ["adm", "upgrade"].iter().chain(command).chain([first, second]);
            let output = run(&args.collect::<Vec<_>>(), &situation);
            assert_eq!(output.exit == 1, output.stderr.contains("error: "), "{output:?}");
        }
    }
}
