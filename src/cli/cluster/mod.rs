//! `exitpath cluster`: what one cluster is offered, and why.

mod files;
mod offered;

use std::io::Write;

use crate::cluster::object::{
    AcceptedRisk, Alert, ClusterVersion, Condition, DesiredUpdate, HistoryEntry, Release,
};
use crate::cluster::{Acceptance, InCluster, Level, Operator, Outcome, Response, Settings, World};
use crate::domain::{Arch, Minor, Named, version};
use crate::metrics::{QueryError, Series, Source};
use crate::oc;
use crate::promql::Dialect;
use crate::report::{ClusterReport, Style};
use crate::session::{Failure, Note};
use crate::text::{printable_json, printable_lines};

use super::args::CommonArgs;
use super::cluster_args::{ClusterArgs, StatusFormat, View};
use super::{Status, Stop, print};
use offered::Offered;

/// More risks are not unfolded. Kubernetes stores a hundredth of it.
const LARGEST_STATUS: usize = 128 << 20;

/// The id of a cluster that was not given one.
const CLUSTER_ID: &str = "00000000-0000-4000-8000-000000000000";

pub(super) fn run(
    args: &ClusterArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let arch = args.arch.unwrap_or_default();
    let (source, notes) = source(args)?;
    print::notes(&notes, common, err)?;
    let mut cluster = cluster(args)?;
    let channel = args
        .channel
        .clone()
        .or_else(|| Some(cluster.spec.channel.clone()).filter(|channel| !channel.is_empty()));
    let running = cluster.status.desired.version.clone();
    let offered = Offered::read(args, &running, channel.as_deref(), arch, common, err)?;
    cluster.spec.channel.clone_from(&offered.channel);
    if cluster.status.desired.image.is_empty() {
        offered.answer.image_of(&running).clone_into(&mut cluster.status.desired.image);
    }
    let alerts = match &args.alerts {
        Some(file) => Some(files::alerts(file)?),
        None => None,
    };
    refuse_if_too_large(&offered, &running, alerts.as_deref().unwrap_or_default())?;
    let minor = operator_minor(args, &running)?;
    let inside = InCluster { alerts: alerts.clone().unwrap_or_default(), ..InCluster::default() };
    let level = Level::of(minor);
    if !args.accept.is_empty() && !level.can_accept_risks() {
        let text = format!("the operator of {minor} does not know accepted risks; 4.22 does");
        print::notes(&[Note { text, is_important: true }], common, err)?;
    }
    let settings = Settings {
        accepts_risks: level.can_accept_risks() && !accepted(&cluster).is_empty(),
        shows_architecture: arch == Arch::Multi,
        architecture: arch.name(),
        ..Settings::of(level)
    };
    let has_own_risks = settings.accepts_risks;
    let before = match &args.base {
        Some(base) => {
            let offered = Offered::before(args, base, &offered.channel, arch)?;
            Some(synced(settings.clone(), &cluster, offered, &inside, &source)?)
        }
        None => None,
    };
    let outcome = synced(settings, &cluster, offered, &inside, &source)?;
    log(&outcome, common, err)?;
    let written = outcome.stored.written_to(&cluster);
    let situation = oc::Situation {
        cluster_version: Some(&written),
        alerts: match &alerts {
            _ if has_own_risks => oc::Alerts::LeftToOperator,
            Some(alerts) => oc::Alerts::Of(alerts),
            None => oc::Alerts::Of(&[]),
        },
        switches: oc::Switches { accept_risks: true, rollback: true, recommend: true },
        level: client(args, minor),
    };
    let arguments = oc_arguments(args);
    if !arguments.is_empty() {
        return printed(&arguments, &situation, args, level, out, err);
    }
    if args.view == View::Status {
        write_status(&outcome, args.format, out)?;
    } else {
        let (cluster, outcome, before) = (&written, &outcome, before.as_ref());
        ClusterReport { cluster, outcome, before, arch, minor }.write(style, out)?;
    }
    Ok(Status::Clean)
}

