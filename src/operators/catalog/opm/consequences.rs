//! Which objections only follow from others, so that one mistake is one finding.

use crate::domain::{HashMap, HashSet};
use crate::text::{Span, closest};

use super::super::declared::{ChannelBlob, Declared, LoadCause, is_within};
use super::objection::{Objection, ObjectionKind, Owner};

/// Hides the objections that disappear with others.
pub(super) fn hide(declared: &Declared, objections: &mut Vec<Objection>) {
    let causes = Causes::of(declared, objections);
    for objection in objections.iter_mut() {
        if causes.explain(objection) {
            objection.hide();
        }
    }
    join_unknown_packages(objections);
    let typos = join_typos(declared, objections);
    for objection in objections.iter_mut() {
        if !typos.is_empty() && is_of_typo(declared, &typos, objection) {
            objection.hide();
        }
    }
    objections.retain(|objection| !objection.is_nobodys());
}

/// The mistakes from which other objections can follow.
struct Causes<'d> {
    declared: &'d Declared,
    /// The places of the documents that opm cannot load, sorted.
    faults: Vec<Span>,
    packages: HashSet<&'d str>,
    has_nameless_package: bool,
    /// The names of bundles whose package does not exist.
    refused_bundles: HashSet<&'d str>,
    /// The names of the channels whose package does not exist.
    refused_channels: HashSet<&'d str>,
    refused_entries: HashSet<&'d str>,
    /// The packages with a channel without a name.
    with_nameless_channel: HashSet<&'d str>,
    /// The entries of all channels, with their package.
    entries: HashSet<(&'d str, &'d str)>,
    /// The packages with any entry.
    with_entries: HashSet<&'d str>,
    without_channels: HashSet<Span>,
    with_build_and_release: HashSet<Span>,
}

