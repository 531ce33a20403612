//! `exitpath cluster`: what one cluster is offered, and why.

mod object;
mod offered;
mod request;
mod timeline;
mod update_status;

use std::io::Write;

use object::Described;
use offered::{AskedUpdates, Offered};

use crate::cluster::object::{Alert, ClusterVersion};
use crate::cluster::{
    InCluster, Level, MinorOutlook, Outcome, ServiceAnswer, Settings, first_look,
};
use crate::domain::{Arch, Format, Minor, Named, version};
use crate::metrics::Source;
use crate::oc;
use crate::promql::Dialect;
use crate::report::{ClusterReport, Style, write_json};
use crate::session::Note;
use crate::text::{Failure, printable_lines};

use super::cluster_args::{ClusterArgs, View};
use super::common_args::CommonArgs;
use super::{Status, Stop, print};

/// The most bytes of alerts and risks, if each update has its own copy of them. Kubernetes stores
/// objects of about a hundredth of this size at most.
const LARGEST_STATUS: usize = 128 << 20;

/// What is known of a cluster after its operator looked.
struct SeenCluster<'s> {
    cluster: &'s ClusterVersion,
    inside: &'s InCluster,
    forward: &'s [MinorOutlook],
}

impl SeenCluster<'_> {
    fn running(&self) -> &str {
        &self.cluster.status.desired.version
    }
}

pub(super) fn run(
    args: &ClusterArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    refuse_ignored(args)?;
    let arch = args.arch.unwrap_or_default();
    let described = Described::by(args)?;
    if let Some(status) = update_status::run(args, common, &described, out, err)? {
        return Ok(status);
    }
    let (source, notes) = source(args)?;
    print::notes(&notes, common, err)?;
    let Described { mut cluster, inside, objects: _, alerts, is_real, notes } = described;
    print::notes(&notes, common, err)?;
    let running = cluster.status.desired.version.clone();
    let channel = args.channel.as_deref().unwrap_or(&cluster.spec.channel).to_owned();
    let asked = AskedUpdates { version: &running, channel: &channel, is_real, arch };
    let offered = Offered::read(args, asked, common, err)?;
    cluster.spec.channel.clone_from(&offered.channel);
    if cluster.status.desired.image.is_empty() {
        offered.answer.image_of(&running).clone_into(&mut cluster.status.desired.image);
    }
    refuse_if_too_large(&offered.answer, &running, alerts.as_deref().unwrap_or_default())?;
    let minor = operator_minor(args, &running)?;
    let level = Level::of(minor);
    if !args.accept.is_empty() && !level.can_accept_risks() {
        let text = format!("the operator of {minor} does not know accepted risks; 4.22 does");
        print::notes(&[Note::new(&text, true)], common, err)?;
    }
    let settings = settings(level, &cluster, arch);
    if args.timeline {
        let subject =
            timeline::Subject { settings, cluster: &cluster, inside: &inside, source: &source };
        return timeline::print(args, subject, &offered.answer, arch, style, out);
    }
    let look = |answer| first_look(settings.clone(), &cluster, answer, &inside, &source);
    let before = match &args.base {
        Some(base) => Some(look(Offered::before(args, base, &offered.channel, arch)?.answer)?),
        None => None,
    };
    let outcome = look(offered.answer.clone())?;
    log(&outcome, common, err)?;
    let written = outcome.stored.written_to(&cluster);
    let forward = MinorOutlook::all(&offered.answer, &running, &outcome.stored);
    if !request::arguments(args).is_empty() {
        let alerts = match alerts.as_deref() {
            _ if settings.accepts_risks => oc::Alerts::LeftToOperator,
            alerts => oc::Alerts::Of(alerts.unwrap_or_default()),
        };
        let situation = situation(&written, alerts, client(args, minor));
        let seen = SeenCluster { cluster: &written, inside: &inside, forward: &forward };
        return request::print(args, &situation, &seen, level, out, err);
    }
    if args.view == View::Status {
        write_status(&outcome, args.format, out)?;
        return Ok(Status::Clean);
    }
    let report = ClusterReport {
        cluster: &written,
        outcome: &outcome,
        before: before.as_ref(),
        inside: &inside,
        forward: &forward,
        has_series: args.metrics.is_given(),
        not_loaded: &offered.not_loaded,
        now: source.time(),
        arch,
        minor,
    };
    match args.format {
        Some(Format::Json) => report.write_json(out)?,
        _ => report.write(style, out)?,
    }
    Ok(Status::Clean)
}

