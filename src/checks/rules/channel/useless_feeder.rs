//! A feeder from which nothing is promoted.

use crate::graph_data::GraphData;
use crate::rules::shared::channels::channels_by_name;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};
use crate::text::closest;

pub(super) static RULE: Rule = Rule {
    code: "EP306",
    name: "useless-feeder",
    properties: Properties::OF_CHANNELS,
    family: Family::Channel,
    severity: Severity::Error,
    summary: "a feeder with an unknown channel, a broken filter, or neither `delay` nor `errata`",
    explanation: "\
The service ignores `feeder`, but the bot that promotes releases needs it. The bot
promotes nothing from a channel that does not exist, or through a filter that is not a
regular expression: that is an error. A feeder has a `delay` or `errata: public`. Without
either, it does not say when a release can be promoted, which is a warning.",
    bad: "\
feeder:
  name: stabel
  filter: 4[.]14[.][0-9].*",
    good: "\
feeder:
  name: stable
  filter: 4[.]14[.][0-9].*
  delay: PT0H",
    check: Check::Repository(check),
};

/// The most channels that are searched for the one that a misspelled name means.
const MANY: usize = 200;

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let channels = channels_by_name(data);
    for channel in &data.channels {
        let Some(feeder) = &channel.feeder else { continue };
        if let Some(name) =
            feeder.name.as_ref().filter(|name| !channels.contains_key(name.value.as_str()))
        {
            let message = format!(
                "there is no channel `{}`, so nothing is promoted here",
                shortened(&name.value)
            );
            let likely = channels.keys().copied().take(MANY);
            let help = match closest(&name.value, likely) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "name a channel in this repository".to_owned(),
            };
            findings.push(Finding::at(&RULE, name.span, message).help(help));
        }
        if let Some(filter) = &feeder.filter
            && let Some(regex_syntax::Error::Parse(error)) = feeder.fault()
        {
            let why = error.kind();
            let message =
                format!("the filter does not compile, so nothing is promoted here: {why}");
            findings.push(Finding::at(&RULE, filter.span, message).help(
                "write a regular expression that matches the whole version of a promoted release",
            ));
        }
        if !feeder.waits {
            let message = "the feeder has neither `delay` nor `errata`, so it does not say when a release can be promoted";
            findings.push(
                Finding::at(&RULE, feeder.key, message)
                    .severity(Severity::Warning)
                    .help("write `delay: PT0H`, `delay: P1W`, or `errata: public`"),
            );
        }
    }
}
