//! Rules about declarations run on one side of a change only. They must not look at feeders, at
//! build suggestions, or at which channels have a release.

use std::path::Path;

use exitpath::testing::graph_data::{self, GraphData};
use exitpath::testing::rules::{Check, Finding, Rule};
use exitpath::testing::tree::Blob;

use crate::shared::rule_examples::FIXTURES;

pub(crate) fn judge(rule: &Rule) {
    let Check::Declarations(check) = rule.check else { return };
    let folder = Path::new(FIXTURES).join(rule.name).join("bad");
    let blobs = graph_data::blobs(&folder, None).unwrap();
    let found = |blobs: Vec<Blob>| -> Vec<String> {
        let mut findings = Vec::new();
        check(&GraphData::from_blobs(blobs), &mut findings);
        let text = |one: &Finding| {
            format!("{} {:?} {:?} {}", one.message, one.severity, one.help, one.related.len())
        };
        findings.iter().map(text).collect()
    };
    let data = GraphData::from_blobs(blobs.clone());
    let all = with_other_channels(&data, &blobs);
    let is_same = GraphData::from_blobs(all.clone()).releases.are_those_of(&data.releases);
    assert!(is_same, "the other channels have other releases");
    assert_eq!(found(blobs), found(all), "the rule looks at more than declarations");
}

/// The files, with the same releases, declarations, and tombstones. Another channel has all
/// releases, and there are other feeders and build suggestions.
fn with_other_channels(data: &GraphData, blobs: &[Blob]) -> Vec<Blob> {
    let releases = data.releases.iter().map(|(_, release)| format!("- {}\n", release.text));
    let releases: String = releases.collect();
    let more = [
        (
            "channels/zz-1.0.yaml",
            "name: zz-1.0\nversions: []\nfeeder:\n  name: zz\n  delay: P1W\n".to_owned(),
        ),
        ("channels/fast-4.0.yaml", format!("name: fast-4.0\nversions:\n{releases}")),
        ("build-suggestions/4.14.yaml", "default:\n  minor_min: 4.13.1\n".to_owned()),
    ];
    let more = more.map(|(path, text)| Blob::new(path.to_owned(), Ok(text.into_bytes())));
    let mut all = blobs.to_vec();
    all.retain(|blob| more.iter().all(|new| new.path != blob.path));
    all.extend(more);
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all
}