/// Fails if a flag has no effect.
fn refuse_ignored(args: &ClusterArgs) -> Result<(), Failure> {
    let is_oc = !request::arguments(args).is_empty();
    let refuse = |flag: &str, why: &str| Err(Failure::new(format!("`{flag}` has no effect {why}")));
    match (args.view, args.format) {
        (_, Some(_)) if is_oc => return refuse("--format", "on what `oc` prints"),
        (View::Summary, Some(Format::Yaml)) => {
            let failure = Failure::new("the summary is not printed as YAML");
            return Err(failure.hint("use `--format json`, or `--as status --format yaml`"));
        }
        (_, Some(Format::Svg)) if !args.timeline => {
            let failure = Failure::new("only a timeline is drawn as SVG");
            return Err(failure.hint("add `--timeline`"));
        }
        (View::Status, Some(Format::Human)) => {
            return Err(Failure::new("`--as status` prints JSON or YAML"));
        }
        _ => {}
    }
    if args.include_not_recommended && (args.view != View::OcAdmUpgrade || !args.oc.is_empty()) {
        return refuse("--include-not-recommended", "without `--as oc-adm-upgrade`");
    }
    if args.show_outdated_releases && args.view != View::OcAdmUpgradeRecommend {
        return refuse("--show-outdated-releases", "without `--as oc-adm-upgrade-recommend`");
    }
    Ok(())
}

/// Prints what the operator stores.
fn write_status(
    outcome: &Outcome,
    format: Option<Format>,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    let status = outcome.stored.to_json();
    if format == Some(Format::Yaml) {
        let yaml = serde_yaml::to_string(&status);
        let yaml = yaml.map_err(|error| Failure::new(error.to_string()))?;
        write!(out, "{}", printable_lines(&yaml))?;
    } else {
        write_json(&status, out)?;
    }
    Ok(())
}

/// The settings of the cluster's operator.
fn settings(level: Level, cluster: &ClusterVersion, arch: Arch) -> Settings {
    let accepts = cluster.spec.desired_update.iter().any(|one| !one.accept_risks.is_empty());
    Settings {
        accepts_risks: level.can_accept_risks() && accepts,
        shows_architecture: arch == Arch::Multi,
        architecture: arch.name(),
        ..Settings::of(level)
    }
}

/// The series of the cluster. Without any, no query has an answer.
fn source(args: &ClusterArgs) -> Result<(Source, Vec<Note>), Failure> {
    if args.metrics.is_given() {
        return args.metrics.source();
    }
    let text = "no series are given, so no query has an answer: name a sample cluster (`--sample \
                aws`), a file (`--metrics FILE`), or a server (`--url URL`)";
    let note = Note { text: text.into(), is_important: true };
    Ok((Source::Series(args.metrics.no_series(), Dialect::Three), vec![note]))
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
fn refuse_if_too_large(
    answer: &ServiceAnswer,
    version: &str,
    alerts: &[Alert],
) -> Result<(), Failure> {
    let texts =
        alerts.iter().flat_map(|alert| alert.labels.values().chain(alert.annotations.values()));
    let of_alerts = texts.map(String::len).sum::<usize>().saturating_mul(answer.nodes.len());
    if answer.unfolded_size(version).saturating_add(of_alerts) > LARGEST_STATUS {
        let most = LARGEST_STATUS >> 20;
        let why = format!("the risks of all updates together have more than {most} MiB");
        return Err(Failure::new(format!("the answer is too large for a cluster: {why}")));
    }
    Ok(())
}

/// What `oc` finds in the cluster.
fn situation<'a>(
    cluster: &'a ClusterVersion,
    alerts: oc::Alerts<'a>,
    level: oc::ClientLevel,
) -> oc::Situation<'a> {
    let (inside, switches) = (oc::Inside::default(), oc::Switches::ALL);
    oc::Situation { cluster_version: Some(cluster), alerts, inside, switches, level }
}

/// The level of `oc`: that of the cluster, or else the oldest one that has the view.
fn client(args: &ClusterArgs, minor: Minor) -> oc::ClientLevel {
    let level = oc::ClientLevel::of_minor(minor.major, minor.minor);
    let needs_newer = args.view == View::OcAdmUpgradeRecommend && args.operator.is_none();
    if needs_newer { level.max(oc::ClientLevel::From4_20) } else { level }
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