/// Prints what the operator stores.
fn write_status(
    outcome: &Outcome,
    format: Option<StatusFormat>,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    let status = outcome.stored.to_json();
    if format == Some(StatusFormat::Yaml) {
        let yaml = serde_yaml::to_string(&status);
        let yaml = yaml.map_err(|error| Failure::new(error.to_string()))?;
        write!(out, "{}", printable_lines(&yaml))?;
    } else {
        let json = serde_json::to_string_pretty(&status);
        let json = json.map_err(|error| Failure::new(error.to_string()))?;
        writeln!(out, "{}", printable_json(&json))?;
    }
    Ok(())
}

/// The series of the cluster. Without any, no query has an answer.
fn source(args: &ClusterArgs) -> Result<(Source, Vec<Note>), Failure> {
    if args.metrics.is_given() {
        return args.metrics.source();
    }
    let text = "no series are given, so no query has an answer: name a sample cluster (`--sample \
                aws`), a file (`--metrics FILE`), or a server (`--url URL`)";
    let note = Note { text: text.into(), is_important: true };
    Ok((Source::Series(Series::default(), Dialect::Three), vec![note]))
}

/// The object: what the file has, or that of a healthy cluster.
fn cluster(args: &ClusterArgs) -> Result<ClusterVersion, Failure> {
    let mut cluster = match (&args.clusterversion, &args.version) {
        (Some(file), _) => files::cluster_version(file)?,
        (None, version) => healthy(version.as_deref().unwrap_or_default()),
    };
    if cluster.spec.cluster_id.is_empty() {
        CLUSTER_ID.clone_into(&mut cluster.spec.cluster_id);
    }
    // The flags say what the service answers, so its address does not matter.
    cluster.spec.upstream.clear();
    if !args.accept.is_empty() {
        let update = cluster.spec.desired_update.get_or_insert_with(|| DesiredUpdate {
            version: cluster.status.desired.version.clone(),
            ..DesiredUpdate::default()
        });
        let names = args.accept.iter().map(|name| AcceptedRisk { name: name.clone() });
        update.accept_risks.extend(names);
    }
    Ok(cluster)
}

/// A cluster that runs a version, and whose conditions are all good.
fn healthy(version: &str) -> ClusterVersion {
    let condition =
        |kind: &str, status: &str, message: &str| Condition::new(kind, status, "", message);
    let mut cluster = ClusterVersion::default();
    version.clone_into(&mut cluster.status.desired.version);
    cluster.status.conditions = vec![
        condition("Available", "True", &format!("Done applying {version}")),
        condition("Failing", "False", ""),
        condition("Progressing", "False", &format!("Cluster version is {version}")),
        condition("ReleaseAccepted", "True", ""),
    ];
    cluster.status.history = vec![HistoryEntry {
        state: "Completed".into(),
        version: version.into(),
        ..HistoryEntry::default()
    }];
    cluster
}

fn accepted(cluster: &ClusterVersion) -> &[AcceptedRisk] {
    cluster.spec.desired_update.as_ref().map_or(&[], |update| &update.accept_risks)
}

fn operator_minor(args: &ClusterArgs, running: &str) -> Result<Minor, Failure> {
    let of_cluster = || version::parse(running).map(|version| Minor::of(&version));
    args.operator.or_else(of_cluster).ok_or_else(|| {
        let why = version::fault(running).unwrap_or_default();
        let failure = Failure::new(format!("`{running}` is not a version: {why}"));
        failure.hint("name the version of the operator with `--operator 4.18`")
    })
}

/// The object repeats risks for each update: a small answer can make a huge object.
fn refuse_if_too_large(offered: &Offered, version: &str, alerts: &[Alert]) -> Result<(), Failure> {
    let texts =
        alerts.iter().flat_map(|alert| alert.labels.values().chain(alert.annotations.values()));
    let of_alerts =
        texts.map(String::len).sum::<usize>().saturating_mul(offered.answer.nodes.len());
    if offered.answer.unfolded_size(version).saturating_add(of_alerts) > LARGEST_STATUS {
        let most = LARGEST_STATUS >> 20;
        let why = format!("the risks of all updates together have more than {most} MiB");
        return Err(Failure::new(format!("the answer is too large for a cluster: {why}")));
    }
    Ok(())
}

