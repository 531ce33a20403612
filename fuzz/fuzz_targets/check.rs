//! For any content of one file, the report is safe to print.

#![no_main]

mod report;

use exitpath::testing::graph_data::GraphData;
use exitpath::testing::lint::{Request, lint};
use exitpath::testing::tree::Blob;
use libfuzzer_sys::fuzz_target;

use report::expect_safe;

const PATHS: [&str; 6] = [
    "blocked-edges/4.14.3-A.yaml",
    "build-suggestions/4.14.yaml",
    "channels/stable-4.14.yaml",
    "internal-channels/stable.yaml",
    "raw/metadata.json",
    "version",
];

fuzz_target!(|input: (u8, &[u8])| {
    let path = PATHS[usize::from(input.0) % PATHS.len()];
    let data = GraphData::from_blobs(vec![Blob::new(path.into(), Ok(input.1.to_vec()))]);
    let outcome = lint(&data, None, &Request::default());
    expect_safe(&data.sources, &outcome, path, input.1);
});
