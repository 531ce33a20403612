//! Each graph is made from the one before it, and without it.

use crate::analysis::{
    GraphDifference, RiskNames, SimulatedChannel, Simulation, SimulationRequest,
};
use crate::assembly::assemble;
use crate::domain::Arch;
use crate::graph::{ChannelId, UpdateGraph};
use crate::graph_data::{Consumer, GraphData};
use crate::lineage::{Lineage, Past};
use crate::tree::Blob;

use super::{edit_graph, reassemble};

const CONSUMER: Consumer = Consumer::Schema1_1;

fn blob(path: String, text: String) -> Blob {
    Blob::new(path, Ok(text.into_bytes()))
}

/// A repository without one of its releases.
fn files(without: Option<&str>) -> Vec<Blob> {
    let releases = |minor: u64| (0..6).map(move |patch| format!("4.{minor}.{patch}"));
    let channel = |minor: u64| {
        let all = releases(minor - 1).chain(releases(minor));
        let all = all.filter(|release| Some(release.as_str()) != without);
        let versions: Vec<String> = all.map(|release| format!("- {release}\n")).collect();
        let text = format!("name: stable-4.{minor}\nversions:\n{}", versions.concat());
        blob(format!("channels/stable-4.{minor}.yaml"), text)
    };
    let suggestion = |minor: u64| {
        let text = format!(
            "default:\n  minor_min: 4.{before}.1\n  minor_max: 4.{before}.9999\n  \
             minor_block_list: []\n  z_min: 4.{minor}.0\n  z_max: 4.{minor}.9999\n  \
             z_block_list: []\n",
            before = minor - 1
        );
        blob(format!("build-suggestions/4.{minor}.yaml"), text)
    };
    let risk = |to: &str, from: &str, name: &str| {
        let text = format!(
            "to: {to}\nfrom: {from}\nurl: https://example.com/{name}\nname: {name}\n\
             message: Clusters stop.\nmatchingRules:\n- type: Always\n"
        );
        blob(format!("blocked-edges/{to}-{name}.yaml"), text)
    };
    let metadata = r#"{"4.7.2": {"io.openshift.upgrades.graph.previous.add": "4.6.0,4.6.3"},
        "4.7.3": {"io.openshift.upgrades.graph.previous.remove": "4.6.3"}}"#;
    let mut files: Vec<Blob> =
        (6..9).flat_map(|minor| [channel(minor), suggestion(minor)]).collect();
    files.extend([
        risk("4.7.3", "4[.]6[.].*", "First"),
        risk("4.7.4", "4[.]6[.].*", "First"),
        risk("4.7.4", "4[.]6[.][0-3][+].*", "Second"),
        risk("4.8.1", "4[.](7|8)[.].*", "Second"),
        blob("blocked-edges/4.8.2.yaml".into(), "to: 4.8.2\nfrom: 4[.]7[.]3[+].*\n".into()),
        blob("raw/metadata.json".into(), metadata.into()),
        blob("version".into(), "1.1.0\n".into()),
    ]);
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

fn whole(data: &GraphData) -> (Lineage, UpdateGraph) {
    let lineage = Lineage::predicted(data, &Past::default(), &[Arch::default()]);
    let graph = assemble(data, &lineage, CONSUMER);
    (lineage, graph)
}

#[test]
fn a_graph_after_an_edit_of_releases_is_the_one_without_a_graph_before() {
    let all = GraphData::from_blobs(files(None));
    let releases: Vec<String> = all.releases.iter().map(|(_, one)| one.text.clone()).collect();
    let (mut reasons, mut known) = (0, 0);
    for release in &releases {
        let smaller = all.another(files(Some(release)));
        for (before, after) in [(&all, &smaller), (&smaller, &all)] {
            assert!(after.loads_declarations_of(before), "{release}");
            let (graph_before, (lineage, expected)) = (whole(before).1, whole(after));
            let made = reassemble(&graph_before, after, &lineage, CONSUMER);
            let Some((graph, Some(difference))) = made else { continue };
            assert_eq!(format!("{graph:?}"), format!("{expected:?}"), "{release}");
            assert_eq!(told(&difference), compared(&graph_before, &expected), "{release}");
            known += hold_known_channels(&graph_before, &expected, &difference);
            reasons += graph.reasons.len();
        }
    }
    assert!(reasons > 5 * releases.len(), "{reasons}");
    assert!(known > 10, "{known}");
}

