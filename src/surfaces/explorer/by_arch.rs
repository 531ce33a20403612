//! Values by architecture. Nearly always, all architectures have the same value.

use crate::domain::{Arch, ArchSet};

/// Different values, each with the architectures that have it.
#[derive(Clone, Debug)]
pub(super) struct ByArch<T>(Vec<(ArchSet, T)>);

impl<T> Default for ByArch<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PartialEq> ByArch<T> {
    pub(super) fn add(&mut self, arch: Arch, thing: T) {
        match self.0.iter_mut().find(|(_, known)| *known == thing) {
            Some((arches, _)) => arches.insert(arch),
            None => self.0.push((ArchSet::from_iter([arch]), thing)),
        }
    }

    /// The values, each with its architectures as bits.
    pub(super) fn into_bits(self) -> impl Iterator<Item = (u8, T)> {
        self.0.into_iter().map(|(arches, thing)| (bits(arches), thing))
    }
}

/// Architectures as bits: the first one is the lowest.
fn bits(arches: ArchSet) -> u8 {
    arches.iter().fold(0, |bits, arch| bits | bit(arch))
}

pub(super) fn bit(arch: Arch) -> u8 {
    1 << arch.index()
}
