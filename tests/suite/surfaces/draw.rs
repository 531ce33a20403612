//! Pictures of update graphs: folding never makes them wrong, limits hold, and names are escaped.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use exitpath::testing::domain::{Arch, Format};
use exitpath::testing::draw::{Bundle, Picture, PictureRequest, Run, UpdateFilter, UpdateKind};
use exitpath::testing::graph::cincinnati::GraphFile;
use exitpath::testing::graph::{Knowledge, Served, State, Update, UpdateGraph};
use exitpath::testing::text::SourceId;
use petgraph::graph::NodeIndex;
use proptest::prelude::*;

use crate::cases;
use crate::shared::real_data;

/// A risk with this name stands for a block, because graphs for clusters have no blocks.
const BLOCK: &str = "block";
/// A risk with this name stands for an uncertain update without risks.
const DOUBT: &str = "doubt";

/// A graph of one channel, `c`: versions, and updates with the names of their risks.
fn graph(versions: &[&str], updates: &[(usize, usize, &[&str])]) -> UpdateGraph {
    graph_in("c", versions, updates)
}

fn graph_in(channel: &str, versions: &[&str], updates: &[(usize, usize, &[&str])]) -> UpdateGraph {
    let nodes = versions.iter().map(|version| {
        let metadata = serde_json::json!({"io.openshift.upgrades.graph.release.channels": channel});
        serde_json::json!({"version": version, "payload": "p", "metadata": metadata})
    });
    let open = updates.iter().filter(|(.., risks)| risks.is_empty());
    let open: Vec<_> = open.map(|(from, to, _)| [from, to]).collect();
    let mut kinds: Vec<&[&str]> = updates.iter().map(|(.., risks)| *risks).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let groups = kinds.iter().filter(|risks| !risks.is_empty()).map(|risks| {
        let alike = updates.iter().filter(|(.., own)| own == risks);
        let edges = alike
            .map(|(from, to, _)| serde_json::json!({"from": versions[*from], "to": versions[*to]}));
        let risks = risks.iter().map(|name| {
            serde_json::json!({"url": "https://example.com", "name": name, "message": "m",
                "matchingRules": [{"type": "Always"}]})
        });
        serde_json::json!({"edges": edges.collect::<Vec<_>>(), "risks": risks.collect::<Vec<_>>()})
    });
    let file = serde_json::json!({"nodes": nodes.collect::<Vec<_>>(), "edges": open,
        "conditionalEdges": groups.collect::<Vec<_>>()});
    let file = GraphFile::read(SourceId::at(0), &file.to_string());
    assert_eq!(file.faults, []);
    let mut graph = UpdateGraph::adopt(&file, Arch::Amd64);
    for edge in graph.graph.edge_indices() {
        let reason = graph.graph[edge].reason;
        let names = graph.risk_names(&graph.reasons[reason].state);
        let (is_blocked, is_doubted) = (names.contains(&BLOCK), names.contains(&DOUBT));
        if is_blocked {
            graph.reasons[reason].state = State::Blocked;
        }
        if is_doubted {
            graph.graph[edge].knowledge = Knowledge::Uncertain;
        }
    }
    graph
}

fn served(graph: &UpdateGraph) -> Served<'_> {
    Served::of(graph, graph.channel("c").unwrap(), Arch::Amd64)
}

fn release(served: &Served<'_>, version: &str) -> NodeIndex {
    let mut members = served.members.iter().copied();
    members.find(|node| served.version(*node) == version).unwrap()
}

const PICTURES: [Format; 3] = [Format::Dot, Format::Mermaid, Format::Svg];

fn write(picture: &Picture, format: Format) -> String {
    Picture::writer(format).unwrap()(picture)
}

/// How an update is drawn: the places of its ends, its kind, and its risks.
fn drawn_as<'g>(
    served: &Served<'g>,
    update: &Update<'g>,
) -> (usize, usize, UpdateKind, Vec<&'g str>) {
    let place = |node| served.members.binary_search(&node).unwrap();
    let kind = match update.reason.state {
        State::Open => UpdateKind::Open,
        State::Conditional(_) => UpdateKind::Conditional,
        State::Blocked => UpdateKind::Blocked,
    };
    let names = served.whole.risk_names(&update.reason.state);
    (place(update.from), place(update.to), kind, names)
}

/// The updates that a request asks for, computed independently.
fn requested_updates<'g>(served: &Served<'g>, request: &PictureRequest) -> Vec<Update<'g>> {
    let is_wanted = |update: &Update<'_>| {
        let touches = |node| update.from == node || update.to == node;
        let matters = match &request.only {
            UpdateFilter::All => true,
            UpdateFilter::Conditional => matches!(update.reason.state, State::Conditional(_)),
            UpdateFilter::FromStranded(nodes) => nodes.contains(&update.from),
        };
        matters && request.around.is_none_or(touches) && (request.blocked || update.is_served())
    };
    served.updates().filter(is_wanted).collect()
}

