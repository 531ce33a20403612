//! The report of `catalog substitute`.

mod documents;
mod human;
mod json;

use std::io::{self, Write};

use crate::catalog::simulation::Resolver;
use crate::catalog::substitution::{ChannelEffect, SubstitutedPackage, SubstitutionFault};
use crate::domain::Format;
use crate::report::Style;
use crate::report::printed::{Printed, Writer};
use crate::text::Sources;

/// What substitutions do to a catalog.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SubstitutionReport<'a> {
    pub sources: &'a Sources,
    pub faults: &'a [SubstitutionFault],
    pub packages: &'a [PackageEffects<'a>],
    /// The same packages as opm renders them from their template. Empty if this was not requested.
    pub of_opm: &'a [PackageEffects<'a>],
    /// opm's message if it refuses the template.
    pub refusal_of_opm: Option<&'a str>,
    pub resolver: Resolver,
}

/// What substitutions do to a package.
#[derive(Debug)]
pub(crate) struct PackageEffects<'a> {
    pub package: &'a SubstitutedPackage,
    pub channels: Vec<ChannelEffect<'a>>,
}

/// A purpose of substitutions.
#[derive(Debug)]
pub(crate) struct Goal {
    pub name: &'static str,
    pub words: &'static str,
    /// The installs that do not benefit.
    pub missed: Vec<String>,
}

impl Printed for SubstitutionReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => |report, style, out| human::write(*report, style, out),
            Format::Json => |report, _, out| json::write(*report, out),
            Format::Channels => |report, _, out| documents::write(*report, out),
            _ => return None,
        };
        Some(writer)
    }
}

impl SubstitutionReport<'_> {
    /// The purposes of substitutions, and the installs that do not benefit. Empty if nothing is
    /// substituted.
    pub(crate) fn goals(self) -> Vec<Goal> {
        if self.packages.is_empty() {
            return Vec::new();
        }
        let channels = || self.packages.iter().flat_map(|package| &package.channels);
        let named = |channel: &ChannelEffect<'_>, name: &str| {
            format!("{name} in channel {}", channel.before.name)
        };
        let stuck = channels().flat_map(|channel| {
            let stuck = channel.stuck.iter();
            stuck.map(move |stuck| named(channel, channel.after.name(stuck.install)))
        });
        let stranded = channels()
            .flat_map(|channel| channel.stranded.iter().map(move |name| named(channel, name)));
        let forced = channels()
            .flat_map(|channel| channel.forced.iter().map(move |(name, _)| named(channel, name)));
        let goal = |name, words, missed| Goal { name, words, missed };
        vec![
            goal("updates-stay", "every install has an update or is at the head", stuck.collect()),
            goal(
                "rebuilds-reach-heads",
                "all rebuilds of a bundle get to the head of a channel if one of them does",
                stranded.collect(),
            ),
            goal(
                "not-through-rebuilt",
                "no install has to go through a bundle that is rebuilt",
                forced.collect(),
            ),
        ]
    }

    /// Whether a substitution is wrong, or the result has an install without a next update.
    pub(crate) fn is_bad(self) -> bool {
        let mut channels = self.packages.iter().flat_map(|package| &package.channels);
        self.packages.is_empty() && !self.faults.is_empty()
            || self.faults.iter().any(|fault| fault.kind.is_fatal())
            || self.packages.iter().any(|package| !package.package.too_large.is_empty())
            || channels.any(ChannelEffect::is_bad)
    }

    /// Writes what is wrong with substitutions, with the places.
    pub(crate) fn write_faults(self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        human::write_faults(self, style, out)
    }
}
