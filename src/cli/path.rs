//! `exitpath path`: ways between two releases.

use std::io::Write;

use serde_json::json;

use crate::analysis::{Names, Offered, Step};
use crate::assembly::Consumer;
use crate::graph::{ReasonId, State};
use crate::graph_data::ARCHITECTURES;
use crate::report::Style;
use crate::text::printable;

use super::args::{Common, PathFormat, WayBetween};
use super::graph::{Adopted, adopted};
use super::ground::Ground;
use super::releases::{architectures, tell_notes};
use super::simulate::unknown;
use super::{Failure, Status};

pub(super) fn run(
    args: &WayBetween,
    common: &Common,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Failure> {
    let arch = args.arch.as_deref().unwrap_or(ARCHITECTURES[0]);
    let asked = architectures(Some(arch))?;
    let (graph, data) = if let Some(path) = &args.source.graph {
        let Adopted { graph, notes, .. } = adopted(path, arch)?.into_answer();
        if !common.quiet {
            tell_notes(&notes, err)?;
        }
        (graph, None)
    } else {
        let assembled = args.source.assemble(None, (arch, asked), Consumer::Schema1_1)?;
        assembled.tell(common, err)?;
        (assembled.graph, Some(assembled.data))
    };
    let channels = || graph.channels.iter().map(String::as_str);
    let id =
        |name: &String| graph.channel(name).ok_or_else(|| unknown("channel", name, channels()));
    let channel = args.channel.as_ref().map(id).transpose()?;
    let names = Names::of(&graph);
    let offered = Offered::of(&graph, &names);
    let mut ground =
        Ground { graph: &graph, names: &names, offered, arch, channel, by_prereleases: false };
    let (from, to) = (ground.release(&args.from)?, ground.release(&args.to)?);
    let closed_by = |reason: ReasonId| match &graph.reasons[reason.0 as usize].state {
        State::Blocked => None,
        state => Some(ground.names.of_state(&graph, state)),
    };
    let mut steps = ground.steps((from, to), closed_by);
    // Within one channel, a pre-release is a stop like any other if there is no other way.
    if channel.is_some() && steps.shortest(from, to, |_| true).is_none() {
        ground.by_prereleases = true;
        steps = ground.steps((from, to), closed_by);
    }
    let open = steps.shortest(from, to, |step| step.risks.is_empty());
    let shortest = steps.shortest(from, to, |_| true);
    let safest = if open.is_none() { steps.safest(from, to) } else { None };
    let mut ways: Vec<(Kind, Vec<&Step>)> = Vec::new();
    ways.extend(open.map(|way| (Kind::Open, way)));
    ways.extend(safest.map(|way| (Kind::FewestRisks, way)));
    if let Some(way) = shortest
        && ways.iter().all(|(_, known)| known.len() > way.len())
    {
        ways.push((Kind::FewestHops, way));
    }
    // What is blocked behind its risks is not open when they end.
    let closed_by =
        |reason: ReasonId| closed_by(reason).filter(|_| !ground.names.hides_block(reason));
    let risks = match ways.first() {
        Some((Kind::Open, _)) => Vec::new(),
        _ => ground.steps((from, to), closed_by).freed_by(from, to),
    };
    let risks: Vec<&str> = risks.iter().map(|risk| ground.names.name(*risk)).collect();
    let blocks = match &data {
        Some(data) if ways.is_empty() => ground.unblocked_by(data, from, to),
        _ => Vec::new(),
    };
    if args.format == PathFormat::Json {
        let ways: Vec<_> = ways.iter().map(|(kind, way)| ground.json(*kind, way)).collect();
        let found = json!({"version": 1, "from": args.from, "to": args.to, "ways": ways,
            "freed_by": risks, "unblocked_by": blocks});
        writeln!(out, "{found}")?;
    } else if from == to {
        let version = printable(&args.from);
        writeln!(out, "both are the same release, {version}: there is nothing to update")?;
    } else {
        for (kind, way) in &ways {
            ground.tell(*kind, way, style, out)?;
        }
        if ways.is_empty() {
            let why = ground.why_not(data.as_ref(), from, to);
            let (from, to) = (printable(&args.from), printable(&args.to));
            writeln!(out, "no path from {from} to {to}: {}", printable(&why))?;
        }
        if let Some(some) = one_of(&risks) {
            writeln!(out, "a path without risks opens once {some} is removed")?;
        }
        if let Some(some) = one_of(&blocks) {
            writeln!(out, "a path opens once {some} is removed")?;
        }
    }
    let status = if ways.is_empty() { Status::Findings } else { Status::Clean };
    std::mem::forget((graph, data));
    Ok(status)
}

/// Names of which any one will do: a person reads a few.
fn one_of(names: &[&str]) -> Option<String> {
    const MOST: usize = 4;
    let (told, more) = names.split_at(names.len().min(MOST));
    let more = if more.is_empty() { String::new() } else { format!(" or {} more", more.len()) };
    (!told.is_empty()).then(|| printable(&told.join(" or ")).into_owned() + &more)
}

/// What is good about a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Open,
    FewestRisks,
    FewestHops,
}

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Self::Open => "without risks",
            Self::FewestRisks => "with the fewest risks",
            Self::FewestHops => "with the fewest hops",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::FewestRisks => "fewest-risks",
            Self::FewestHops => "fewest-hops",
        }
    }
}

impl Ground<'_> {
    fn tell(
        &self,
        kind: Kind,
        way: &[&Step],
        style: Style,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let hops = if way.len() == 1 { "1 hop".to_owned() } else { format!("{} hops", way.len()) };
        writeln!(out, "{}", style.bold(&format!("{}, {hops}:", kind.words())))?;
        let length = |node: u32| self.version(node.into()).len();
        let widest = way.iter().flat_map(|s| [length(s.from), length(s.to)]).max().unwrap_or(0);
        for step in way {
            let (from, to) = (self.version(step.from.into()), self.version(step.to.into()));
            let (from, to, channel) =
                (printable(from), printable(to), printable(self.channel_of(step)));
            write!(out, "  {from:<widest$} → {to:<widest$}  {channel}")?;
            match self.risks(step).as_slice() {
                [] => writeln!(out)?,
                some => writeln!(out, "  unless {}", printable(&some.join(" or ")))?,
            }
        }
        Ok(())
    }

    fn json(&self, kind: Kind, way: &[&Step]) -> serde_json::Value {
        let hops = way.iter().map(|step| {
            json!({
                "from": self.version(step.from.into()),
                "to": self.version(step.to.into()),
                "channel": self.channel_of(step),
                "risks": self.risks(step),
            })
        });
        json!({"kind": kind.name(), "hops": hops.collect::<Vec<_>>()})
    }
}