/// Compares all of a picture with the graph, one update at a time.
fn assert_picture_true(served: &Served<'_>, request: &PictureRequest) -> Picture {
    let picture = Picture::of(served, request);
    let groups = &picture.groups;
    let group_of = |place: usize| groups.iter().position(|group| group.releases.contains(&place));
    for pair in groups.windows(2) {
        assert!(pair[0].releases.end <= pair[1].releases.start, "groups overlap");
    }
    // Every requested update is in exactly one bundle: that of its ends and its kind.
    let mut held: Vec<(&Bundle, Vec<Update<'_>>)> =
        picture.bundles().map(|bundle| (bundle, Vec::new())).collect();
    for update in requested_updates(served, request) {
        let (from, to, kind, _) = drawn_as(served, &update);
        let (from, to) = (group_of(from).unwrap(), group_of(to).unwrap());
        let arrows = picture.arrows.iter().filter(|arrow| {
            arrow.to == to && arrow.from.contains(&from) && arrow.bundle.kind == kind
        });
        let inside = groups[to].inside.iter().filter(|bundle| from == to && bundle.kind == kind);
        let bundles: Vec<&Bundle> = arrows.map(|arrow| &arrow.bundle).chain(inside).collect();
        let [bundle] = bundles[..] else { panic!("{bundles:?}") };
        held.iter_mut().find(|(known, _)| std::ptr::eq(*known, bundle)).unwrap().1.push(update);
    }
    for (bundle, updates) in held {
        assert_bundle_true(served, bundle, &updates);
        if request.around.is_some() {
            assert!(bundle.is_uniform && bundle.updates == bundle.pairs, "not exact: {bundle:?}");
            assert!([0, bundle.updates].contains(&bundle.uncertain), "not exact: {bundle:?}");
        }
    }
    assert_groups_true(served, &picture);
    picture
}

fn assert_bundle_true(served: &Served<'_>, bundle: &Bundle, updates: &[Update<'_>]) {
    let all: Vec<_> = updates.iter().map(|update| drawn_as(served, update)).collect();
    let hull = |places: &[usize]| -> Run {
        *places.iter().min().unwrap()..*places.iter().max().unwrap() + 1
    };
    let origins: Vec<usize> = all.iter().map(|update| update.0).collect();
    let targets: Vec<usize> = all.iter().map(|update| update.1).collect();
    let names: BTreeSet<&str> = all.iter().flat_map(|update| update.3.iter().copied()).collect();
    let looks: BTreeSet<&Vec<&str>> = all.iter().map(|update| &update.3).collect();
    let doubt = |update: &&Update<'_>| update.edge.knowledge == Knowledge::Uncertain;
    assert_eq!(bundle.updates, all.len());
    assert_eq!((&bundle.origins, &bundle.targets), (&hull(&origins), &hull(&targets)));
    assert!(bundle.risks.iter().map(|name| &**name).eq(names));
    assert_eq!(bundle.is_uniform, looks.len() == 1);
    assert_eq!(bundle.uncertain, updates.iter().filter(doubt).count());
    let leads_back = all.iter().any(|(from, to, ..)| to < from);
    let pairs =
        bundle.origins.clone().flat_map(|from| bundle.targets.clone().map(move |to| (from, to)));
    let possible = pairs.filter(|(from, to)| from < to || (leads_back && to < from));
    assert_eq!(bundle.pairs, possible.count());
}

fn assert_groups_true(served: &Served<'_>, picture: &Picture) {
    let minor = |place: usize| {
        let version = &served.whole.release(served.members[place]).version;
        (version.major, version.minor)
    };
    for column in &picture.columns {
        for group in &picture.groups[column.groups.clone()] {
            let targets = |place: usize| {
                let updates = served.updates().filter(Update::is_served);
                updates.map(|u| drawn_as(served, &u)).filter(move |u| u.0 == place).map(|u| u.1)
            };
            let none = group.releases.clone().filter(|place| targets(*place).next().is_none());
            assert_eq!(group.without_updates, none.count());
            let newest = minor(served.members.len() - 1);
            if group.releases.clone().any(|place| minor(place) < newest) {
                let hops = |place: usize| targets(place).any(|to| minor(to) > minor(place));
                let without = group.releases.clone().filter(|place| !hops(*place)).count();
                assert_eq!(group.without_hop, Some(without));
            } else {
                assert_eq!(group.without_hop, None);
            }
        }
    }
}

