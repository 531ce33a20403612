//! The files for a phase of a minor version: it opens, it becomes generally available, and its
//! maintenance ends.

use crate::domain::{Minor, Version};
use crate::edit::{KeyLines, scalar};
use crate::graph_data::{Channel, DataFile, FileKind, GraphData};
use crate::origins::Spec;
use crate::text::Failure;

use super::extend::{Extension, extend};
use super::new_values::NewValues;
use super::plan::{Plan, PlannedFile};
use super::promote::with_members;
use super::risk_files::only_for_people;

/// The risk of all pre-releases.
const PRE_RELEASE: &str = "PreRelease";

/// The candidate channel of a new minor, and the ranges for its builds.
pub(crate) fn open_minor(data: &GraphData, minor: Minor) -> Result<Plan, Failure> {
    let before = minor_before(data, minor)?;
    let ranges = format!(
        "default:\n  minor_min: {before}.0-rc.0\n  minor_max: {before}.9999\n  minor_block_list: []\n  z_min: {minor}.0-ec.0\n  z_max: {minor}.9999\n  z_block_list: []\n"
    );
    let channel = new_channel("candidate", "candidate", minor, &[before, minor], &[]);
    let files = vec![
        created(data, format!("build-suggestions/{minor}.yaml"), ranges)?,
        created(data, format!("channels/candidate-{minor}.yaml"), channel)?,
    ];
    Ok(Plan::new(files, format!("channels/candidate-{minor}: Open {minor}")))
}

/// The channels of a minor that becomes generally available. Its pre-releases get the risk of
/// pre-releases, with the first release as its fix: without one, the bot promotes no release.
pub(crate) fn make_generally_available(data: &GraphData, minor: Minor) -> Result<Plan, Failure> {
    let before = minor_before(data, minor)?;
    if data.at_path(&format!("channels/candidate-{minor}.yaml")).is_none() {
        let failure = Failure::new(format!("{minor} is not open: it has no candidate channel"));
        return Err(failure.hint(format!("`exitpath release open {minor}` makes one")));
    }
    let fast = internal(data, "fast")?;
    let stable = internal(data, "stable")?;
    let is_of_minor = |version: &Version| Minor::of(version) == minor;
    let members = fast.versions.iter().filter(|one| one.version.as_ref().is_some_and(is_of_minor));
    let members: Vec<&str> = members.map(|one| one.text.value.as_str()).collect();
    let mut channels =
        vec![("fast", "fast", vec![before, minor]), ("stable", "stable", vec![minor])];
    if minor.minor.is_multiple_of(2) {
        channels.push(("eus", "stable", vec![minor]));
    }
    let mut files = Vec::new();
    for (phase, feeder, minors) in channels {
        let text = new_channel(phase, feeder, minor, &minors, &members);
        files.push(created(data, format!("channels/{phase}-{minor}.yaml"), text)?);
    }
    let new: Vec<&str> = members.iter().copied().filter(|one| !has(stable, one)).collect();
    if !new.is_empty() {
        let (path, text) = (data.path(stable.file), data.sources.get(stable.file).text());
        files.push(PlannedFile::changed(path, text, with_members(path, text, stable, &new)?));
    }
    let mut notes = Vec::new();
    match risk_of_pre_releases(data, minor) {
        Ok(plan) => files.extend(plan.files),
        Err(failure) => notes.push(failure.words().0.to_owned()),
    }
    Ok(Plan::new(files, format!("channels: Release {minor}")).noting(notes))
}

/// Declares the risk of pre-releases on each pre-release of a minor that clusters can get.
fn risk_of_pre_releases(data: &GraphData, minor: Minor) -> Result<Plan, Failure> {
    let name = format!("candidate-{minor}");
    let candidate = data.channels.iter().find(|channel| channel.public && channel.name() == name);
    let members = candidate.iter().flat_map(|channel| &channel.releases);
    let releases = members.map(|id| &data.releases.get(*id).version);
    let own: Vec<&Version> =
        releases.filter(|one| Minor::of(one) == minor && !one.pre.is_empty()).collect();
    if own.is_empty() {
        let what = format!(
            "`{name}` has no pre-release of {minor}, so `{PRE_RELEASE}` is not declared for any"
        );
        return Err(Failure::new(what));
    }
    let targets: Vec<Spec> =
        own.iter().map(|one| Spec::between((*one).clone(), (*one).clone())).collect();
    let fix = [Version::new(minor.major, minor.minor, 0)];
    let extension = Extension {
        targets: &targets,
        pre_releases: true,
        like: None,
        values: NewValues { from: Some(".*"), ..NewValues::default() },
        fixed_in: &fix,
        reopens: false,
    };
    extend(data, PRE_RELEASE, &extension)
}

