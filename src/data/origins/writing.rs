//! Writes the pattern for a set of origins, as a careful person does.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::version::write_text;
use crate::domain::{Arch, Minor, Named, Version};
use crate::graph_data::Matcher;

use super::minors::{KnownMinor, KnownReleases, MinorOrigins, Origins, PreReleases};
use super::numbers::{Numbers, either};

/// What follows the patch in a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    /// Anything: whole minors.
    Anything,
    /// The architecture.
    Release,
    /// A pre-release, or the architecture.
    WithPreReleases,
}

impl Ending {
    fn pattern(self, arch: Option<Arch>) -> String {
        match (self, arch) {
            (Self::Anything, None) => ".*".to_owned(),
            (Self::Release, None) => "[+].*".to_owned(),
            (Self::WithPreReleases, None) => "[-+].*".to_owned(),
            (Self::Release, Some(arch)) => format!("[+]{}", arch.name()),
            (_, Some(arch)) => format!(".*[+]{}", arch.name()),
        }
    }
}

/// A part of a pattern: what follows the minor, and how it ends.
type PatternEnd = (Vec<String>, Ending);

/// The minors that share a part. An empty set stands for all minors of the major.
type SharedPart = (BTreeSet<u64>, PatternEnd);

impl Origins {
    /// A pattern that matches these origins, and no others of the known releases and the next ones.
    /// None if no such pattern exists.
    pub(crate) fn written(&self, known: &KnownReleases, arch: Option<Arch>) -> Option<String> {
        let pattern = self.pattern(known, arch);
        let matcher = Matcher::of(&pattern);
        // Without an architecture, the pattern ends in `.*` and names none, so one architecture
        // represents all.
        let usual = [Arch::default()];
        let architectures = if arch.is_some() { Arch::ALL } else { &usual };
        let mut served = String::new();
        let mut is_right = |version: &Version| {
            let is_origin = self.hold(version);
            let is_for = |one: Arch| is_origin && arch.is_none_or(|only| only == one);
            served.clear();
            write_text(version, &mut served);
            served.push('+');
            let core = served.len();
            architectures.iter().all(|one| {
                served.truncate(core);
                served.push_str(one.name());
                matcher.is_match(&served) == is_for(*one)
            })
        };
        known.all().all(|version| is_right(&version)).then_some(pattern)
    }

    fn pattern(&self, known: &KnownReleases, arch: Option<Arch>) -> String {
        let mut by_major: BTreeMap<u64, Vec<SharedPart>> = BTreeMap::new();
        for (minor, origins) in &self.0 {
            let part = part(*minor, origins, known);
            let parts = by_major.entry(minor.major).or_default();
            match parts.iter_mut().find(|(_, other)| *other == part) {
                Some((minors, _)) => drop(minors.insert(minor.minor)),
                None => parts.push((BTreeSet::from([minor.minor]), part)),
            }
        }
        // All minors of a major need no list.
        for (major, parts) in &mut by_major {
            if let [(minors, (_, Ending::Anything))] = parts.as_mut_slice()
                && known.minors_of(*major).all(|minor| minors.contains(&minor))
            {
                minors.clear();
            }
        }
        let is_whole = |major: u64| {
            by_major.get(&major).is_some_and(|parts| parts.iter().all(|(all, _)| all.is_empty()))
        };
        if known.minors().all(|(minor, _)| is_whole(minor.major)) {
            return Ending::Anything.pattern(arch);
        }
        let endings: BTreeSet<Ending> =
            by_major.values().flatten().map(|(_, (_, ending))| *ending).collect();
        // Where all end alike, the end is written once. Whole minors can have any end.
        let mut specific = endings.iter().copied().filter(|ending| *ending != Ending::Anything);
        let common = match (specific.next(), specific.next()) {
            (None, _) => Some(Ending::Anything),
            (Some(only), None) => Some(only),
            (Some(_), Some(_)) => None,
        };
        let majors: Vec<String> = by_major
            .iter()
            .map(|(major, parts)| {
                let texts: Vec<String> =
                    parts.iter().map(|part| text(part, common, arch)).collect();
                format!("{major}[.]{}", either(&texts))
            })
            .collect();
        either(&majors) + &common.map_or_else(String::new, |ending| ending.pattern(arch))
    }
}

/// The pattern of some minors and what follows them, without the common ending.
fn text(
    (minors, (rest, ending)): &SharedPart,
    common: Option<Ending>,
    arch: Option<Arch>,
) -> String {
    let end = match (common, ending) {
        (Some(common), ending) if common == *ending => String::new(),
        (Some(_), _) => ".*".to_owned(),
        (None, ending) => ending.pattern(arch),
    };
    if minors.is_empty() {
        return end;
    }
    let minors = either(&Numbers::new(minors.iter().copied(), None).alternatives(0));
    format!("{minors}[.]{}{end}", either(rest))
}

fn part(minor: Minor, origins: &MinorOrigins, known: &KnownReleases) -> PatternEnd {
    let most = known.minor(minor).map_or(0, KnownMinor::last_patch);
    let MinorOrigins { patches, pre_releases } = origins;
    let mut alternatives = if patches.is_empty() { Vec::new() } else { patches.alternatives(most) };
    match pre_releases {
        PreReleases::OfPatches if patches.is_all() => (vec![String::new()], Ending::Anything),
        PreReleases::OfPatches => (alternatives, Ending::WithPreReleases),
        PreReleases::These(some) => {
            alternatives.extend(pre_release_alternatives(some));
            (alternatives, Ending::Release)
        }
    }
}

/// The alternatives for some pre-releases, such as `0-(ec[.][0-3]|rc[.]0)`.
fn pre_release_alternatives(some: &BTreeSet<String>) -> Vec<String> {
    // For each patch, the words of its pre-releases with their numbers.
    let mut words: BTreeMap<&str, BTreeMap<String, BTreeSet<u64>>> = BTreeMap::new();
    for text in some {
        let (patch, pre) = text.split_once('-').unwrap_or((text, ""));
        let of_patch = words.entry(patch).or_default();
        match pre.rsplit_once('.').map(|(word, number)| (word, number.parse())) {
            Some((word, Ok(number))) => {
                of_patch.entry(escaped(word) + "[.]").or_default().insert(number);
            }
            _ => drop(of_patch.entry(escaped(pre)).or_default()),
        }
    }
    let of_patch = |(patch, words): (&str, BTreeMap<String, BTreeSet<u64>>)| {
        let texts: Vec<String> = words
            .into_iter()
            .map(|(word, numbers)| {
                if numbers.is_empty() {
                    return word;
                }
                word + &either(&Numbers::new(numbers, None).alternatives(0))
            })
            .collect();
        format!("{patch}-{}", either(&texts))
    };
    words.into_iter().map(of_patch).collect()
}

/// A part of a version in a pattern. Only its dots mean something there.
fn escaped(text: &str) -> String {
    text.replace('.', "[.]")
}