impl<'d> Causes<'d> {
    fn of(declared: &'d Declared, objections: &[Objection]) -> Self {
        let spans = |is_cause: fn(&ObjectionKind) -> bool| {
            let causes = objections.iter().filter(move |objection| is_cause(&objection.kind));
            causes.map(|objection| objection.span)
        };
        let faults = declared.faults.iter().filter(|fault| fault.cause != LoadCause::BundleObject);
        let mut faults: Vec<Span> = faults.map(|fault| fault.span).collect();
        faults.sort_unstable();
        let packages = declared.packages.iter().map(|blob| blob.name.value.as_str());
        let packages: HashSet<&str> = packages.filter(|name| !name.is_empty()).collect();
        let is_refused = |package: &str| !packages.contains(package);
        let bundles = declared.bundles.iter().filter(|blob| is_refused(&blob.package.value));
        let channels = || declared.channels.iter();
        let refused = || channels().filter(|blob| is_refused(&blob.package.value));
        let nameless = channels().filter(|blob| blob.name.value.is_empty());
        let entries = |blob: &'d ChannelBlob| {
            let package = blob.package.value.as_str();
            blob.entries.iter().map(move |entry| (package, entry.name.value.as_str()))
        };
        Self {
            declared,
            faults,
            has_nameless_package: spans(|kind| *kind == ObjectionKind::Nameless(Owner::Package))
                .count()
                > 0,
            refused_bundles: bundles.map(|blob| blob.name.value.as_str()).collect(),
            refused_channels: refused().map(|blob| blob.name.value.as_str()).collect(),
            refused_entries: refused().flat_map(entries).map(|(_, name)| name).collect(),
            with_nameless_channel: nameless.map(|blob| blob.package.value.as_str()).collect(),
            entries: channels().flat_map(entries).collect(),
            with_entries: channels().flat_map(entries).map(|(package, _)| package).collect(),
            without_channels: spans(|kind| *kind == ObjectionKind::NoChannels).collect(),
            with_build_and_release: spans(|kind| *kind == ObjectionKind::BuildAndRelease).collect(),
            packages,
        }
    }

    fn explain(&self, objection: &Objection) -> bool {
        if matches!(objection.kind, ObjectionKind::Load(_)) {
            return false;
        }
        let span = objection.span;
        if self.is_of_broken_document(objection) {
            return true;
        }
        match &objection.kind {
            ObjectionKind::UnknownPackage { .. } => self.has_nameless_package,
            ObjectionKind::Unlisted(name) => self.is_unlisted_by_another(name, span),
            ObjectionKind::NoBundle(name)
            | ObjectionKind::UnknownDeprecated { owner: Owner::Bundle, name } => {
                self.refused_bundles.contains(name.as_str())
            }
            ObjectionKind::UnknownDefaultChannel { channel, .. } => {
                self.refused_channels.contains(channel.as_str())
                    || self.has_nameless_channel_in_package_at(span)
            }
            ObjectionKind::UnknownDeprecated { name, .. } => {
                self.refused_channels.contains(name.as_str())
            }
            ObjectionKind::NoChannels => self.has_refused_channel(span),
            ObjectionKind::NoDefaultChannel => {
                self.without_channels.contains(&span) && !self.has_refused_channel(span)
            }
            kind if is_about_chain(kind) => {
                self.declared.channel_around(span).is_some_and(has_broken_entries)
            }
            ObjectionKind::Name { .. } => self.with_build_and_release.contains(&span),
            _ => false,
        }
    }

    /// Whether the objection may exist only because opm cannot load some document.
    fn is_of_broken_document(&self, objection: &Objection) -> bool {
        let span = objection.span;
        match &objection.kind {
            // What seems to be missing may be in a document that opm cannot load.
            ObjectionKind::UnknownPackage { .. }
            | ObjectionKind::Unlisted(_)
            | ObjectionKind::NoBundle(_)
            | ObjectionKind::UnknownDefaultChannel { .. }
            | ObjectionKind::NoChannels
            | ObjectionKind::UnknownDeprecated { .. } => !self.faults.is_empty(),
            ObjectionKind::EmptyChannel(_)
            | ObjectionKind::PackageProperties(_)
            | ObjectionKind::NoDefaultChannel
            | ObjectionKind::NoImage
            | ObjectionKind::DeprecationSchema => self.is_document_broken(span),
            kind if is_about_chain(kind) => self.is_document_broken(span),
            _ => self.faults.binary_search(&span).is_ok(),
        }
    }

    /// Whether the document around a place has a load fault.
    fn is_document_broken(&self, span: Span) -> bool {
        self.declared.document_around(span).is_some_and(|document| {
            let first = self.faults.partition_point(|fault| *fault < Span { end: 0, ..document });
            self.faults.get(first).is_some_and(|fault| is_within(*fault, document))
        })
    }

    fn has_nameless_channel_in_package_at(&self, span: Span) -> bool {
        let package = self.declared.package_around(span);
        package.is_some_and(|blob| self.with_nameless_channel.contains(blob.name.value.as_str()))
    }

    /// Whether a channel may belong to this package, but has a wrong package name or no name.
    fn has_refused_channel(&self, span: Span) -> bool {
        !self.refused_channels.is_empty() || self.has_nameless_channel_in_package_at(span)
    }

    /// Whether another objection explains why the bundle seems to be in no channel: the channel
    /// that lists it is wrong, or no channel of its package has entries.
    fn is_unlisted_by_another(&self, name: &str, span: Span) -> bool {
        let Some(bundle) = self.declared.bundle_around(span) else { return false };
        let package = bundle.package.value.as_str();
        self.entries.contains(&(package, name))
            || self.refused_entries.contains(name)
            || self.packages.contains(package) && !self.with_entries.contains(package)
    }
}

/// Whether the objection is about the head of a channel, or about what its chain reaches.
fn is_about_chain(kind: &ObjectionKind) -> bool {
    matches!(
        kind,
        ObjectionKind::Heads { .. }
            | ObjectionKind::NoHead(_)
            | ObjectionKind::Cycle { .. }
            | ObjectionKind::Stranded { .. }
    )
}

