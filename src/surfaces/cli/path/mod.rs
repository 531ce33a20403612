//! `exitpath path`: finds routes from a release to others.

mod target;

use std::io::Write;

use petgraph::graph::NodeIndex;
use target::{PathTarget, unknown};

use crate::analysis::{Gaps, RiskNameId, RiskNames, RouteArea, RouteLimits, Routes};
use crate::domain::version::{self, strip_build, without_build};
use crate::domain::{Arch, Architectures, Minor, channel_name};
use crate::graph::{ChannelId, DeclarationId, UpdateGraph};
use crate::graph_data::{Consumer, GraphData};
use crate::report::{RouteReport, Style, Waiting, WantedReleases};
use crate::rollout::Timeline;
use crate::session::{Elsewhere, KnownGraph};
use crate::text::{Failure, SourceId};

use super::common_args::CommonArgs;
use super::path_args::PathArgs;
use super::{Status, Stop, print};

pub(super) fn run(
    args: &PathArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let arch = args.arch.unwrap_or_default();
    let source = &args.source;
    let known = match args.service.graph(&args.channel, arch, source)? {
        Some(known) => known,
        None => source.read(None, Architectures::only(&arch), Consumer::Schema1_1, true)?,
    };
    print::known_graph(&known, common, err)?;
    let names = RiskNames::of(&known.graph);
    let chosen = channels(args, &known, arch)?;
    let limits = RouteLimits {
        arch,
        channels: chosen.clone(),
        start: args.wait.then(|| args.from.clone()),
        avoided: avoided(args, &known.graph, arch)?,
        accepted: accepted(args, &names)?,
    };
    let supported = supported_channels(&known, chosen.as_ref());
    let narrow = supported.map(|channels| {
        let limits = RouteLimits { channels: Some(channels), ..limits.clone() };
        RouteArea::of(&known.graph, &names, limits)
    });
    let wide = RouteArea::of(&known.graph, &names, limits);
    let answered = match narrow.as_ref().and_then(|area| Question::of(args, area).ok()) {
        Some(question) => {
            let routes = question.routes(known.data.as_ref());
            let is_answer = !routes.found.is_empty() || question.is_trivial();
            is_answer.then_some(Answered { question, routes, needs_candidates: false })
        }
        None => None,
    };
    let answered = if let Some(answered) = answered {
        answered
    } else {
        let question = Question::of(args, &wide)?;
        let routes = question.routes(known.data.as_ref());
        let needs_candidates = narrow.is_some() && !routes.found.is_empty();
        Answered { question, routes, needs_candidates }
    };
    let is_trivial = answered.question.is_trivial();
    let has_path = !answered.routes.found.is_empty();
    let waits = args.wait && (!has_path || answered.needs_candidates) && !is_trivial;
    let waiting = waits.then(|| waiting(&known, &answered.question, arch)).flatten();
    report(args, &known, &answered, waiting, style, out)?;
    std::mem::forget(answered.routes);
    Ok(Status::failed_if(!has_path && !is_trivial))
}

/// A question with its answer.
struct Answered<'a> {
    question: Question<'a>,
    routes: Routes,
    /// Whether only channels for tests have a path.
    needs_candidates: bool,
}

/// From where to where, in an area.
struct Question<'a> {
    area: &'a RouteArea<'a>,
    from: NodeIndex,
    to: NodeIndex,
    /// The newest release that is meant, and what was asked for, if that is not one release.
    wanted: Option<(NodeIndex, String)>,
    /// The minor versions that are meant.
    minors: Vec<Minor>,
}

impl<'a> Question<'a> {
    fn of(args: &PathArgs, area: &'a RouteArea<'a>) -> Result<Self, Failure> {
        let from = area.release(&args.from).ok_or_else(|| unknown(&args.from, area))?;
        let mut goals = Vec::new();
        let mut minors = Vec::new();
        let mut are_named = true;
        for text in &args.to {
            let target = PathTarget::parse(text, area)?;
            let releases = target.releases(area);
            if releases.is_empty() {
                return Err(target.missing(text, area));
            }
            are_named &= matches!(target, PathTarget::Release(_));
            minors.extend(target.minor(area));
            goals.extend(releases);
        }
        let version = |node: &NodeIndex| &area.graph.release(*node).version;
        let newest = goals.iter().copied().max_by_key(version).unwrap_or(from);
        let to = area.newest_reached(from, &goals).unwrap_or(newest);
        let is_one = are_named && args.to.len() == 1;
        let wanted = (!is_one).then(|| (newest, args.to.join(", ")));
        Ok(Self { area, from, to, wanted, minors })
    }

    fn routes(&self, data: Option<&GraphData>) -> Routes {
        let is_only_block = |block: DeclarationId| {
            let file = self.area.graph.declarations[block].to.source;
            data.is_some_and(|data| is_only_block(data, file))
        };
        Routes::between(self.area, self.from, self.to, is_only_block)
    }

    fn is_trivial(&self) -> bool {
        self.from == self.to
    }
}