/// The level of `oc`: that of the cluster, or else the oldest one that has the view.
fn client(args: &ClusterArgs, minor: Minor) -> oc::Level {
    let level = oc::Level::of_minor(minor.major, minor.minor);
    let needs_newer = args.view == View::OcAdmUpgradeRecommend && args.operator.is_none();
    if needs_newer { level.max(oc::Level::From4_20) } else { level }
}

fn synced(
    settings: Settings,
    cluster: &ClusterVersion,
    offered: Offered,
    inside: &InCluster,
    source: &Source,
) -> Result<Outcome, Failure> {
    let mut answer = Some(offered.answer);
    let mut world = World {
        now: source.time(),
        running: &cluster.status.desired,
        cluster,
        inside,
        service: &mut |_| Response::Read(answer.take().unwrap_or_default()),
        ask: &mut |query, _| source.ask(query),
    };
    Operator::new(settings).sync(&mut world).map_err(|error| match error {
        QueryError::NoAnswer(why) => Failure::new(why),
        other => Failure::new(format!("a query cannot be evaluated: {}", other.words())),
    })
}

/// What the operator writes to its log, and what Kubernetes refuses.
fn log(outcome: &Outcome, common: &CommonArgs, err: &mut dyn Write) -> Result<(), Stop> {
    let refusals = outcome.stored.refusals();
    let refusals = refusals.iter().map(|why| format!("Kubernetes refuses the object: {why}"));
    let lines = outcome.log.lines().iter().map(|line| format!("the operator: {}", line.text));
    let note =
        |text: String| Note { text: printable_lines(&text).into_owned(), is_important: true };
    let notes: Vec<Note> = lines.chain(refusals).map(note).collect();
    Ok(print::notes(&notes, common, err)?)
}

/// The arguments of `oc` that the flags mean. Empty for our own views.
fn oc_arguments(args: &ClusterArgs) -> Vec<String> {
    if !args.oc.is_empty() {
        return args.oc.clone();
    }
    let mut all = vec!["adm".to_owned(), "upgrade".to_owned()];
    let mut add_if = |is_given: bool, flag: &str| {
        if is_given {
            all.push(flag.to_owned());
        }
    };
    if args.to.is_some() || args.to_latest {
        let to = args.to.as_ref().map(|version| format!("--to={version}"));
        add_if(true, to.as_deref().unwrap_or("--to-latest"));
        add_if(args.allow_not_recommended, "--allow-not-recommended");
        add_if(args.force, "--force");
        return all;
    }
    match args.view {
        View::Summary | View::Status => return Vec::new(),
        View::OcAdmUpgrade => add_if(args.include_not_recommended, "--include-not-recommended"),
        View::OcAdmUpgradeRecommend => {
            add_if(true, "recommend");
            add_if(args.show_outdated_releases, "--show-outdated-releases");
        }
    }
    all
}

/// Prints what `oc` prints, and what the operator makes of what it requests.
fn printed(
    arguments: &[String],
    situation: &oc::Situation<'_>,
    args: &ClusterArgs,
    level: Level,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let output = oc::run(arguments, situation);
    write!(out, "{}", printable_lines(&output.stdout))?;
    write!(err, "{}", printable_lines(&output.stderr))?;
    let cluster = situation.cluster_version;
    for patch in &output.patches {
        let update = &patch["spec"]["desiredUpdate"];
        let text = |key: &str| update[key].as_str().unwrap_or_default().to_owned();
        let (version, image) = (text("version"), text("image"));
        let Some(cluster) = cluster.filter(|_| !version.is_empty() && args.oc.is_empty()) else {
            continue;
        };
        let target = Release { version, image, ..Release::default() };
        let verdict = Acceptance::of(cluster, &target, args.force, level);
        let what = if verdict.is_accepted {
            "\nThe operator takes the update."
        } else {
            "\nThe operator does not take the update."
        };
        writeln!(out, "{what}")?;
        if !verdict.message.is_empty() {
            let head = if verdict.is_accepted { "It records in the history: " } else { "" };
            writeln!(out, "{head}{}", printable_lines(&verdict.message))?;
        }
    }
    Ok(Status::failed_if(output.exit != 0))
}