/// No card covers another, and no line crosses one.
fn assert_no_overlaps(svg: &str) {
    let document = roxmltree::Document::parse(svg).unwrap();
    let number = |node: roxmltree::Node<'_, '_>, name: &str| -> i64 {
        node.attribute(name).unwrap().parse().unwrap()
    };
    let class = |node: &roxmltree::Node<'_, '_>| node.attribute("class").unwrap_or("").to_owned();
    let cards: Vec<(i64, i64, i64, i64)> = document
        .descendants()
        .filter(|node| node.has_tag_name("rect") || node.tag_name().name() == "rect")
        .filter(|node| class(node).starts_with("card"))
        .map(|rect| {
            let (x, y) = (number(rect, "x"), number(rect, "y"));
            (x, y, x + number(rect, "width"), y + number(rect, "height"))
        })
        .collect();
    for (at, a) in cards.iter().enumerate() {
        for b in &cards[at + 1..] {
            assert!(a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1, "cards overlap");
        }
    }
    let arrows = document.descendants().filter(|node| class(node) == "arrow");
    for path in arrows.flat_map(|arrow| arrow.children()).filter_map(|node| node.attribute("d")) {
        for (x1, y1, x2, y2) in segments(path) {
            for (left, top, right, bottom) in &cards {
                let apart = x2 <= *left || x1 >= *right || y2 <= *top || y1 >= *bottom;
                assert!(apart, "{path} runs through a card");
            }
        }
    }
}

/// The segments of a path of `M`, `H`, and `V`, each from its smaller to its larger end.
fn segments(path: &str) -> Vec<(i64, i64, i64, i64)> {
    let mut at = (0, 0);
    let mut pieces = Vec::new();
    let starts: Vec<usize> = path.match_indices(['M', 'H', 'V']).map(|(start, _)| start).collect();
    let ends = starts.iter().skip(1).copied().chain([path.len()]);
    for (start, end) in starts.iter().zip(ends) {
        let numbers: Vec<i64> =
            path[start + 1..end].split(' ').map(|number| number.parse().unwrap()).collect();
        let next = match &path[*start..=*start] {
            "M" => (numbers[0], numbers[1]),
            "H" => (numbers[0], at.1),
            _ => (at.0, numbers[0]),
        };
        if path[*start..].starts_with(['H', 'V']) {
            let (x1, x2) = (at.0.min(next.0), at.0.max(next.0));
            pieces.push((x1, at.1.min(next.1), x2, at.1.max(next.1)));
        }
        at = next;
    }
    pieces
}

fn assert_within_limits(picture: &Picture) {
    let mermaid = write(picture, Format::Mermaid);
    let edges = mermaid.lines().filter(|line| line.contains("-->") || line.contains("-.->"));
    assert!(edges.count() < 500);
    assert!(mermaid.chars().count() < 50_000, "{}", mermaid.chars().count());
    assert_no_overlaps(&write(picture, Format::Svg));
    for format in PICTURES.iter().copied() {
        assert_eq!(write(picture, format), write(picture, format));
    }
}

/// Each release has updates to all newer releases of its minor and the next.
fn graph_of_minors(
    minors: u32,
    patches: u32,
    risks: impl Fn(u32, u32) -> &'static [&'static str],
) -> UpdateGraph {
    let places = (0..minors).flat_map(|minor| (0..patches).map(move |patch| (minor, patch)));
    let places: Vec<(u32, u32)> = places.collect();
    let versions: Vec<String> =
        places.iter().map(|(minor, patch)| format!("4.{minor}.{patch}")).collect();
    let versions: Vec<&str> = versions.iter().map(String::as_str).collect();
    let mut updates = Vec::new();
    for (from, origin) in places.iter().enumerate() {
        for (to, target) in places.iter().enumerate().skip(from + 1) {
            if target.0 <= origin.0 + 1 {
                updates.push((from, to, risks(target.0, target.1)));
            }
        }
    }
    graph(&versions, &updates)
}

#[test]
fn releases_with_similar_updates_are_one_group() {
    let graph = graph_of_minors(2, 30, |minor, patch| match (minor, patch) {
        (1, 10..20) => &["OldKernel"],
        _ => &[],
    });
    let picture = assert_picture_true(&served(&graph), &PictureRequest::default());
    let groups: Vec<String> = picture
        .groups
        .iter()
        .map(|group| {
            let (first, last) = (group.releases.start, group.releases.end - 1);
            format!("{}–{}", picture.versions[first], picture.versions[last])
        })
        .collect();
    assert_eq!(groups, ["4.0.0–4.0.29", "4.1.0–4.1.9", "4.1.10–4.1.19", "4.1.20–4.1.29"]);
    let svg = write(&picture, Format::Svg);
    assert!(svg.contains("from 4.0.0–4.0.29: 300 updates<") && svg.contains("OldKernel"), "{svg}");
}