/// The channels that the flags name. None: all.
fn channels(
    args: &PathArgs,
    known: &KnownGraph,
    arch: Arch,
) -> Result<Option<Vec<ChannelId>>, Failure> {
    let graph = &known.graph;
    if args.channel.is_empty() {
        return Ok(known.channel.map(|channel| vec![channel]));
    }
    let id = |name: &String| {
        graph.channel(name).ok_or_else(|| {
            match Elsewhere::of(known, &args.from, Some(name), arch) {
                Some(elsewhere) => elsewhere.failure(std::iter::empty()),
                None => Failure::unknown_channel(name, graph.channels.iter().map(String::as_str)),
            }
        })
    };
    let ids: Vec<ChannelId> = args.channel.iter().map(id).collect::<Result<_, _>>()?;
    if let [only] = args.channel.as_slice() {
        // With `--wait`, the channel may not have the release yet.
        let from = Some(&args.from).filter(|_| !args.wait);
        for version in from.into_iter().chain(&args.to) {
            let is_version = version::parse(version).is_some();
            let elsewhere = Elsewhere::of(known, version, Some(only), arch).filter(|_| is_version);
            if let Some(elsewhere) = elsewhere {
                let own = graph.graph.node_weights().filter(|release| release.is_in(ids[0]));
                let own = own.map(|release| strip_build(&release.text));
                return Err(elsewhere.failure(own));
            }
        }
    }
    Ok(Some(ids))
}

/// All channels but those for tests, if the flags name none.
fn supported_channels(
    known: &KnownGraph,
    named: Option<&Vec<ChannelId>>,
) -> Option<Vec<ChannelId>> {
    if named.is_some() {
        return None;
    }
    let channels = known.graph.channels.entries();
    let supported = channels.filter(|(_, name)| !channel_name::is_for_tests(name));
    Some(supported.map(|(id, _)| id).collect())
}

fn avoided(args: &PathArgs, graph: &UpdateGraph, arch: Arch) -> Result<Vec<String>, Failure> {
    let releases = || graph.graph.node_weights().filter(|release| release.is_for(arch));
    let texts = || releases().map(|release| strip_build(&release.text));
    match args.avoid.iter().find(|avoid| !texts().any(|text| text == strip_build(avoid))) {
        Some(unknown) => Err(Failure::unknown("release", unknown, texts())),
        None => Ok(args.avoid.iter().map(|text| strip_build(text).to_owned()).collect()),
    }
}

fn accepted(args: &PathArgs, names: &RiskNames) -> Result<Vec<RiskNameId>, Failure> {
    let id =
        |name: &String| names.id(name).ok_or_else(|| Failure::unknown("risk", name, names.all()));
    args.accept.iter().map(id).collect()
}

/// What a release without a path waits for.
fn waiting(known: &KnownGraph, question: &Question<'_>, arch: Arch) -> Option<Waiting> {
    let graph = &known.graph;
    let own = Minor::of(&graph.release(question.from).version);
    let minor = question.minors.iter().copied().find(|minor| *minor > own)?;
    let is_wanted = |channel: ChannelId| {
        question.area.is_allowed(channel) && channel_name::is_advised(&graph.channels[channel])
    };
    let joined = |path: &str, version: &str| known.ages.joined(path, version);
    Some(Waiting { minor, gaps: Gaps::of(graph, arch, own, minor, &is_wanted, &joined) })
}

fn report(
    args: &PathArgs,
    known: &KnownGraph,
    answered: &Answered<'_>,
    waiting: Option<Waiting>,
    style: Style,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    let Answered { question, routes, needs_candidates } = answered;
    let area = question.area;
    let minor = |node: NodeIndex| Minor::of(&area.graph.release(node).version);
    let timeline = match routes.found.first() {
        Some(route) if args.rollout.rollout && !route.hops.is_empty() => {
            let minors = route.hops.iter().map(|hop| minor(hop.to));
            let minors: Vec<Minor> = std::iter::once(minor(question.from)).chain(minors).collect();
            let runs = args.rollout.runs(route.hops.len());
            let timeline = Timeline::of(&minors, args.rollout.journey(), runs);
            Some(timeline?)
        }
        _ => None,
    };
    let report = RouteReport {
        area,
        from: area.version(question.from),
        to: area.version(question.to),
        wanted: question
            .wanted
            .as_ref()
            .map(|(newest, asked_for)| WantedReleases { newest: area.version(*newest), asked_for }),
        needs_candidates: *needs_candidates,
        accepted: &args.accept,
        waiting,
        routes,
        sources: known.data.as_ref().map(|data| &*data.sources),
        not_loaded: &known.not_loaded,
        timeline: timeline.as_ref(),
    };
    args.report.print(&report, style, out)
}

/// Whether this file is the only one that blocks its target.
fn is_only_block(data: &GraphData, file: SourceId) -> bool {
    let blocks = data.blocked_edges.iter().filter(|edge| edge.is_block());
    let target = |at| {
        let edge = data.blocked_edges.iter().find(|edge| edge.file == at);
        edge.and_then(|edge| edge.target.as_ref()).map(without_build)
    };
    let own = target(file);
    blocks.filter(|block| block.target.as_ref().map(without_build) == own).count() == 1
}
