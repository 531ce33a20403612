//! The architectures that releases are built for.

use super::Named;

/// An architecture. The service appends it to a version: `4.14.3+amd64`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arch {
    /// The default, because most clusters run it.
    #[default]
    Amd64,
    /// 64-bit Arm.
    Arm64,
    /// Releases whose images are for several architectures.
    Multi,
    /// IBM Power.
    Ppc64le,
    /// IBM Z.
    S390x,
}

impl Arch {
    /// The number of architectures.
    pub const COUNT: usize = Self::ALL.len();

    /// The position in `ALL`.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The architectures that a graph is read for.
#[derive(Clone, Copy, Debug)]
pub struct Architectures<'a> {
    pub all: &'a [Arch],
    /// The architecture of the service responses among the sources, because these do not name one.
    pub of_responses: Arch,
}

impl<'a> Architectures<'a> {
    /// Just one architecture.
    pub fn only(arch: &'a Arch) -> Self {
        Self { all: std::slice::from_ref(arch), of_responses: *arch }
    }

    /// Only the chosen architecture, or all if none is chosen.
    pub fn chosen(arch: Option<&'a Arch>) -> Self {
        arch.map_or(Self::all_with(Arch::default()), Self::only)
    }

    /// All architectures. Service responses are for the given one.
    pub fn all_with(of_responses: Arch) -> Self {
        Self { all: Arch::ALL, of_responses }
    }
}

impl Named for Arch {
    const ALL: &'static [Self] =
        &[Self::Amd64, Self::Arm64, Self::Multi, Self::Ppc64le, Self::S390x];

    fn name(self) -> &'static str {
        match self {
            Self::Amd64 => "amd64",
            Self::Arm64 => "arm64",
            Self::Multi => "multi",
            Self::Ppc64le => "ppc64le",
            Self::S390x => "s390x",
        }
    }
}

impl std::fmt::Display for Arch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ArchSet(u8);

impl ArchSet {
    /// All architectures.
    pub const EVERY: Self = Self((1 << Arch::COUNT) - 1);

    pub fn insert(&mut self, arch: Arch) {
        self.0 |= 1 << arch.index();
    }

    pub fn contains(self, arch: Arch) -> bool {
        self.0 & (1 << arch.index()) != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Arch> {
        Arch::ALL.iter().copied().filter(move |arch| self.contains(*arch))
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn is_every(self) -> bool {
        self == Self::EVERY
    }

    /// Whether it contains all architectures of another set.
    pub fn has_all(self, other: Self) -> bool {
        self.and(other) == other
    }

    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Ord for ArchSet {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.iter().cmp(other.iter())
    }
}

impl PartialOrd for ArchSet {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl FromIterator<Arch> for ArchSet {
    fn from_iter<I: IntoIterator<Item = Arch>>(some: I) -> Self {
        let mut set = Self::default();
        some.into_iter().for_each(|arch| set.insert(arch));
        set
    }
}

impl std::fmt::Display for ArchSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.iter().map(Named::name).collect();
        f.pad(&names.join(", "))
    }
}
