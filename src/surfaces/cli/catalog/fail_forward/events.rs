//! The events of the command line, with the names that they mean.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use crate::catalog::Package;
use crate::cli::catalog_args::CatalogFailForwardArgs;
use crate::cli::common_args::CommonArgs;
use crate::cli::print;
use crate::olm::{Event, FORMS, Namespace, Scripted, script};
use crate::session::Catalogs;

use super::super::Stop;
use super::LARGEST;
use super::names::resolved;
use crate::cli::file_text::{file_text, named};
use crate::text::Failure;

/// Events, and the catalogs that they name.
pub(super) struct Script {
    pub(super) events: Vec<Scripted>,
    pub(super) catalogs: Vec<(String, Vec<Package>)>,
}

const MOST_EVENTS: usize = 1_000;

impl Script {
    pub(super) fn read(
        args: &CatalogFailForwardArgs,
        packages: &[Package],
        namespace: &Namespace,
        common: &CommonArgs,
        err: &mut dyn Write,
    ) -> Result<Self, Stop> {
        let mut events: Vec<Scripted> = Vec::new();
        for line in &args.event {
            events.push(parsed(line, "--event")?);
        }
        if let Some(file) = &args.script {
            let path = named(file);
            let text = file_text(file, LARGEST)?;
            for (at, line) in script(&text) {
                events.push(parsed(line, &format!("{path}, line {at}"))?);
            }
        }
        if events.len() > MOST_EVENTS {
            return Err(Failure::new(format!("there are more than {MOST_EVENTS} events")).into());
        }
        let mut catalogs: Vec<(String, Vec<Package>)> = Vec::new();
        for scripted in &events {
            if let Event::CatalogBecomes(folder) = &scripted.event
                && catalogs.iter().all(|(known, _)| known != folder)
            {
                let opened = Catalogs::open(&[PathBuf::from(folder)], false)?;
                let read = opened.read(None)?;
                print::notes(&read.notes, common, err)?;
                let packages = read.packages.into_iter().flatten().collect();
                catalogs.push((folder.clone(), packages));
            }
        }
        let known = KnownNames::of(packages, &catalogs, namespace);
        for scripted in &mut events {
            known.resolve(&mut scripted.event)?;
        }
        Ok(Self { events, catalogs })
    }
}

fn parsed(line: &str, place: &str) -> Result<Scripted, Failure> {
    let event = Event::parse(line)
        .map_err(|why| why.at(place).or_hint(format!("events are {}", FORMS.join("; "))))?;
    Ok(Scripted { text: line.to_owned(), event })
}

/// The names of everything that an event can be about.
struct KnownNames<'n> {
    csvs: BTreeSet<&'n str>,
    plans: BTreeSet<&'n str>,
    versions: Vec<(&'n str, String)>,
}

impl<'n> KnownNames<'n> {
    fn of(
        packages: &'n [Package],
        catalogs: &'n [(String, Vec<Package>)],
        namespace: &'n Namespace,
    ) -> Self {
        let others = catalogs.iter().flat_map(|(_, packages)| packages);
        let bundles = || packages.iter().chain(others.clone()).flat_map(|one| &one.bundles);
        let mut csvs: BTreeSet<&str> = namespace.csvs.iter().map(|(name, _)| name).collect();
        csvs.extend(bundles().map(|bundle| bundle.name.as_str()));
        let planned = namespace.plans.values().flat_map(|plan| &plan.csvs);
        csvs.extend(planned.map(String::as_str));
        let plans = namespace.plans.keys().map(String::as_str).collect();
        let versions = bundles()
            .filter_map(|bundle| Some((bundle.name.as_str(), bundle.version.as_ref()?.text())));
        Self { csvs, plans, versions: versions.collect() }
    }

    fn resolve(&self, event: &mut Event) -> Result<(), Failure> {
        let name = match event {
            Event::Plan { csv, .. } if self.is_plan(csv) => return Ok(()),
            Event::Plan { csv: name, .. }
            | Event::Csv { csv: name, .. }
            | Event::CatalogGains(name)
            | Event::CatalogLoses(name) => name,
            Event::CatalogBecomes(_) | Event::StrategyBecomes(_) => return Ok(()),
        };
        let names: Vec<&str> = self.csvs.iter().copied().collect();
        let version = |wanted: &str| {
            let found = self.versions.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, version)| version.clone())
        };
        *name = resolved(name, &names, &version)?;
        Ok(())
    }

    /// InstallPlans that OLM makes later are `new-1`, `new-2`, and so on.
    fn is_plan(&self, name: &str) -> bool {
        let number = name.strip_prefix("new-").map(str::parse::<usize>);
        self.plans.contains(name) || number.is_some_and(|number| number.is_ok())
    }
}
