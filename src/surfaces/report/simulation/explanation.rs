//! Explains one release: why it is checked or not, and its result in each channel.

use std::io::{self, Write};

use crate::analysis::{MemberId, SimulatedChannel, Simulation, phrases};
use crate::domain::{channel_name, version};
use crate::lineage::Supported;
use crate::text::printable;
use crate::text::words::list_all;

pub(crate) fn write_explanation(
    release: &str,
    simulation: &Simulation<'_>,
    supported: &Supported,
    out: &mut dyn Write,
) -> io::Result<()> {
    let place = |channel: &SimulatedChannel| {
        let mut members = channel.graph.members.entries();
        members.find(|(_, member)| member.version == release).map(|(at, _)| at)
    };
    let channels = simulation.channels.iter();
    let places: Vec<(&SimulatedChannel, MemberId)> =
        channels.filter_map(|channel| Some((channel, place(channel)?))).collect();
    let parsed = version::parse(release);
    let reason = |(channel, at): &(&SimulatedChannel, MemberId)| {
        let name = simulation.name(channel.channel);
        let checked = if channel.is_checked[*at] { "checked" } else { "not checked" };
        let why = parsed.as_ref().map(|version| supported.why(name, version));
        format!("{checked}: {}", why.unwrap_or_default())
    };
    // Which releases are supported may differ by channel.
    let reasons: Vec<String> = places.iter().map(reason).collect();
    let is_uniform = reasons.windows(2).all(|pair| pair[0] == pair[1]);
    let is_checked = |(channel, at): &&(&SimulatedChannel, MemberId)| channel.is_checked[*at];
    let checked = places.iter().filter(is_checked).count();
    let verdict = match checked {
        _ if is_uniform => reasons.first().map_or("in no channel", String::as_str),
        0 => "not checked, for these reasons:",
        n if n == places.len() => "checked, for these reasons:",
        _ => "checked in some channels:",
    };
    writeln!(out, "{} is {verdict}", printable(release))?;
    for ((channel, at), reason) in places.into_iter().zip(&reasons) {
        let name = printable(simulation.name(channel.channel));
        let arches = channel.architectures;
        let result = result(simulation, channel, at);
        match (is_uniform, channel.is_checked[at]) {
            (true, _) => writeln!(out, "  {name} ({arches}): {result}")?,
            (false, true) => writeln!(out, "  {name} ({arches}): {reason}; {result}")?,
            (false, false) => writeln!(out, "  {name} ({arches}): {reason}")?,
        }
    }
    Ok(())
}

fn result(simulation: &Simulation<'_>, channel: &SimulatedChannel, at: MemberId) -> String {
    let minor = channel_name::split(simulation.name(channel.channel)).map(|(_, minor)| minor);
    let own = channel.stranded.iter().filter(|one| one.release == at);
    let problems: Vec<String> = own.map(|one| phrases::problem(one.goal, minor, false)).collect();
    match (channel.graph.head() == Some(at), problems.is_empty()) {
        (true, _) => "OK: it is the newest release of the channel".to_owned(),
        (false, true) if channel.is_checked[at] => "OK".to_owned(),
        (false, true) => "not checked".to_owned(),
        (false, false) => format!("stranded: it {}", list_all(&problems, "and")),
    }
}