#[test]
fn a_graph_after_an_edit_of_declarations_is_the_one_without_a_graph_before() {
    let all = files(None);
    let declarations = all.iter().filter(|file| file.path.starts_with("blocked-edges/"));
    let edits: Vec<(&str, Option<String>)> = declarations
        .flat_map(|file| {
            let Ok(text) = &file.content else { return Vec::new() };
            let text = String::from_utf8_lossy(text);
            let otherwise = |from: &str, to: &str| Some(text.replace(from, to));
            let edits = [
                None,
                otherwise("name: First", "name: Zero"),
                otherwise("name: Second", "name: First"),
                otherwise("stop", "start"),
                otherwise("to: 4.7.4", "to: 4.7.2"),
                otherwise("from: 4[.]6", "from: 4[.]5"),
                otherwise("Always", "Never"),
            ];
            edits.map(|edit| (file.path.as_str(), edit)).into()
        })
        .collect();
    let all_data = GraphData::from_blobs(all.clone());
    let mut known = 0;
    for (path, edit) in &edits {
        let others = all.iter().filter(|file| file.path != **path).cloned();
        let edited = edit.iter().map(|text| blob((*path).to_owned(), text.clone()));
        let mut edited: Vec<Blob> = others.chain(edited).collect();
        edited.sort_by(|one, other| one.path.cmp(&other.path));
        let edited = all_data.another(edited);
        for (before, after) in [(&all_data, &edited), (&edited, &all_data)] {
            let (graph_before, (lineage, expected)) = (whole(before).1, whole(after));
            let mut graph = graph_before.clone();
            let difference = edit_graph(&mut graph, before, after, &lineage, CONSUMER);
            assert_eq!(format!("{graph:?}"), format!("{expected:?}"), "{path} {edit:?}");
            let Some(difference) = difference else { continue };
            assert_eq!(told(&difference), compared(&graph_before, &expected), "{path} {edit:?}");
            known += hold_known_channels(&graph_before, &expected, &difference);
        }
    }
    assert!(known > edits.len(), "{known}");
}

#[test]
fn a_graph_after_an_edit_of_channels_is_the_one_without_a_graph_before() {
    let all = files(None);
    let other = "name: other-4.7\nversions:\n- 4.6.1\n- 4.7.3\n- 4.7.4\n";
    let mut edited = vec![all.clone()];
    for channel in all.iter().filter(|file| file.path.starts_with("channels/")) {
        let without = || all.iter().filter(|file| file.path != channel.path).cloned();
        let renamed = Blob { path: "channels/a.yaml".into(), ..channel.clone() };
        edited.push(without().chain([blob("channels/a.yaml".into(), other.into())]).collect());
        edited.push(without().chain([renamed]).collect());
        let and_other = all.iter().cloned().chain([blob("channels/z.yaml".into(), other.into())]);
        edited.push(and_other.filter(|file| !file.path.contains("First")).collect());
    }
    for files in &mut edited {
        files.sort_by(|one, other| one.path.cmp(&other.path));
    }
    let all_data = GraphData::from_blobs(all);
    let mut known = 0;
    for files in edited {
        let edited = all_data.another(files);
        for (before, after) in [(&all_data, &edited), (&edited, &all_data)] {
            let (mut graph, (lineage, expected)) = (whole(before).1, whole(after));
            if graph.graph.node_count() != expected.graph.node_count() {
                continue;
            }
            let before_edit = graph.clone();
            let difference = edit_graph(&mut graph, before, after, &lineage, CONSUMER);
            assert_eq!(format!("{graph:?}"), format!("{expected:?}"));
            let Some(difference) = difference else { continue };
            known += hold_known_channels(&before_edit, &expected, &difference);
        }
    }
    assert!(known > 10, "{known}");
}

fn told(difference: &GraphDifference) -> String {
    let GraphDifference { channels, relisted, has_same_updates, .. } = difference;
    format!("{channels:?} {relisted:?} {has_same_updates}")
}

/// The difference according to a comparison of both graphs.
fn compared(before: &UpdateGraph, after: &UpdateGraph) -> String {
    let (old_names, new_names) = (RiskNames::of(before), RiskNames::of(after));
    let difference = GraphDifference::between(before, &old_names, after, &new_names);
    difference.as_ref().map_or_else(String::new, told)
}

/// Checks that the results of channels that do not differ are those of a new simulation. Returns
/// how many of them have stranded releases.
fn hold_known_channels(
    before: &UpdateGraph,
    after: &UpdateGraph,
    difference: &GraphDifference,
) -> usize {
    let results = |graph: &UpdateGraph, channel: ChannelId| -> Vec<SimulatedChannel> {
        let request = SimulationRequest::of(vec![channel], vec![Arch::default()]);
        let simulation = Simulation::of(graph, &request, &|_, _| true);
        simulation.channels.iter().cloned().collect()
    };
    let channels = before.channels.ids();
    let known = channels
        .filter_map(|channel| difference.known_after(channel, &results(before, channel)))
        .inspect(|(channel, known)| assert_eq!(*known, results(after, *channel)));
    let has_stranded = |one: &SimulatedChannel| !one.stranded.is_empty();
    known.filter(|(_, known)| known.iter().any(has_stranded)).count()
}
