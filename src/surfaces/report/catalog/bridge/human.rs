//! Writes the report for people: each path of a cluster, what holds it back, and what to update
//! first.

use std::io::{self, Write};

use crate::analysis::RouteKind;
use crate::bridge::Verdict;
use crate::domain::Severity;
use crate::report::{Style, wrapped};
use crate::text::printable;
use crate::text::words::{counted, listed};

use super::words::{bad_arrival_in_words, limit_in_words, minor_after, outcome_in_words};
use super::{BridgeReport, CheckedClusters, ClusterPath, whole_catalog};
use crate::report::catalog::resolver_in_words;

pub(super) fn write(
    report: &BridgeReport<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    if !style.quiet {
        for clusters in &report.clusters {
            wrapped(style, out, |out| {
                if report.is_whole_catalog {
                    whole_catalog::write(clusters, style, out)
                } else {
                    write_clusters(clusters, style, out)
                }
            })?;
        }
    }
    let is_bad = report.is_held_back() || report.has_losses();
    let severity = is_bad.then_some(Severity::Error);
    let mark = if is_bad { "✗" } else { "✓" };
    let by = resolver_in_words(report.resolver);
    writeln!(out, "{}", style.mark(&format!("{mark} {} ({by})", summary(report)), severity))
}

fn summary(report: &BridgeReport<'_>) -> String {
    let verdicts = || report.clusters.iter().flat_map(|clusters| &clusters.verdicts);
    let held = verdicts().filter(|verdict| verdict.held_at.is_some()).count();
    let checked = verdicts().filter(|verdict| verdict.limit.is_some()).count();
    let unknown = verdicts().count() - checked;
    let noun = if report.is_whole_catalog { "entry" } else { "operator" };
    let clusters = |is_wanted: &dyn Fn(&CheckedClusters<'_>) -> bool| -> usize {
        report.clusters.iter().filter(|one| is_wanted(one)).map(|one| one.names.len()).sum()
    };
    let all = clusters(&|_| true);
    let mut words = vec![if all > 1 {
        let held = clusters(&|one| one.is_held_back());
        format!("{held} of {} held back", counted(all, "cluster"))
    } else if held == 0 {
        format!("nothing holds the cluster back: {} checked", counted(checked, noun))
    } else {
        let verb = if held == 1 { "holds" } else { "hold" };
        format!("{held} of {} {verb} the cluster back", counted(checked, noun))
    }];
    let lost = verdicts().filter(|verdict| verdict.lost().is_some()).count();
    if lost > 0 {
        words.push(format!("a later catalog has no updates for {}", counted(lost, noun)));
    }
    let unchecked = clusters(&|one| one.stages.is_err());
    let not_checked = [(unchecked, "cluster"), (unknown, noun)].into_iter();
    let not_checked = not_checked.filter(|(count, _)| *count > 0);
    words.extend(not_checked.map(|(count, noun)| format!("{} not checked", counted(count, noun))));
    words.join("; ")
}

fn write_clusters(
    clusters: &CheckedClusters<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names: Vec<&str> = clusters.names.iter().copied().filter(|name| !name.is_empty()).collect();
    let who = match names.as_slice() {
        [] => String::new(),
        [only] => format!("{only}: "),
        some => format!("{} ({}): ", counted(some.len(), "cluster"), listed(some, "and")),
    };
    let title = format!("{who}OpenShift {} → {}", clusters.from, clusters.to);
    writeln!(out, "{}", style.bold(&printable(&title)))?;
    let stages = match &clusters.stages {
        Ok(stages) => stages,
        Err(why) => {
            let (what, hint) = why.words();
            writeln!(out, "  not checked: {what}")?;
            hint.map_or(Ok(()), |hint| writeln!(out, "    {hint}"))?;
            return writeln!(out);
        }
    };
    for path in &clusters.paths {
        write_path(clusters, path, out)?;
    }
    if stages.len() < 2 {
        writeln!(out, "  operators never hold back updates to a patch of the same minor version")?;
    }
    let (held, others): (Vec<_>, Vec<_>) =
        clusters.verdicts.iter().partition(|verdict| verdict.held_at.is_some());
    for verdict in held {
        write_held(clusters, verdict, style, out)?;
    }
    for verdict in &others {
        write_warning(clusters, verdict, out)?;
    }
    let names = |is_known: bool| -> Vec<&str> {
        let of_kind = others.iter().filter(|verdict| {
            verdict.limit.is_some() == is_known && (!is_known || verdict.lost().is_none())
        });
        of_kind.map(|verdict| verdict.installed.name.as_str()).collect()
    };
    if !names(true).is_empty() {
        let line = format!("no obstacle: {}", listed(&names(true), "and"));
        writeln!(out, "  {}", printable(&line))?;
    }
    if !names(false).is_empty() {
        let line = format!(
            "not checked, because no catalog says how far they support OpenShift: {}",
            listed(&names(false), "and")
        );
        writeln!(out, "  {}", printable(&line))?;
    }
    writeln!(out)
}

