//! A feeder that feeds nothing.

use crate::graph_data::GraphData;
use crate::schema::closest;

use super::feeders::by_name;
use super::{Check, Family, Finding, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP306",
    name: "useless-feeder",
    aliases: &[],
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a feeder that is no channel, whose filter does not compile, or that waits for nothing",
    explanation: "\
The service passes over `feeder`; the bot that promotes releases lives by it. From a
channel that does not exist, or through a filter that is no regular expression,
nothing comes. A feeder has a `delay`, or `errata: public`: without either it is not
said when a release may be promoted.",
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

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let channels = by_name(data);
    for channel in &data.channels {
        let Some(feeder) = &channel.feeder else { continue };
        if let Some(name) =
            feeder.name.as_ref().filter(|name| !channels.contains_key(name.value.as_str()))
        {
            let message = format!(
                "there is no channel `{}`, so nothing is promoted here",
                shortened(&name.value)
            );
            let help = match closest(&name.value, channels.keys().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "name a channel of this repository".to_owned(),
            };
            findings.push(Finding::at(&RULE, name.span, message).help(help));
        }
        if let Some(filter) =
            feeder.filter.as_ref().filter(|filter| regex_syntax::parse(&filter.value).is_err())
        {
            let message = "the filter is no regular expression, so nothing is promoted here";
            findings.push(
                Finding::at(&RULE, filter.span, message)
                    .help("every `(` and `[` needs its partner"),
            );
        }
        if !feeder.waits {
            let message = "the feeder has neither `delay` nor `errata`: when a release may be promoted is not said";
            findings.push(
                Finding::at(&RULE, feeder.key, message)
                    .help("its siblings say `delay: PT0H`, `P1W` or `errata: public`"),
            );
        }
    }
}
