//! A request for an update: what `oc` says, whether the operator takes it, and what would help.

use std::io::Write;

use crate::cluster::object::{ClusterVersion, Release};
use crate::cluster::{Acceptance, ForwardState, Level, MinorOutlook};
use crate::domain::{Minor, version};
use crate::oc;
use crate::report::write_remedy;
use crate::text::{printable, printable_lines};

use super::super::cluster_args::{ClusterArgs, View};
use super::super::{Status, Stop};
use super::SeenCluster;

/// The arguments of `oc` that the flags mean. Empty for our own views.
pub(super) fn arguments(args: &ClusterArgs) -> Vec<String> {
    if !args.oc.is_empty() {
        return args.oc.clone();
    }
    let mut all = vec!["adm".to_owned(), "upgrade".to_owned()];
    let mut add_if = |is_given: bool, flag: &str| {
        if is_given {
            all.push(flag.to_owned());
        }
    };
    if is_request(args) {
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

pub(super) fn is_request(args: &ClusterArgs) -> bool {
    args.to.is_some() || args.to_latest
}

/// Prints what `oc` prints, and for a request what the operator makes of it.
pub(super) fn print(
    args: &ClusterArgs,
    situation: &oc::Situation<'_>,
    seen: &SeenCluster<'_>,
    level: Level,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let output = oc::run(&arguments(args), situation);
    write!(out, "{}", printable_lines(&output.stdout))?;
    write!(err, "{}", printable_lines(&output.stderr))?;
    if !is_request(args) {
        return Ok(Status::failed_if(output.exit != 0));
    }
    let mut is_taken = output.exit == 0;
    for patch in &output.patches {
        let update = &patch["spec"]["desiredUpdate"];
        let text = |key: &str| update[key].as_str().unwrap_or_default().to_owned();
        let (version, image) = (text("version"), text("image"));
        if !version.is_empty() {
            let target = Release { version, image, ..Release::default() };
            is_taken &= operator(seen.cluster, &target, args.force, level, seen, out)?;
        }
    }
    if output.exit != 0
        && let Some(to) = &args.to
    {
        writeln!(out, "\n`oc` refuses the update: the operator is not asked.")?;
        if let Some(help) = help(seen, to) {
            writeln!(out, "{}", printable(&help))?;
        }
    }
    Ok(Status::failed_if(!is_taken))
}

/// Prints whether the operator takes an update.
fn operator(
    cluster: &ClusterVersion,
    target: &Release,
    is_forced: bool,
    level: Level,
    seen: &SeenCluster<'_>,
    out: &mut dyn Write,
) -> Result<bool, Stop> {
    let verdict = Acceptance::of(cluster, target, is_forced, level);
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
    if !verdict.is_accepted {
        let refused = seen.forward.iter().find_map(|forward| forward.refusal.as_ref());
        match refused.filter(|condition| verdict.message.contains(&condition.message)) {
            Some(condition) => write_remedy(condition, seen.inside, out)?,
            None => {
                if let Some(help) = help(seen, &target.version) {
                    writeln!(out, "{}", printable(&help))?;
                }
            }
        }
    }
    Ok(verdict.is_accepted)
}

/// What would help a request for a version.
fn help(seen: &SeenCluster<'_>, to: &str) -> Option<String> {
    let (running, wanted) = (version::parse(seen.running())?, version::parse(to)?);
    let (own, minor) = (Minor::of(&running), Minor::of(&wanted));
    if wanted < running {
        return Some(format!(
            "{to} is older than {running}: clusters only go on to newer releases."
        ));
    }
    let channel = &seen.cluster.spec.channel;
    let status = &seen.cluster.status;
    if status.conditional_updates.iter().any(|update| update.release.version == to) {
        let flag = "`--allow-not-recommended` requests it all the same: the operator takes updates \
                    that are not recommended, and records the risks in the history.";
        return Some(flag.to_owned());
    }
    let forward = seen.forward.iter().find(|forward| forward.minor == minor);
    match forward.map(|forward| &forward.state) {
        Some(ForwardState::NotInChannel { others }) if !others.is_empty() => {
            Some(format!("{channel} has no {minor}: {running} is also in {}.", others.join(", ")))
        }
        Some(ForwardState::NoUpdate { after: Some(after), .. }) => {
            Some(format!("Update to {after} first, which has updates to {minor}."))
        }
        _ if minor > own && forward.is_none() => {
            let next = seen.forward.iter().find(|forward: &&MinorOutlook| !forward.is_own)?.minor;
            Some(format!("Update to {next} first: the operator goes on by one minor version."))
        }
        _ => Some(format!("No update leads from {running} to {to} in {channel}.")),
    }
}