#[test]
fn few_releases_are_not_folded() {
    let graph = graph(
        &["4.1.0", "4.1.1", "4.2.0"],
        &[(0, 1, &[]), (0, 2, &["SlowDisks"]), (1, 2, &[BLOCK])],
    );
    let served = served(&graph);
    let picture = assert_picture_true(&served, &PictureRequest::default());
    assert_eq!((picture.groups.len(), picture.arrows.len()), (3, 2));
    assert!(picture.notes.iter().any(|note| note.contains("1 blocked update")));
    let picture = assert_picture_true(
        &served,
        &PictureRequest { blocked: true, ..PictureRequest::default() },
    );
    assert_eq!(picture.arrows.len(), 3);
    for (format, dotted) in [(Format::Dot, "style=dotted"), (Format::Svg, "class=\"dotted\"")] {
        assert!(write(&picture, format).contains(dotted));
    }
    let around =
        PictureRequest { around: Some(release(&served, "4.2.0")), ..PictureRequest::default() };
    let picture = assert_picture_true(&served, &around);
    assert_eq!((picture.groups.len(), picture.arrows.len()), (2, 1));
}

#[test]
fn risks_of_only_some_updates_are_marked() {
    let graph =
        graph_of_minors(1, 40, |_, patch| if patch % 2 == 0 { &["A", "B"] } else { &["B", "C"] });
    let picture = assert_picture_true(&served(&graph), &PictureRequest::default());
    assert!(write(&picture, Format::Svg).contains("some of A, B, C"));
}