fn write_path(
    clusters: &CheckedClusters<'_>,
    path: &ClusterPath,
    out: &mut dyn Write,
) -> io::Result<()> {
    if let Some(kind) = path.kind {
        let kind = match kind {
            RouteKind::Open => "without risks",
            RouteKind::FewestRisks => "with the fewest risks",
            RouteKind::FewestHops => "with the fewest hops",
        };
        writeln!(out, "  {kind}, {}:", counted(path.hops.len(), "hop"))?;
    }
    let widest = path.hops.iter().flat_map(|hop| [hop.from.len(), hop.to.len()]).max().unwrap_or(0);
    for hop in &path.hops {
        let (from, to) = (printable(&hop.from), printable(&hop.to));
        let held = hop.leaves.map(|stage| clusters.held_by(stage)).unwrap_or_default();
        let mut about = Vec::new();
        if !held.is_empty() {
            about.push(format!("held back by {}", listed(&held, "and")));
        }
        if !hop.risks.is_empty() {
            about.push(format!("risks: {}", hop.risks.join(", ")));
        }
        let line = format!("    {from:<widest$} → {to:<widest$}  {}", about.join("; "));
        writeln!(out, "{}", printable(line.trim_end()))?;
    }
    Ok(())
}

fn write_held(
    clusters: &CheckedClusters<'_>,
    verdict: &Verdict<'_>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let stages = clusters.stages.as_deref().unwrap_or_default();
    let place = match &verdict.installed.namespace {
        None => String::new(),
        Some(namespace) => format!(" in {namespace}"),
    };
    let name = style.bold(&printable(&verdict.installed.name));
    let about = format!("{place}: {}", limit_in_words(verdict.limit));
    writeln!(out, "  {name}{}", printable(&about))?;
    // Channels with the same outcome share a paragraph.
    let mut groups: Vec<(Vec<Option<&str>>, Vec<String>)> = Vec::new();
    for (channel, outcome) in &verdict.outcomes {
        let lines = outcome_in_words(outcome, stages);
        match groups.iter_mut().find(|(_, known)| *known == lines) {
            Some((channels, _)) => channels.push(*channel),
            None => groups.push((vec![*channel], lines)),
        }
    }
    for (channels, lines) in groups {
        let named: Vec<&str> = channels.into_iter().flatten().collect();
        if !named.is_empty() {
            let noun = if named.len() == 1 { "channel" } else { "channels" };
            writeln!(out, "    {}", printable(&format!("{noun} {}:", listed(&named, "and"))))?;
        }
        for line in lines {
            writeln!(out, "      {}", printable(&line))?;
        }
    }
    Ok(())
}

/// Warns about operators that do not hold the cluster back, but that get no more updates in a later
/// catalog.
fn write_warning(
    clusters: &CheckedClusters<'_>,
    verdict: &Verdict<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let stages = clusters.stages.as_deref().unwrap_or_default();
    if let Some(lost) = verdict.lost()
        && let Some(words) = bad_arrival_in_words(lost.arrival, lost.with)
    {
        let line = format!("after the update to {}: {words}", minor_after(stages, lost.stage));
        writeln!(out, "  {}", printable(&line))?;
    }
    Ok(())
}