/// Ends the promotions to the stable channel of a minor, and those of the minor to later ones.
pub(crate) fn end_minor(data: &GraphData, minor: Minor) -> Result<Plan, Failure> {
    let later: Vec<Minor> = data.releases.minors().into_iter().filter(|one| *one > minor).collect();
    let own = edited(data, &format!("channels/stable-{minor}.yaml"), |file, mut lines| {
        if !lines.has("feeder") {
            let path = data.path(file.id);
            return Err(Failure::new(format!("{minor} has ended already: {path} has no feeder")));
        }
        lines.remove("feeder");
        Ok(lines.edited())
    })?;
    let mut files = vec![own];
    // The channel of extended support after an even minor also gets the minor between.
    let reach = if minor.minor.is_multiple_of(2) { 2 } else { 1 };
    for nth in 1..=reach.min(later.len()) {
        let minors = &later[..nth];
        let Some(own) = minors.last() else { continue };
        let path = format!("channels/stable-{own}.yaml");
        let channel = data.channels.iter().find(|one| data.path(one.file) == path);
        // Nothing is promoted to a channel without a feeder.
        if channel.is_some_and(|channel| channel.feeder.is_some()) {
            files.push(edited(data, &path, |file, _| with_filter(data, file, &filter(minors)))?);
        }
    }
    Ok(Plan::new(files, format!("channels: End the maintenance of {minor}")))
}

/// A channel with another filter.
fn with_filter(data: &GraphData, file: &DataFile, filter: &str) -> Result<String, Failure> {
    let channel = data.channels.iter().find(|channel| channel.file == file.id);
    let feeder = channel.and_then(|channel| channel.feeder.as_ref());
    let span = feeder.and_then(|feeder| feeder.filter.as_ref()).map(|filter| filter.span);
    let span =
        span.ok_or_else(|| only_for_people(data.path(file.id), "its feeder has no filter"))?;
    let text = data.sources.get(file.id).text();
    Ok(format!("{}{}{}", &text[..span.start], scalar(filter), &text[span.end..]))
}

fn edited(
    data: &GraphData,
    path: &str,
    edit: impl FnOnce(&DataFile, KeyLines<'_>) -> Result<String, Failure>,
) -> Result<PlannedFile, Failure> {
    let file = data.at_path(path).filter(|file| file.kind == FileKind::Channel);
    let file = file.ok_or_else(|| Failure::new(format!("there is no file {path}")))?;
    let document = file.document().ok_or_else(|| only_for_people(path, "it cannot be read"))?;
    let text = data.sources.get(file.id).text();
    let lines = KeyLines::of(text, document).map_err(|why| only_for_people(path, why))?;
    Ok(PlannedFile::changed(path, text, edit(file, lines)?))
}

fn created(data: &GraphData, path: String, text: String) -> Result<PlannedFile, Failure> {
    if data.at_path(&path).is_some() {
        return Err(Failure::new(format!("there is already a file {path}")));
    }
    Ok(PlannedFile::created(path, text))
}

fn new_channel(
    phase: &str,
    feeder: &str,
    minor: Minor,
    minors: &[Minor],
    members: &[&str],
) -> String {
    let versions = match members {
        [] => "versions: []\n".to_owned(),
        some => {
            let lines: Vec<String> =
                some.iter().map(|one| format!("- {}\n", scalar(one))).collect();
            format!("versions:\n{}", lines.concat())
        }
    };
    let filter = scalar(&filter(minors));
    format!(
        "feeder:\n  delay: PT0H\n  filter: {filter}\n  name: {feeder}\nname: {phase}-{minor}\n{versions}"
    )
}

/// The pattern that lets the releases of some minors through, oldest first.
fn filter(minors: &[Minor]) -> String {
    match minors {
        [only] => format!("{}[.]{}[.][0-9].*", only.major, only.minor),
        some if some.iter().all(|minor| minor.major == some[0].major) => {
            let numbers: Vec<String> = some.iter().map(|minor| minor.minor.to_string()).collect();
            format!("{}[.]({})[.][0-9].*", some[0].major, numbers.join("|"))
        }
        // The newest major comes first, as in the data.
        some => {
            let parts = some.iter().rev().map(|minor| format!("{}[.]{}", minor.major, minor.minor));
            format!("({})[.][0-9].*", parts.collect::<Vec<_>>().join("|"))
        }
    }
}

/// The minor before a new one.
fn minor_before(data: &GraphData, minor: Minor) -> Result<Minor, Failure> {
    let before = match minor.minor.checked_sub(1) {
        Some(before) => Some(Minor { minor: before, ..minor }),
        None => data.releases.minors().into_iter().rfind(|known| known.major < minor.major),
    };
    let is_known = |before: &Minor| data.releases.of_minor(*before).next().is_some();
    before.filter(is_known).ok_or_else(|| {
        let failure =
            Failure::new(format!("no channel has a release of the minor version before {minor}"));
        let newest = data.releases.minors().into_iter().next_back();
        failure.hint_if_any(newest.map(|newest| format!("the newest minor version is {newest}")))
    })
}

fn internal<'d>(data: &'d GraphData, name: &str) -> Result<&'d Channel, Failure> {
    let mut channels = data.channels.iter();
    let found = channels.find(|channel| !channel.public && channel.name() == name);
    found.ok_or_else(|| Failure::new(format!("there is no file internal-channels/{name}.yaml")))
}

fn has(channel: &Channel, version: &str) -> bool {
    channel.versions.iter().any(|member| *member.text.value == *version)
}
