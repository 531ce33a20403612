//! Which substitutions a catalog or a template requests, and what is wrong with them.

use std::collections::BTreeMap;

use crate::domain::HashMap;
use crate::text::{SourceId, Span};

use super::super::assemble::version_of;
use super::super::declared::{BundleBlob, Declared, Substitution};
use super::chains::{Chains, Contradiction};
use super::fault::{FaultKind, SubstitutionFault};

/// A request that one bundle takes the place of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request<'d> {
    pub span: Span,
    pub package: &'d str,
    pub substitute: &'d str,
    /// The bundle that is rebuilt.
    pub base: &'d str,
    /// Whether a template requests it. If so, the rebuild gets an entry wherever its base has one.
    pub is_of_template: bool,
    /// Whether the bundle is known. If not, `substitute` is its image.
    pub is_known: bool,
}

/// All substitutions of a catalog.
#[derive(Debug, Default)]
pub struct Requests<'d> {
    by_package: BTreeMap<&'d str, Vec<Request<'d>>>,
    pub faults: Vec<SubstitutionFault>,
}

impl<'d> Requests<'d> {
    /// Finds the substitutions. Bundles of templates are found by their images.
    pub fn of(declared: &'d Declared) -> Self {
        let mut requests = Self::default();
        for bundle in &declared.bundles {
            requests.of_bundle(bundle);
        }
        if requests.by_package.is_empty() && declared.substitutions.is_empty() {
            return requests;
        }
        let images: HashMap<&str, &BundleBlob> =
            declared.bundles.iter().map(|bundle| (bundle.image.value.as_str(), bundle)).collect();
        for substitution in &declared.substitutions {
            requests.of_template(substitution, &images);
        }
        let known = declared.bundles.iter();
        let known = known.map(|bundle| ((&*bundle.package.value, &*bundle.name.value), bundle));
        let known = known.collect();
        let mut faults = Vec::new();
        // A bundle in an unknown image may be the base of another one, so bases are checked only if
        // all images are known.
        let is_clear = requests.by_package.values().flatten().all(|request| request.is_known);
        for request in requests.by_package.values().flatten().filter(|_| is_clear) {
            faults.extend(fault_of_base(request, &known));
        }
        for (package, requests) in &requests.by_package {
            if let Err(contradictions) = chains(requests) {
                let at = Places::of(requests);
                faults.extend(contradictions.into_iter().map(|one| at.fault(package, one)));
            }
        }
        requests.faults.append(&mut faults);
        requests
    }

    fn of_bundle(&mut self, bundle: &'d BundleBlob) {
        let Some(base) = bundle.substitutes_for() else { return };
        let request = Request {
            span: base.span,
            package: &bundle.package.value,
            substitute: &bundle.name.value,
            base: &base.value,
            is_of_template: false,
            is_known: true,
        };
        self.by_package.entry(request.package).or_default().push(request);
    }

    fn of_template(
        &mut self,
        substitution: &'d Substitution,
        images: &HashMap<&str, &'d BundleBlob>,
    ) {
        let (image, base) = (&substitution.image.value, &substitution.base.value);
        let fault = |kind| SubstitutionFault {
            span: substitution.span,
            related: Vec::new(),
            package: None,
            kind,
        };
        if image.is_empty() || base.is_empty() {
            self.faults.push(fault(FaultKind::Incomplete));
            return;
        }
        let bundle = images.get(image.as_str()).copied();
        if bundle.is_none() {
            self.faults.push(fault(FaultKind::UnknownImage { image: image.clone() }));
        }
        let package = bundle.map_or("", |bundle| &bundle.package.value);
        self.by_package.entry(package).or_default().push(Request {
            span: substitution.span,
            package,
            substitute: bundle.map_or(image, |bundle| &bundle.name.value),
            base,
            is_of_template: true,
            is_known: bundle.is_some(),
        });
    }

    /// Whether nothing asks for a substitution.
    pub fn is_empty(&self) -> bool {
        self.by_package.is_empty() && self.faults.is_empty()
    }

    /// The packages with requests, sorted by name. The requests are in the order of the files.
    pub fn packages(&self) -> impl Iterator<Item = (&'d str, &[Request<'d>])> {
        self.by_package.iter().map(|(package, requests)| (*package, requests.as_slice()))
    }
}

/// The chains of the substitutions of one package.
pub fn chains(requests: &[Request<'_>]) -> Result<Chains, Vec<Contradiction>> {
    Chains::of(requests.iter().map(|request| (request.substitute, request.base)))
}

fn fault_of_base(
    request: &Request<'_>,
    known: &HashMap<(&str, &str), &BundleBlob>,
) -> Option<SubstitutionFault> {
    let bundle = |name| known.get(&(request.package, name)).copied();
    let (substitute, base) = (request.substitute.to_owned(), request.base.to_owned());
    let kind = match bundle(request.base) {
        None => FaultKind::UnknownBase { substitute, base },
        Some(blob) => {
            let (old, new) = (version_of(blob)?, version_of(bundle(request.substitute)?)?);
            // A bundle that names itself is reported as a circle.
            if substitute == base || new.compare(&old).is_gt() {
                return None;
            }
            FaultKind::NotHigher { substitute, base }
        }
    };
    let package = Some(request.package.to_owned());
    Some(SubstitutionFault { span: request.span, related: Vec::new(), package, kind })
}

/// The places of the substitutions of a package.
struct Places<'r> {
    by_base: HashMap<&'r str, Vec<Span>>,
    by_substitute: HashMap<&'r str, Vec<Span>>,
}

impl<'r> Places<'r> {
    fn of(requests: &'r [Request<'_>]) -> Self {
        let mut places = Self { by_base: HashMap::default(), by_substitute: HashMap::default() };
        for request in requests {
            places.by_base.entry(request.base).or_default().push(request.span);
            places.by_substitute.entry(request.substitute).or_default().push(request.span);
        }
        places
    }

    fn fault(&self, package: &str, contradiction: Contradiction) -> SubstitutionFault {
        let of = |places: &HashMap<&str, Vec<Span>>, name: &String| -> Vec<Span> {
            places.get(name.as_str()).cloned().unwrap_or_default()
        };
        let mut places = match &contradiction {
            Contradiction::TwoSubstitutes { base, .. } => of(&self.by_base, base),
            Contradiction::TwoBases { substitute, .. } => of(&self.by_substitute, substitute),
            Contradiction::Cycle { names } => {
                names.iter().flat_map(|name| of(&self.by_substitute, name)).collect()
            }
        };
        places.sort();
        places.dedup();
        let mut places = places.into_iter();
        let start = Span::new(SourceId::at(0), 0..0);
        SubstitutionFault {
            span: places.next().unwrap_or(start),
            related: places.collect(),
            package: Some(package.to_owned()),
            kind: FaultKind::Contradiction(contradiction),
        }
    }
}
