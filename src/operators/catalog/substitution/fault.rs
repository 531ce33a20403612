//! What is wrong with a substitution.

use crate::text::Span;
use crate::text::words::{list_all, listed, quoted};

use super::chains::Contradiction;

/// A substitution that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubstitutionFault {
    pub span: Span,
    /// The places of other substitutions that contradict it.
    pub related: Vec<Span>,
    /// None if it is not known.
    pub package: Option<String>,
    pub kind: FaultKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    Contradiction(Contradiction),
    /// The base is not a bundle of the package. References to its name still count.
    UnknownBase {
        substitute: String,
        base: String,
    },
    /// The rebuild does not have a higher version than its base. opm refuses that.
    NotHigher {
        substitute: String,
        base: String,
    },
    /// It is not known which bundle the image contains.
    UnknownImage {
        image: String,
    },
    /// A substitution in a template that lacks a name or a base.
    Incomplete,
}

impl FaultKind {
    /// Whether it prevents all substitutions in the package.
    pub fn is_fatal(&self) -> bool {
        match self {
            Self::Contradiction(_) | Self::UnknownImage { .. } | Self::Incomplete => true,
            Self::UnknownBase { .. } | Self::NotHigher { .. } => false,
        }
    }

    /// What is wrong, and what it causes.
    pub fn message(&self) -> String {
        match self {
            Self::Contradiction(Contradiction::TwoSubstitutes { base, substitutes }) => format!(
                "{} substitute for `{base}`, so it is not clear which of them is the latest",
                list_all(&quoted(substitutes), "and")
            ),
            Self::Contradiction(Contradiction::TwoBases { substitute, bases }) => format!(
                "`{substitute}` substitutes for {}, and a bundle can substitute for one",
                list_all(&quoted(bases), "and")
            ),
            Self::Contradiction(Contradiction::Cycle { names }) => match names.as_slice() {
                [name] => format!("`{name}` substitutes for itself"),
                names => format!(
                    "{} substitute for each other in a circle, so none of them is the latest",
                    listed(&quoted(names), "and")
                ),
            },
            Self::UnknownBase { substitute, base } => format!(
                "`{substitute}` substitutes for `{base}`, and the package has no such bundle"
            ),
            Self::NotHigher { substitute, base } => format!(
                "`{substitute}` substitutes for `{base}`, and its version is not higher: opm \
                 refuses that in a template, and OLM v1 never installs it"
            ),
            Self::UnknownImage { image } => {
                format!(
                    "the bundle in the image `{image}` is not known, because no image is pulled"
                )
            }
            Self::Incomplete => {
                "this substitution lacks the image in `name` or the bundle in `base`".to_owned()
            }
        }
    }

    /// What to do.
    pub fn help(&self) -> String {
        match self {
            Self::Contradiction(Contradiction::TwoSubstitutes { .. }) => {
                "let the later rebuild substitute for the earlier one".to_owned()
            }
            Self::Contradiction(Contradiction::TwoBases { .. }) => {
                "name the bundle that was rebuilt".to_owned()
            }
            Self::Contradiction(Contradiction::Cycle { .. }) => {
                "let each rebuild substitute for the bundle that it was built from".to_owned()
            }
            Self::UnknownBase { .. } => {
                "check the name; if the bundle was removed, nothing is wrong".to_owned()
            }
            Self::NotHigher { base, .. } => {
                format!("give the rebuild a version or a release above that of `{base}`")
            }
            Self::UnknownImage { image } => {
                format!("add what `opm render {image}` prints: `--rendered FILE`")
            }
            Self::Incomplete => "add what is missing".to_owned(),
        }
    }
}
