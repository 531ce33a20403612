//! Where a script begins.

use std::path::Path;

use crate::catalog::Package;
use crate::catalog::package::{Bundle, CatalogChannel};
use crate::cli::catalog_args::CatalogFailForwardArgs;
use crate::olm::{
    Health, Namespace, ObjectFinding, Phase, State, Strategy, Subscription, from_catalog,
    read_namespace,
};
use crate::report::PlacedFinding;
use crate::text::{Failure, Source};

use super::LARGEST;
use super::names::resolved;
use crate::cli::file_text::{file_text, named};

/// A namespace, and what is wrong with the objects that it was read from.
pub(super) struct Start {
    pub(super) namespace: Namespace,
    pub(super) findings: Vec<PlacedFinding>,
}

/// The namespace of `--installed`.
const NAMESPACE: &str = "operators";

impl Start {
    pub(super) fn read(
        args: &CatalogFailForwardArgs,
        packages: &[Package],
    ) -> Result<Self, Failure> {
        match (&args.namespace, &args.installed) {
            (Some(file), _) => Self::of_file(file, args.within.as_deref()),
            (None, Some(installed)) => Self::of_install(installed, args, packages),
            (None, None) => Err(Failure::new("there is no beginning")),
        }
    }

    fn of_file(file: &Path, within: Option<&str>) -> Result<Self, Failure> {
        let path = named(file);
        let text = file_text(file, LARGEST)?;
        let read = read_namespace(&text, within).map_err(|failure| failure.cannot_use(&path))?;
        let mut namespace = read.namespace;
        let source = Source::new(path.clone(), text);
        let mut findings: Vec<PlacedFinding> =
            read.findings.into_iter().map(|finding| placed(finding, &source)).collect();
        if read.sources.len() > 1 {
            findings.push(several_sources(&path, &read.sources.into_iter().collect::<Vec<_>>()));
        }
        namespace.made = 0;
        Ok(Self { namespace, findings })
    }

    /// One Subscription that has an entry installed.
    fn of_install(
        installed: &str,
        args: &CatalogFailForwardArgs,
        packages: &[Package],
    ) -> Result<Self, Failure> {
        let (package, bundle) = found(installed, args.place.package.as_deref(), packages)?;
        let channel = channel(package, bundle, args.place.only_channel()?)?;
        let mut namespace = Namespace::new(NAMESPACE, args.strategy.unwrap_or(Strategy::Default));
        let mut csv = from_catalog(&bundle.name, "", packages, Health::Healthy);
        csv.phase = Phase::Succeeded;
        namespace.csvs.insert(csv);
        let subscription = Subscription {
            package: package.name.clone(),
            channel: channel.name.clone(),
            installed: bundle.name.clone(),
            current: bundle.name.clone(),
            state: State::AtLatestKnown,
            ..Subscription::default()
        };
        namespace.subscriptions.insert(package.name.clone(), subscription);
        Ok(Self { namespace, findings: Vec::new() })
    }
}

/// The bundle with a name, a version, or a name behind that of its package.
fn found<'p>(
    wanted: &str,
    package: Option<&str>,
    packages: &'p [Package],
) -> Result<(&'p Package, &'p Bundle), Failure> {
    let all = || {
        let wanted = packages.iter().filter(|one| package.is_none_or(|name| name == one.name));
        wanted.flat_map(|one| one.bundles.iter().map(move |bundle| (one, bundle)))
    };
    let names: Vec<&str> = all().map(|(_, bundle)| bundle.name.as_str()).collect();
    let versions = |name: &str| {
        let bundle = all().find(|(_, bundle)| bundle.name == name)?.1;
        Some(bundle.version.as_ref()?.text())
    };
    let name = resolved(wanted, &names, &versions)?;
    let mut found = all().filter(|(_, bundle)| bundle.name == name);
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => Err(Failure::new(format!("several packages have a bundle `{name}`"))
            .hint("name the package with `--package`")),
        (None, _) => Err(Failure::unknown("entry", wanted, names.into_iter())),
    }
}

/// The channel of the Subscription: the wanted one, or the default channel, or any with the entry.
fn channel<'p>(
    package: &'p Package,
    bundle: &Bundle,
    wanted: Option<&str>,
) -> Result<&'p CatalogChannel, Failure> {
    let names = || package.channels.iter().map(|channel| channel.name.as_str());
    if let Some(wanted) = wanted {
        let found = package.channel(wanted);
        return found.ok_or_else(|| Failure::unknown("channel", wanted, names()));
    }
    let has_it =
        |channel: &&CatalogChannel| channel.entries.iter().any(|one| one.name == bundle.name);
    let with_it = package.channels.iter().find(has_it);
    let default = package.channel(&package.default_channel).filter(has_it);
    default.or(with_it).ok_or_else(|| {
        Failure::new(format!("no channel has the entry `{}`", bundle.name))
            .hint("name the channel of the Subscription with `--channel`")
    })
}

fn placed(finding: ObjectFinding, source: &Source) -> PlacedFinding {
    let position = finding.at.map(|at| source.position(at));
    PlacedFinding {
        severity: finding.severity,
        path: source.path().to_owned(),
        line: position.map(|position| position.line),
        column: position.map(|position| position.column),
        message: finding.message,
        help: finding.help,
    }
}

fn several_sources(path: &str, sources: &[String]) -> PlacedFinding {
    PlacedFinding {
        severity: crate::domain::Severity::Warning,
        path: path.to_owned(),
        line: None,
        column: None,
        message: format!(
            "The Subscriptions use different catalogs: {}. exitpath takes one catalog for all of \
             them.",
            crate::text::words::listed(sources, "and")
        ),
        help: "Give a catalog that has the packages of all Subscriptions.".to_owned(),
    }
}