/// Whether an entry is repeated, or has no name.
fn has_broken_entries(channel: &ChannelBlob) -> bool {
    let mut names = HashSet::default();
    let mut entries = channel.entries.iter().map(|entry| entry.name.value.as_str());
    entries.any(|name| name.is_empty() || !names.insert(name))
}

/// Joins the objections to all documents of a package that does not exist.
fn join_unknown_packages(objections: &mut [Objection]) {
    let mut by_package: HashMap<String, (usize, Vec<Span>)> = HashMap::default();
    for (at, objection) in objections.iter_mut().enumerate().filter(|(_, one)| one.is_meant()) {
        let ObjectionKind::UnknownPackage { package, .. } = &objection.kind else { continue };
        match by_package.get_mut(package) {
            None => {
                by_package.insert(package.clone(), (at, Vec::new()));
            }
            Some((_, others)) => {
                others.push(objection.span);
                objection.hide();
            }
        }
    }
    for (first, mut others) in by_package.into_values() {
        if let Some(first) = objections.get_mut(first) {
            first.related.append(&mut others);
        }
    }
}

/// An entry with a misspelled name: its place, its name, and the name of the bundle.
struct Typo {
    entry: Span,
    name: String,
    meant: String,
}

/// With more unlisted bundles than this, none counts as a typo.
const MOST_UNLISTED: usize = 50;

/// Joins the objections to an entry without a bundle and to a bundle without an entry if their
/// names are similar.
fn join_typos(declared: &Declared, objections: &mut [Objection]) -> Vec<Typo> {
    let mut unlisted: HashMap<&str, Vec<(&str, usize)>> = HashMap::default();
    for (at, objection) in objections.iter().enumerate().filter(|(_, one)| one.is_meant()) {
        let ObjectionKind::Unlisted(_) = objection.kind else { continue };
        if let Some(bundle) = declared.bundle_around(objection.span) {
            let of_package = unlisted.entry(&bundle.package.value).or_default();
            of_package.push((&bundle.name.value, at));
        }
    }
    unlisted.retain(|_, of_package| of_package.len() <= MOST_UNLISTED);
    let mut typos = Vec::new();
    for at in 0..objections.len() {
        let objection = &objections[at];
        let (ObjectionKind::NoBundle(name), true) = (&objection.kind, objection.is_meant()) else {
            continue;
        };
        let (name, entry) = (name.clone(), objection.span);
        let package = declared.channel_around(entry).map(|channel| channel.package.value.as_str());
        let Some(of_package) = package.and_then(|package| unlisted.get_mut(package)) else {
            continue;
        };
        let meant = closest(&name, of_package.iter().map(|(name, _)| *name)).map(str::to_owned);
        let found = of_package.iter().position(|(name, _)| Some(*name) == meant.as_deref());
        if let (Some(meant), Some(found)) = (meant, found) {
            let (_, bundle) = of_package.swap_remove(found);
            let place = objections[bundle].span;
            objections[bundle].hide();
            objections[at].related.insert(0, place);
            typos.push(Typo { entry, name, meant });
        }
    }
    typos
}

/// Whether the objection only follows from a misspelled entry, which breaks the chain of its
/// channel.
fn is_of_typo(declared: &Declared, typos: &[Typo], objection: &Objection) -> bool {
    let (ObjectionKind::Heads { heads: entries, .. } | ObjectionKind::Stranded { entries, .. }) =
        &objection.kind
    else {
        return false;
    };
    let Some(channel) = declared.channel_around(objection.span) else { return false };
    let is_named = |name: &str| {
        channel.entries.iter().any(|entry| {
            entry.replaces.value == name || entry.skips.iter().any(|skip| skip.value == name)
        })
    };
    typos.iter().any(|typo| {
        is_within(typo.entry, channel.span) && entries.contains(&typo.name) && is_named(&typo.meant)
    })
}
