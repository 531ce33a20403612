//! The report of `path`: routes between two releases.

mod human;
mod json;
mod rollout;

use std::io::{self, Write};

use crate::analysis::{Gaps, Hop, Leg, RiskNameId, Route, RouteArea, Routes};
use crate::domain::Format;
use crate::domain::Minor;
use crate::graph::DeclarationId;
use crate::report::printed::{Printed, Writer};
use crate::rollout::Timeline;
use crate::text::Sources;

use super::{Style, wrapped};

#[derive(Debug)]
pub(crate) struct RouteReport<'a> {
    pub area: &'a RouteArea<'a>,
    pub from: &'a str,
    pub to: &'a str,
    /// None if the request was for a single release.
    pub wanted: Option<WantedReleases<'a>>,
    /// Whether only channels for tests have a path.
    pub needs_candidates: bool,
    /// Risks to ignore.
    pub accepted: &'a [String],
    /// What to wait for, if there is no path.
    pub waiting: Option<Waiting>,
    pub routes: &'a Routes,
    /// The files of the repository. None for a graph without a repository.
    pub sources: Option<&'a Sources>,
    /// What the service does not load, which makes its graph different from this one.
    pub not_loaded: &'a [String],
    /// How the first path is rolled out.
    pub timeline: Option<&'a Timeline>,
}

/// A request for any of several releases.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WantedReleases<'a> {
    /// The newest release that it could mean.
    pub newest: &'a str,
    pub asked_for: &'a str,
}

/// What a release without a path waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub minor: Minor,
    /// How long other releases waited. None if the history does not tell.
    pub gaps: Option<Gaps>,
}

impl Printed for RouteReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => |report, style, out| {
                wrapped(style, out, |out| {
                    human::write(report, style, out)?;
                    report.write_rollout(style, out)
                })
            },
            Format::Json => |report, _, out| json::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

impl<'a> RouteReport<'a> {
    fn write_rollout(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        match (self.timeline, self.routes.found.first()) {
            (Some(timeline), Some(route)) => {
                let hops: Vec<_> = route.hops.iter().map(|hop| self.ends(hop)).collect();
                rollout::write(timeline, &hops, style, out)
            }
            _ => Ok(()),
        }
    }

    fn ends(&self, hop: &Hop<RiskNameId>) -> (&'a str, &'a str) {
        (self.area.version(hop.from), self.area.version(hop.to))
    }

    /// The channel of each hop of a route.
    fn channels(&self, route: &Route) -> Vec<&'a str> {
        let legs = self.area.legs(&route.hops);
        let name = |leg: &Leg| self.area.graph.channels[leg.channel].as_str();
        legs.iter().flat_map(|leg| std::iter::repeat_n(name(leg), leg.hops)).collect()
    }

    fn risks(&self, ids: &[RiskNameId]) -> Vec<&'a str> {
        ids.iter().map(|id| self.area.names.name(*id)).collect()
    }

    fn path(&self, declaration: DeclarationId) -> Option<&'a str> {
        let span = self.area.graph.declarations[declaration].to;
        Some(self.sources?.path(span.source))
    }

    /// The files of the blocks whose removal alone would open a route.
    fn blocks(&self) -> Vec<&'a str> {
        self.routes.unblocked_by_blocks.iter().filter_map(|block| self.path(*block)).collect()
    }
}
