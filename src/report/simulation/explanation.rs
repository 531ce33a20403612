//! Explains one release: why it is judged or not, and its result in each channel.

use std::io::{self, Write};

use crate::analysis::{MemberId, SimulatedChannel, Simulation};
use crate::domain::{Named, version};
use crate::lineage::Supported;
use crate::text::printable;

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
        match (channel.graph.members[*at].is_general, channel.is_judged[*at], &parsed) {
            (false, ..) | (.., None) => "not judged: it is a pre-release".to_owned(),
            (_, is_judged, Some(version)) => {
                let judged = if is_judged { "judged" } else { "not judged" };
                format!("{judged}: {}", supported.why(name, version))
            }
        }
    };
    // Support may differ by channel.
    let reasons: Vec<String> = places.iter().map(reason).collect();
    let is_uniform = reasons.windows(2).all(|pair| pair[0] == pair[1]);
    let is_judged = |(channel, at): &&(&SimulatedChannel, MemberId)| {
        channel.is_judged[*at] && channel.graph.members[*at].is_general
    };
    let judged = places.iter().filter(is_judged).count();
    let verdict = match judged {
        _ if is_uniform => reasons.first().map_or("in no channel", String::as_str),
        0 => "not judged, for these reasons:",
        n if n == places.len() => "judged, for these reasons:",
        _ => "judged in some channels:",
    };
    writeln!(out, "{} is {verdict}", printable(release))?;
    for ((channel, at), reason) in places.into_iter().zip(&reasons) {
        let name = printable(simulation.name(channel.channel));
        let arches = channel.architectures;
        let result = result(channel, at);
        match (is_uniform, channel.is_judged[at]) {
            (true, _) => writeln!(out, "  {name} ({arches}): {result}")?,
            (false, true) => writeln!(out, "  {name} ({arches}): {reason}; {result}")?,
            (false, false) => writeln!(out, "  {name} ({arches}): {reason}")?,
        }
    }
    Ok(())
}

fn result(channel: &SimulatedChannel, at: MemberId) -> String {
    let own = channel.stranded.iter().filter(|one| one.release == at);
    let goals: Vec<&str> = own.map(|one| one.goal.name()).collect();
    match (channel.graph.head() == Some(at), goals.is_empty()) {
        (true, _) => "the newest of the channel: nothing to reach".to_owned(),
        (false, true) if channel.is_judged[at] && channel.graph.members[at].is_general => {
            "OK".to_owned()
        }
        (false, true) => "not judged".to_owned(),
        (false, false) => format!("stranded for {}", goals.join(", ")),
    }
}