#[test]
fn mermaid_says_what_it_omits() {
    let names: Vec<String> = (0..1500).map(|patch| format!("4.1.{patch}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let risks: [&[&str]; 2] = [&[], &["Odd"]];
    let updates: Vec<(usize, usize, &[&str])> =
        (1..names.len()).map(|to| (0, to, risks[to % 2])).collect();
    let graph = graph(&names, &updates);
    let served = served(&graph);
    let around =
        PictureRequest { around: Some(release(&served, "4.1.0")), ..PictureRequest::default() };
    let picture = assert_picture_true(&served, &around);
    assert_eq!(picture.arrows.len(), 1499, "around one release, nothing is folded that differs");
    assert_within_limits(&picture);
    assert!(
        write(&picture, Format::Mermaid).contains("Omitted, because GitHub does not draw more")
    );
}

#[test]
fn names_with_markup_are_escaped() {
    const HOSTILE: &str = "</text><script>alert(1)</script>\"]-->x[\" & ' `*` #quot; \\ \u{1b}[2J\u{202e}\u{ffff}\r\n%%{init: {}}%%";
    let channel = "stable\"]<b>\u{1b}";
    let of = |channel: &str, risk: &str| {
        let graph =
            graph_in(channel, &["4.1.0", "4.1.1", "4.2.0"], &[(0, 1, &[]), (0, 2, &[risk])]);
        let served = Served::of(&graph, graph.channel(channel).unwrap(), Arch::Amd64);
        let picture = Picture::of(&served, &PictureRequest::default());
        PICTURES.iter().map(|format| write(&picture, *format)).collect::<Vec<_>>()
    };
    let tame = of("stable", "Tame");
    let hostile = of(channel, HOSTILE);
    for (tame, hostile) in tame.iter().zip(&hostile).take(2) {
        assert_eq!(tame.lines().count(), hostile.lines().count(), "{hostile}");
    }
    for text in &hostile {
        assert!(!text.contains("<script") && !text.contains("<b>"), "{text}");
        assert!(!text.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}'), "{text}");
    }
    let [dot, mermaid, svg] = hostile.as_slice() else { panic!("three formats") };
    // Outside of arrows, `<` and `>` of the dot language are in pairs, and strings end.
    assert_eq!(dot.matches('<').count(), dot.replace("->", "").matches('>').count(), "{dot}");
    assert!(dot.lines().all(|line| line.matches('"').count().is_multiple_of(2)), "{dot}");
    for line in mermaid.lines() {
        assert!(line.matches('"').count() <= 4 && !line.contains("%%"), "{line}");
        assert!(!line.replace("<br/>", "").contains('<'), "{line}");
    }
    let document = roxmltree::Document::parse(svg).unwrap();
    let shown = document.descendants().filter(roxmltree::Node::is_text);
    let shown: String = shown.filter_map(|node| node.text()).collect();
    assert!(shown.contains("<script>alert(1)</script>"), "it is still to be read: {shown}");
    let tags: BTreeSet<&str> = document.descendants().map(|node| node.tag_name().name()).collect();
    let known =
        ["", "circle", "desc", "g", "path", "polygon", "rect", "style", "svg", "text", "title"];
    assert!(tags.iter().all(|tag| known.contains(tag)), "{tags:?}");
}

#[test]
fn many_minors_share_columns() {
    let graph = graph_of_minors(40, 2, |minor, _| if minor % 3 == 0 { &["Third"] } else { &[] });
    let picture = assert_picture_true(&served(&graph), &PictureRequest::default());
    assert!(picture.columns.len() <= 6 && picture.arrows.len() <= 120);
    assert_within_limits(&picture);
}

#[test]
fn a_channel_without_releases_is_an_empty_picture() {
    let graph = graph(&["4.1.0"], &[]);
    let served = Served::of(&graph, graph.channel("c").unwrap(), Arch::S390x);
    let picture = Picture::of(&served, &PictureRequest::default());
    assert_eq!((picture.groups.len(), picture.arrows.len()), (0, 0));
    assert_within_limits(&picture);
}

/// The sets of risks that random updates have.
const RISKS: [&[&str]; 7] =
    [&[], &[], &["A"], &["A", "B"], &["B", "C", "D", "E", "F"], &[BLOCK], &[DOUBT]];

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn random_pictures_are_true(
        minors in 1..5_usize,
        patches in 1..14_usize,
        chance in 1..100_u8,
        dice in proptest::collection::vec((0..100_u8, 0..49_usize), 3600),
        around in 0..60_usize,
    ) {
        let places: Vec<String> = (0..minors)
            .flat_map(|minor| (0..patches).map(move |patch| format!("4.{minor}.{patch}")))
            .collect();
        let versions: Vec<&str> = places.iter().map(String::as_str).collect();
        let pairs = (0..versions.len()).flat_map(|from| (0..versions.len()).map(move |to| (from, to)));
        let updates: Vec<(usize, usize, &[&str])> = pairs
            .zip(&dice)
            // Few updates lead to older releases.
            .filter(|((from, to), (die, _))| if from < to { die < &chance } else { from > to && *die < 3 })
            // Most neighbors are similar.
            .map(|((from, to), (_, die))| {
                (from, to, RISKS[if *die < 7 { *die } else { to / 5 % RISKS.len() }])
            })
            .collect();
        let graph = graph(&versions, &updates);
        let served = served(&graph);
        let around = served.members[around % served.members.len()];
        let stranded = served.members.iter().copied().skip(3).step_by(9).collect();
        for request in [
            PictureRequest::default(),
            PictureRequest { only: UpdateFilter::Conditional, ..PictureRequest::default() },
            PictureRequest { blocked: true, ..PictureRequest::default() },
            PictureRequest {
                only: UpdateFilter::FromStranded(stranded),
                blocked: true,
                ..PictureRequest::default()
            },
            PictureRequest { around: Some(around), blocked: true, ..PictureRequest::default() },
            PictureRequest {
                around: Some(around),
                only: UpdateFilter::Conditional,
                ..PictureRequest::default()
            },
        ] {
            let picture = assert_picture_true(&served, &request);
            assert_within_limits(&picture);
            if request.around.is_none() {
                prop_assert!(picture.arrows.len() <= 120);
            }
        }
    }
}

/// Pictures of the service's answers, if they are available.
#[test]
fn pictures_of_real_channels_are_within_limits() {
    let Some(folder) = real_data("served") else { return };
    let mut figures = String::new();
    for path in crate::files_below(&folder) {
        let channel = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let graph = UpdateGraph::adopt(&GraphFile::read(SourceId::at(0), &text), Arch::Amd64);
        let served = Served::of(&graph, graph.channel(channel).unwrap(), Arch::Amd64);
        let middle = served.members[served.members.len() / 2];
        for request in [
            PictureRequest::default(),
            PictureRequest { only: UpdateFilter::Conditional, ..PictureRequest::default() },
            PictureRequest { around: Some(middle), ..PictureRequest::default() },
        ] {
            let picture = assert_picture_true(&served, &request);
            assert_within_limits(&picture);
            assert!(picture.groups.len() <= 40 && picture.arrows.len() <= 120);
            let (groups, arrows) = (picture.groups.len(), picture.arrows.len());
            let _ = writeln!(figures, "{}: {groups} boxes, {arrows} arrows", picture.title);
        }
    }
    eprint!("{figures}");
}
