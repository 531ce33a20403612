//! For any file of a catalog, the report is safe to print, and simulating does not panic.

#![no_main]

mod report;

use std::collections::BTreeMap;

use exitpath::testing::catalog::substitution::{Requests, SubstitutedPackage, Substitutions};
use exitpath::testing::catalog::{
    ChannelMoves, Edits, Pool, Resolver, first_install, load_texts, packages,
};
use exitpath::testing::domain::Named;
use exitpath::testing::lint::{CatalogState, Request, lint_catalogs};
use exitpath::testing::rules::CatalogSubject;
use libfuzzer_sys::fuzz_target;

use report::expect_safe;

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input).into_owned();
    let loaded = load_texts(&BTreeMap::from([("catalog.yaml".to_owned(), text)]));
    let packages: Vec<_> =
        loaded.catalogs.iter().map(|catalog| packages(&catalog.declared)).collect();
    let subjects: Vec<CatalogSubject<'_>> = loaded
        .catalogs
        .iter()
        .zip(&packages)
        .map(|(catalog, packages)| CatalogSubject::new(catalog, packages, &[]))
        .collect();
    let state = CatalogState { loaded: &loaded, subjects: &subjects };
    let outcome = lint_catalogs(state, Some(state), &Request::default());
    expect_safe(&loaded.sources, &outcome, "catalog.yaml", input);
    for package in packages.iter().flatten() {
        for channel in &package.channels {
            for resolver in Resolver::ALL.iter().copied() {
                let Ok(moves) = ChannelMoves::of(package, channel, &[], resolver) else { continue };
                let stuck = moves.stuck();
                let edits = Edits::of(&moves, &stuck);
                assert_eq!(edits.single.len(), stuck.len());
            }
        }
    }
    for catalog in &loaded.catalogs {
        let requests = Requests::of(&catalog.declared);
        for package in SubstitutedPackage::of(&catalog.declared, &requests) {
            let substitutions = Substitutions::new(&package.before, &package.chains, []);
            for channel in &package.before.channels {
                let Ok(once) = substitutions.apply(channel) else { continue };
                let Ok(twice) = substitutions.apply(&once) else { continue };
                assert_eq!(format!("{twice:?}"), format!("{once:?}"), "once is enough");
            }
        }
    }
    let all: Vec<_> = packages.into_iter().flatten().collect();
    let pool = Pool::new("catalog", &all);
    for package in &all {
        for channel in &package.channels {
            let _ = first_install(&pool, &package.name, &channel.name, "");
        }
    }
});
