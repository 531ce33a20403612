//! For any file of Cincinnati JSON, the report is safe to print, and a cluster that reads it
//! as an answer does not panic.

#![no_main]

mod report;

use exitpath::testing::cluster::ServiceAnswer;
use exitpath::testing::lint::{Request, lint_graphs};
use exitpath::testing::tree::Blob;
use libfuzzer_sys::fuzz_target;

use report::expect_safe;

fuzz_target!(|input: &[u8]| {
    let path = "graph.json";
    let blob = Blob::new(path.into(), Ok(input.to_vec()));
    let (sources, outcome) = lint_graphs([blob], &Request::default());
    expect_safe(&sources, &outcome, "graph.json", input);
    let answer = std::str::from_utf8(input).ok().map(ServiceAnswer::parse);
    if let Some(Ok(answer)) = answer {
        for node in answer.nodes.iter().take(3) {
            let _ = answer.offered_to(&node.version.to_string(), "stable-4.18");
        }
    }
});
