//! The products whose releases an update graph has, and which releases of them are general.

use std::cmp::Ordering;

use super::Version;

/// A product. Its name is in the pre-release part of its versions, or nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    OpenShift,
    /// The community distribution. All its versions are pre-releases by SemVer.
    Okd,
}

impl Product {
    pub fn of(version: &Version) -> Self {
        if okd_parts(version).next().is_some() { Self::Okd } else { Self::OpenShift }
    }
}

/// Whether a release is generally available. `4.20.1`, `4.20.0-okd-scos.1`, and
/// `4.15.0-0.okd-2024-03-10-010116` are. `4.20.0-rc.1` and `4.20.0-okd-scos.ec.1` are not.
pub fn is_general(version: &Version) -> bool {
    match Product::of(version) {
        Product::OpenShift => version.pre.is_empty(),
        Product::Okd => {
            let mut words = okd_parts(version).flat_map(|part| part.split('-')).skip(1);
            words.all(|word| word == "scos" || word == "ga" || is_number(word))
        }
    }
}

/// Orders releases by age. By SemVer, OKD's `4.20.0-okd-scos.ec.1` is newer than
/// `4.20.0-okd-scos.1`. It is older, like all pre-releases.
pub fn by_age(a: &Version, b: &Version) -> Ordering {
    let numbers = |version: &Version| (version.major, version.minor, version.patch);
    let within_patch = || (is_general(a), &a.pre).cmp(&(is_general(b), &b.pre));
    numbers(a).cmp(&numbers(b)).then_with(within_patch)
}

/// The parts of the pre-release that begin with the one that names OKD.
fn okd_parts(version: &Version) -> impl Iterator<Item = &str> {
    let is_name = |part: &str| part.split('-').next() == Some("okd");
    version.pre.split('.').skip_while(move |part| !is_name(part))
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::version::parse;
    use super::{Product, by_age, is_general};

    #[test]
    fn pre_releases_are_older_than_the_release_also_of_okd() {
        let oldest_first = [
            "4.19.9",
            "4.20.0-ec.1",
            "4.20.0-rc.1",
            "4.20.0",
            "4.20.1-0.hotfix-2025-01-01-000000",
            "4.20.1",
            "4.21.0-okd-scos.ec.2",
            "4.21.0-okd-scos.0",
            "4.21.0-okd-scos.9",
            "4.21.0-okd-scos.10",
        ];
        let versions: Vec<_> = oldest_first.iter().filter_map(|text| parse(text)).collect();
        assert_eq!(versions.len(), oldest_first.len());
        assert!(versions.is_sorted_by(|a, b| by_age(a, b).is_lt()));
    }

    #[test]
    fn the_versions_say_which_releases_are_general() {
        let cases = [
            ("4.20.1", Product::OpenShift, true),
            ("4.20.1+amd64", Product::OpenShift, true),
            ("4.20.0-rc.1", Product::OpenShift, false),
            ("4.20.0-0.hotfix-2025-01-01-000000", Product::OpenShift, false),
            ("4.20.0-0.nightly-2025-01-01-000000", Product::OpenShift, false),
            ("4.20.0-0.okdish", Product::OpenShift, false),
            ("4.20.0-okd-scos.0", Product::Okd, true),
            ("4.20.0-okd-scos.17+arm64", Product::Okd, true),
            ("4.20.0-okd-scos.ec.3", Product::Okd, false),
            ("4.20.0-okd-scos.rc.0", Product::Okd, false),
            ("4.15.0-0.okd-2024-03-10-010116", Product::Okd, true),
            ("4.16.0-0.okd-scos-2024-09-27-110344", Product::Okd, true),
            ("4.5.0-0.okd-2020-07-14-153706-ga", Product::Okd, true),
            ("4.4.0-0.okd-2020-05-23-055148-beta5", Product::Okd, false),
            ("4.4.0-0.okd-2020-05-23-055148-alpha", Product::Okd, false),
        ];
        for (text, product, general) in cases {
            let version = parse(text).unwrap_or_else(|| unreachable!("{text}"));
            assert_eq!((Product::of(&version), is_general(&version)), (product, general), "{text}");
        }
    }
}
