//! The chain of a channel: its head, and what `replaces` reaches from there.

use crate::domain::{HashMap, HashSet};
use crate::text::Span;

use super::super::declared::EntryBlob;
use super::model::ModelChannel;
use super::objection::ObjectionKind;

/// What is wrong with the chain of a channel.
pub(super) struct ChainFault {
    pub(super) span: Span,
    pub(super) related: Vec<Span>,
    pub(super) kind: ObjectionKind,
    /// opm's words.
    pub(super) words: String,
}

/// opm reports one fault at most.
pub(super) fn fault(channel: &ModelChannel<'_>) -> Option<ChainFault> {
    let blob = channel.blob;
    let name = || blob.name.value.clone();
    let entries: Vec<&EntryBlob> = channel.entries.values().copied().collect();
    let mut incoming: HashMap<&str, usize> = HashMap::default();
    let mut skipped: HashSet<&str> = HashSet::default();
    for entry in &entries {
        if !entry.replaces.value.is_empty() {
            *incoming.entry(&entry.replaces.value).or_default() += 1;
        }
        for skip in &entry.skips {
            *incoming.entry(&skip.value).or_default() += 1;
            skipped.insert(&skip.value);
        }
    }
    let mut heads: Vec<&EntryBlob> = entries
        .iter()
        .copied()
        .filter(|entry| !incoming.contains_key(entry.name.value.as_str()))
        .collect();
    heads.sort_by(|a, b| a.name.value.cmp(&b.name.value));
    let head = match heads.as_slice() {
        [head] => *head,
        [] => {
            let words = "no channel head found in graph".to_owned();
            let (span, related, kind) = (blob.name.span, Vec::new(), ObjectionKind::NoHead(name()));
            return Some(ChainFault { span, related, kind, words });
        }
        [first, others @ ..] => {
            let heads = heads.iter().map(|head| head.name.value.clone()).collect::<Vec<_>>();
            let words = format!("multiple channel heads found in graph: {}", heads.join(", "));
            let related = others.iter().map(|head| head.name.span).collect();
            let kind = ObjectionKind::Heads { channel: name(), heads };
            return Some(ChainFault { span: first.name.span, related, kind, words });
        }
    };
    let (seen, circle) = walk(head, channel, &skipped);
    if let Some(circle) = circle {
        let words =
            format!("detected cycle in replaces chain of upgrade graph: {}", circle.join(" -> "));
        let place = circle.first().and_then(|name| channel.entries.get(name));
        let span = place.map_or(blob.name.span, |entry| entry.replaces.span);
        let entries = circle.iter().map(|&name| name.to_owned()).collect();
        let kind = ObjectionKind::Cycle { channel: name(), entries };
        return Some(ChainFault { span, related: Vec::new(), kind, words });
    }
    let mut stranded: Vec<&EntryBlob> = entries
        .into_iter()
        .filter(|entry| {
            let name = entry.name.value.as_str();
            !seen.contains(name) && !skipped.contains(name)
        })
        .collect();
    stranded.sort_by(|a, b| a.name.value.cmp(&b.name.value));
    let [first, others @ ..] = stranded.as_slice() else { return None };
    let names: Vec<String> = stranded.iter().map(|entry| entry.name.value.clone()).collect();
    let words = format!("channel contains one or more stranded bundles: {}", names.join(", "));
    let related = others.iter().map(|entry| entry.name.span).collect();
    let kind = ObjectionKind::Stranded { channel: name(), entries: names };
    Some(ChainFault { span: first.name.span, related, kind, words })
}

/// Follows `replaces` from the head. Returns the entries, and the circle in which they end, if any.
fn walk<'c>(
    head: &'c EntryBlob,
    channel: &ModelChannel<'c>,
    skipped: &HashSet<&str>,
) -> (HashSet<&'c str>, Option<Vec<&'c str>>) {
    let mut chain: Vec<&str> = vec![&head.name.value];
    let mut seen: HashSet<&str> = HashSet::from_iter([head.name.value.as_str()]);
    let mut current = head;
    loop {
        let replaces = current.replaces.value.as_str();
        if skipped.contains(replaces) {
            return (seen, None);
        }
        if seen.contains(replaces) {
            let from = chain.iter().position(|name| *name == replaces).unwrap_or_default();
            let mut circle = chain.split_off(from);
            circle.push(replaces);
            return (seen, Some(circle));
        }
        let Some(next) = channel.entries.get(replaces) else {
            return (seen, None);
        };
        seen.insert(replaces);
        chain.push(replaces);
        current = next;
    }
}
