//! Parses statements about what a change does.

use crate::domain::version::{self, Version};
use crate::text::Failure;

/// What the author says about a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// The change strands these releases in these channels (no channels: in any). No releases: it
    /// strands nobody.
    Strands(Vec<ReleaseSpan>, Vec<String>),
    /// The change removes these updates for all clusters. Empty: it removes no updates.
    Blocks(Vec<UpdateSpan>),
    /// The change adds risks to these updates. Empty: it adds no risks.
    Conditional(Vec<UpdateSpan>),
    /// The change affects only these channels.
    Only(Vec<String>),
}

/// All releases between two versions, inclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseSpan {
    pub first: Version,
    pub last: Version,
}

/// All updates to some releases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateSpan {
    /// The origins. None: any origin.
    pub from: Option<ReleaseSpan>,
    pub to: ReleaseSpan,
}

/// The kind of change that a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StatementKind {
    Strands,
    Blocks,
    Conditional,
    Only,
}

/// One item that a statement names.
#[derive(Clone, Copy, Debug)]
pub(super) enum StatementPart<'s> {
    /// Releases in a channel. None: in any channel.
    Release(&'s ReleaseSpan, Option<&'s String>),
    Updates(&'s UpdateSpan),
    Channel(&'s String),
}

impl StatementKind {
    pub(super) const ALL: [Self; 4] = [Self::Strands, Self::Blocks, Self::Conditional, Self::Only];

    /// The verb in "the change does …".
    pub(super) fn does(self) -> &'static str {
        match self {
            Self::Strands => "strands",
            Self::Blocks => "blocks",
            Self::Conditional => "makes conditional",
            Self::Only => "changes",
        }
    }

    /// The verb in "the change does not …".
    pub(super) fn do_it(self) -> &'static str {
        match self {
            Self::Strands => "strand",
            Self::Blocks => "block",
            Self::Conditional => "make conditional",
            Self::Only => "change",
        }
    }
}

/// Examples of statements, for error messages.
const EXAMPLES: &str = "write `strands nobody`, `strands 4.18.9 in stable-4.18`, `blocks nothing`, \
                     `blocks 4.18.1 -> 4.18.2`, `conditional 4.18.3..4.18.5`, or `only stable-4.18`";

impl Statement {
    /// Parses a statement. The error says what is wrong.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let (verb, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match verb.to_ascii_lowercase().as_str() {
            "strands" | "blocks" | "conditional" | "only" if rest.is_empty() => {
                Err(Failure::new(format!("`{verb}` is incomplete")).hint(EXAMPLES))
            }
            "strands" if rest.eq_ignore_ascii_case("nobody") => {
                Ok(Self::Strands(Vec::new(), Vec::new()))
            }
            "strands" => {
                let (who, channels) = match rest.split_once(" in ") {
                    Some((who, channels)) => (who, listed(channels, channel)?),
                    None => (rest, Vec::new()),
                };
                Ok(Self::Strands(listed(who, ReleaseSpan::parse)?, channels))
            }
            "blocks" => Ok(Self::Blocks(updates(rest)?)),
            "conditional" => Ok(Self::Conditional(updates(rest)?)),
            "only" => Ok(Self::Only(listed(rest, channel)?)),
            _ => Err(Failure::new(format!("`{verb}` is not a kind of statement")).hint(EXAMPLES)),
        }
    }
}

impl Statement {
    pub(super) fn kind(&self) -> StatementKind {
        match self {
            Self::Strands(..) => StatementKind::Strands,
            Self::Blocks(_) => StatementKind::Blocks,
            Self::Conditional(_) => StatementKind::Conditional,
            Self::Only(_) => StatementKind::Only,
        }
    }

    /// The items that it names. Empty if it says that nothing happens.
    pub(super) fn parts(&self) -> Vec<StatementPart<'_>> {
        match self {
            Self::Strands(who, channels) if channels.is_empty() => {
                who.iter().map(|releases| StatementPart::Release(releases, None)).collect()
            }
            Self::Strands(who, channels) => {
                let in_each = |releases| {
                    channels.iter().map(move |name| StatementPart::Release(releases, Some(name)))
                };
                who.iter().flat_map(in_each).collect()
            }
            Self::Blocks(some) | Self::Conditional(some) => {
                some.iter().map(StatementPart::Updates).collect()
            }
            Self::Only(channels) => channels.iter().map(StatementPart::Channel).collect(),
        }
    }
}

