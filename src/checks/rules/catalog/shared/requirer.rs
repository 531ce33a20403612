//! A bundle that requires something, and what OLM does with it.

use crate::catalog::declared::BundleBlob;
use crate::catalog::simulation::Role;
use crate::rules::{CatalogSubject, whole};
use crate::text::Span;

/// A bundle with a requirement.
pub(in crate::checks::rules::catalog) struct Requirer<'a> {
    pub bundle: &'a str,
    channels: Vec<&'a str>,
    role: Option<Role>,
    /// The place of the requirement.
    pub span: Span,
}

impl<'a> Requirer<'a> {
    pub(in crate::checks::rules::catalog) fn of(
        subject: &CatalogSubject<'a>,
        bundle: &'a BundleBlob,
        span: Span,
    ) -> Self {
        let (package, name) = (&bundle.package.value, &bundle.name.value);
        let (channels, role) = subject.channels_with(package, name);
        Self { bundle: name, channels, role, span }
    }

    /// Whether OLM installs it or updates to it.
    pub(in crate::checks::rules::catalog) fn is_installed(&self) -> bool {
        matches!(self.role, Some(Role::Head | Role::Target))
    }

    /// The bundle with its channel and role.
    pub(in crate::checks::rules::catalog) fn in_words(&self) -> String {
        let role = match self.role {
            Some(Role::Head) => "head of",
            Some(Role::Target) => "target in",
            Some(Role::Skipped) => "skipped in",
            Some(Role::OffChain) => "not installable in",
            None => return format!("`{}`", whole(self.bundle)),
        };
        let channel = match self.channels.as_slice() {
            [only] => format!("channel `{}`", whole(only)),
            [first, others @ ..] => {
                format!("channel `{}` and {} more", whole(first), others.len())
            }
            [] => String::new(),
        };
        format!("`{}` ({role} {channel})", whole(self.bundle))
    }
}

/// Sorts by role: bundles that OLM installs come first, and heads before others. The sort is
/// stable.
pub(in crate::checks::rules::catalog) fn by_role(requirers: &mut [Requirer<'_>]) {
    requirers.sort_by_key(|requirer| (requirer.role.is_none(), requirer.role));
}
