//! The messages of risks. The files of a risk usually have the same one.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::graph_data::{BlockedEdge, GraphData};
use crate::rules::shared::words::subjects;
use crate::rules::{Finding, Rule};

/// A message, and the files of one risk that have it.
pub(in crate::checks::rules::risk) struct Message<'a> {
    pub(in crate::checks::rules::risk) text: &'a str,
    pub(in crate::checks::rules::risk) edges: Vec<&'a BlockedEdge>,
}

/// The distinct messages of each risk.
pub(in crate::checks::rules::risk) fn messages(data: &GraphData) -> Vec<Message<'_>> {
    let mut messages = Vec::new();
    for (_, files) in data.declarations_by_risk() {
        let mut by_text: BTreeMap<&str, Vec<&BlockedEdge>> = BTreeMap::new();
        for edge in files {
            if let Some(message) = &edge.message {
                by_text.entry(&message.value).or_default().push(edge);
            }
        }
        messages.extend(by_text.into_iter().map(|(text, edges)| Message { text, edges }));
    }
    messages
}

impl Message<'_> {
    /// A finding at a part of the message in the first file. The other files are related places.
    pub(in crate::checks::rules::risk) fn finding(
        &self,
        rule: &'static Rule,
        data: &GraphData,
        at: &Range<usize>,
        words: impl Into<String>,
    ) -> Option<Finding> {
        let (first, others) = self.edges.split_first()?;
        let place = data.span_within(first.file, first.message.as_ref()?.node, at.clone());
        let others = others.iter().filter_map(|edge| edge.message.as_ref());
        let about = format!("{}: {}", subjects(self.edges.iter().copied()), &self.text[at.clone()]);
        let finding = Finding::at(rule, place, words).grouped(about);
        Some(
            others.fold(finding, |finding, message| finding.copy(message.span, "the same message")),
        )
    }
}