impl std::fmt::Display for StatementPart<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Release(releases, None) => write!(f, "{releases}"),
            Self::Release(releases, Some(channel)) => write!(f, "{releases} in {channel}"),
            Self::Updates(UpdateSpan { from: Some(from), to }) => write!(f, "{from} -> {to}"),
            Self::Updates(UpdateSpan { from: None, to }) => write!(f, "any update to {to}"),
            Self::Channel(name) => f.write_str(name),
        }
    }
}

impl std::fmt::Display for ReleaseSpan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.first == self.last {
            write!(f, "{}", self.first)
        } else {
            write!(f, "{}..{}", self.first, self.last)
        }
    }
}

impl ReleaseSpan {
    /// Parses `4.18.9` or `4.18.3..4.18.5`.
    fn parse(text: &str) -> Result<Self, Failure> {
        let version = |text: &str| {
            version::parse(text.trim())
                .ok_or_else(|| Failure::new(format!("`{}` is not a version", text.trim())))
        };
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let (first, last) = (version(first)?, version(last)?);
        if last < first {
            return Err(
                Failure::new(format!("`{text}` is empty")).hint("write the older release first")
            );
        }
        Ok(Self { first, last })
    }

    pub fn hold(&self, version: &Version) -> bool {
        self.first <= *version && *version <= self.last
    }
}

impl UpdateSpan {
    /// Parses an update such as `4.18.1 -> 4.18.3`, or its target alone. Each end can be a range
    /// such as `4.18.3..4.18.5`.
    fn parse(text: &str) -> Result<Self, Failure> {
        let (from, to) = match text.split_once("->") {
            Some((from, to)) => (Some(ReleaseSpan::parse(from)?), to),
            None => (None, text),
        };
        Ok(Self { from, to: ReleaseSpan::parse(to)? })
    }
}

fn updates(text: &str) -> Result<Vec<UpdateSpan>, Failure> {
    if text.eq_ignore_ascii_case("nothing") {
        Ok(Vec::new())
    } else {
        listed(text, UpdateSpan::parse)
    }
}

fn channel(text: &str) -> Result<String, Failure> {
    let name = text.trim();
    let is_name = name.contains('-') && !name.contains(char::is_whitespace);
    if is_name {
        Ok(name.to_owned())
    } else {
        Err(Failure::new(format!("`{name}` is not the name of a channel")))
    }
}

/// Parses a list: `a`, `a, b`, or `a and b`.
fn listed<T>(text: &str, one: impl Fn(&str) -> Result<T, Failure>) -> Result<Vec<T>, Failure> {
    let parts = text.split(',').flat_map(|part| part.split(" and "));
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    let all: Vec<T> = parts.map(one).collect::<Result<_, _>>()?;
    if all.is_empty() {
        Err(Failure::new(format!("`{text}` names nothing")).hint(EXAMPLES))
    } else {
        Ok(all)
    }
}

#[cfg(test)]
#[allow(clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::{Statement, UpdateSpan};

    fn parse(text: &str) -> Statement {
        Statement::parse(text).unwrap_or_else(|why| panic!("{text}: {why}"))
    }

    #[test]
    fn statements_are_read() {
        assert_eq!(parse("strands nobody"), Statement::Strands(vec![], vec![]));
        let Statement::Strands(who, channels) = parse("strands 4.18.9 in stable-4.18, eus-4.18")
        else {
            panic!("another kind")
        };
        assert_eq!(who.len(), 1);
        assert_eq!(channels, ["stable-4.18", "eus-4.18"]);
        assert_eq!(parse("blocks nothing"), Statement::Blocks(vec![]));
        let Statement::Conditional(updates) =
            parse("Conditional 4.20.29..4.20.30 and 4.1.0 -> 4.1.1")
        else {
            panic!("another kind")
        };
        let [UpdateSpan { from: None, to }, UpdateSpan { from: Some(from), .. }] =
            updates.as_slice()
        else {
            panic!("{updates:?}")
        };
        assert_eq!((to.first.patch, to.last.patch), (29, 30));
        assert_eq!(from.first, from.last);
        assert_eq!(parse("only stable-4.18"), Statement::Only(vec!["stable-4.18".to_owned()]));
    }

    #[test]
    fn errors_show_examples_of_statements() {
        for (text, why) in [
            ("", "is not a kind of statement"),
            ("strand nobody", "`strand` is not a kind of statement; write `strands nobody`"),
            ("strands", "`strands` is incomplete"),
            ("strands 4.18", "`4.18` is not a version"),
            ("strands 4.18.9 in stable", "`stable` is not the name of a channel"),
            ("conditional 4.18.9..4.18.3", "write the older release first"),
            ("blocks ,", "names nothing"),
        ] {
            let error =
                Statement::parse(text).err().map_or_else(String::new, |why| why.to_string());
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
