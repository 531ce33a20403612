//! Any text as the objects of a namespace: OLM settles, under both strategies.
//!
//! What follows a line `===` is the catalog.

#![no_main]

use std::collections::BTreeMap;

use exitpath::testing::catalog::{Pool, load_texts, packages};
use exitpath::testing::domain::Named;
use exitpath::testing::olm::{Strategy, read_namespace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    let (objects, catalog) = text.split_once("===\n").unwrap_or((&text, ""));
    let loaded = load_texts(&BTreeMap::from([("catalog.yaml".to_owned(), catalog.to_owned())]));
    let packages = packages(&loaded.catalogs[0].declared);
    let pool = Pool::new("catalog", &packages);
    let Ok(read) = read_namespace(objects, None) else { return };
    for finding in &read.findings {
        assert!(!finding.message.is_empty());
    }
    for strategy in Strategy::ALL.iter().copied() {
        let mut namespace = read.namespace.clone();
        namespace.strategy = strategy;
        namespace.settle(&pool);
        let mut again = namespace.clone();
        again.settle(&pool);
        assert_eq!(format!("{again:?}"), format!("{namespace:?}"), "it is settled");
    }
});
