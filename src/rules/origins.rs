//! What the rules about `from` share: declarations that say the same, and sets of
//! releases in words.

use std::collections::HashMap;
use std::ops::Range;

use regex_syntax::ast::Ast;
use regex_syntax::ast::parse::Parser;

use crate::domain::Version;
use crate::graph_data::{BlockedEdge, GraphData, Match, Pattern, Reached, ReleaseId, Walk};
use crate::text::{Span, Spanned};

use super::{Finding, shortened};

/// So many copies are pointed at.
const MOST: usize = 1000;

/// Declarations of one risk (or of blocks) with one pattern: copies of each other, of
/// which a finding speaks once.
pub(super) struct Copies<'a> {
    /// The pattern, where the first declaration has it.
    pub(super) from: &'a Spanned<String>,
    /// The pattern, understood.
    pub(super) pattern: &'a Pattern,
    /// The declarations, in the order of their files.
    pub(super) edges: Vec<&'a BlockedEdge>,
}

/// Every usable `from`, with the declarations that share it.
pub(super) fn copies(data: &GraphData) -> Vec<Copies<'_>> {
    let mut groups: Vec<Copies<'_>> = Vec::new();
    let mut by_text: HashMap<(Option<&str>, &str), usize> = HashMap::new();
    for edge in &data.blocked_edges {
        let Some(from) = &edge.from else { continue };
        // An absent value has a rule of its own.
        let Some(pattern) = data.patterns.get(&from.value).filter(|_| !from.value.is_empty())
        else {
            continue;
        };
        let name = edge.name.as_ref().map(|name| name.value.as_str());
        let at = *by_text.entry((name, &from.value)).or_insert_with(|| {
            groups.push(Copies { from, pattern, edges: Vec::new() });
            groups.len() - 1
        });
        groups[at].edges.push(edge);
    }
    groups
}

impl Copies<'_> {
    /// What the pattern matches of the releases from which `target` may be reached.
    pub(super) fn origins_of<'c>(
        &'c self,
        data: &'c GraphData,
        target: &'c Version,
    ) -> impl Iterator<Item = &'c Reached> {
        let possible = data.releases.possible_origins(target);
        self.pattern.reach.iter().flat_map(move |reach| reach.within(&possible))
    }

    /// The possible origins whose match is owed to one thing.
    pub(super) fn matched_by(&self, why: Match) -> Vec<ReleaseId> {
        let origins = self.pattern.reach.iter().flat_map(|reach| &reach.origins);
        origins.filter(|reached| reached.why == why).map(|reached| reached.release).collect()
    }

    /// Whether the pattern matches a release from which some target may be reached.
    pub(super) fn reaches(&self, release: ReleaseId) -> bool {
        let is_it = |reached: &Reached| reached.release.cmp(&release);
        self.pattern.reach.as_ref().is_some_and(|r| r.origins.binary_search_by(is_it).is_ok())
    }

    /// The place of bytes of the pattern in the first declaration.
    pub(super) fn span(&self, data: &GraphData, at: Range<usize>) -> Span {
        self.span_in(data, 0, at)
    }

    /// The place of bytes of the pattern in one of the declarations.
    pub(super) fn span_in(&self, data: &GraphData, copy: usize, at: Range<usize>) -> Span {
        let edge = self.edges[copy];
        let node = edge.from_node;
        node.and_then(|node| data.span_within(edge.file, node, at)).unwrap_or(self.from.span)
    }

    /// Points at the copies of the first declaration.
    pub(super) fn point_at_copies(&self, finding: Finding) -> Finding {
        let others = self.edges[1..].iter().take(MOST).filter_map(|edge| edge.from.as_ref());
        others.fold(finding, |finding, from| finding.related(from.span, "the same pattern"))
    }

    /// The declarations that the finding speaks of, in words.
    pub(super) fn targets(&self) -> String {
        let targets = self.edges.iter().filter_map(|edge| edge.to.as_ref());
        listed(targets.map(|to| format!("`{}`", shortened(&to.value))).collect())
    }
}

/// A few things by name, the rest by number: `a, b and 3 more`.
pub(super) fn listed(mut things: Vec<String>) -> String {
    const MOST: usize = 4;
    match things.len() {
        0 => String::new(),
        1 => things.remove(0),
        n if n <= MOST => {
            let last = things.pop().unwrap_or_default();
            format!("{} and {last}", things.join(", "))
        }
        n => format!("{} and {} more", things[..MOST - 1].join(", "), n - (MOST - 1)),
    }
}

/// Releases in words, runs of neighbours as ranges: `4.17.0–4.17.9, 4.17.12`.
pub(super) fn ranges(data: &GraphData, releases: &[ReleaseId]) -> String {
    let text = |id: ReleaseId| data.releases.get(id).text.as_str();
    let mut runs: Vec<(ReleaseId, ReleaseId, usize)> = Vec::new();
    for id in releases {
        match runs.last_mut() {
            Some((_, last, n)) if data.releases.are_neighbours(*last, *id) => {
                (*last, *n) = (*id, *n + 1);
            }
            _ => runs.push((*id, *id, 1)),
        }
    }
    let words = runs.iter().flat_map(|(first, last, n)| match n {
        1 => vec![text(*first).to_owned()],
        2 => vec![text(*first).to_owned(), text(*last).to_owned()],
        _ => vec![format!("{}–{}", text(*first), text(*last))],
    });
    listed(words.collect())
}

/// A likely slip in a pattern, and what was meant.
pub(super) struct Slip {
    pub(super) why: &'static str,
    pub(super) better: String,
}

/// A slip in `part` of a pattern, of which it can be shown that it was one: mended, the part
/// matches a known release.
pub(super) fn slip(data: &GraphData, pattern: &str, part: Range<usize>) -> Option<Slip> {
    let (before, text, after) =
        (&pattern[..part.start], &pattern[part.clone()], &pattern[part.end..]);
    let mended = [
        ("a dot is missing before a number", with_dots(text)),
        ("there is a `.` too many", without_wild_dots(text)),
        ("there is a bracket too many", without_stray_brackets(text)),
        ("there is a dot too many", text.replace("[.][.]", "[.]").replace(r"\.\.", r"\.")),
        (NO_ROOM, text.replace('$', "[+].*$")),
    ];
    let mended = mended.into_iter().filter(|(_, better)| better != text);
    let mended = mended.map(|(why, better)| (why, better, after.to_owned()));
    // The `$` that closes a pattern stands behind the part that it spoils.
    let closed = (NO_ROOM, text.to_owned(), after.replace('$', "[+].*$"));
    let closed = (closed.2 != after).then_some(closed);
    mended.chain(closed).find_map(|(why, better, after)| {
        let whole = format!("{before}{better}{after}");
        // Of the whole, only what goes by way of the mended part counts.
        let walk = Walk::of(&whole)?;
        let end = part.start + better.len();
        let at = walk.branches().position(|branch| *branch == (part.start..end));
        let matches = |served: &str| match at {
            Some(branch) => walk.matches_through(branch, served) == Some(true),
            None => walk.explain(served).is_some(),
        };
        let found = data.releases.iter().any(|(_, release)| matches(&release.served));
        found.then(|| Slip { why, better: if why == NO_ROOM { whole } else { better } })
    })
}

const NO_ROOM: &str = "`$` leaves no room for the architecture";

/// `ec[0-2]` with the dot that such pre-releases have: `ec[.][0-2]`.
fn with_dots(text: &str) -> String {
    let mut mended = text.to_owned();
    for kind in ["ec", "fc", "rc"] {
        for next in ["[0-9", "[1-9", "("] {
            mended = mended.replace(&format!("-{kind}{next}"), &format!("-{kind}[.]{next}"));
        }
        for digit in '0'..='9' {
            mended = mended
                .replace(&format!("-{kind}{digit}"), &format!("-{kind}[.]{digit}"))
                .replace(&format!("-{kind}[{digit}"), &format!("-{kind}[.][{digit}"));
        }
    }
    mended
}

/// The text without a lone `.` between a dot and a number.
fn without_wild_dots(text: &str) -> String {
    let mut mended = text.to_owned();
    for dot in ["[.]", r"\."] {
        for next in ["[", "("] {
            mended = mended.replace(&format!("{dot}.{next}"), &format!("{dot}{next}"));
        }
    }
    mended
}

/// The text without a `]` that closes nothing.
fn without_stray_brackets(text: &str) -> String {
    let mut open = false;
    let keep = |c: &char| {
        let stray = *c == ']' && !open;
        open = *c == '[' || open && *c != ']';
        !stray
    };
    text.chars().filter(keep).collect()
}

/// Looks at every part of a pattern's syntax.
pub(super) fn syntax(pattern: &str, look: &mut dyn FnMut(&Ast)) {
    // The parser allows 250 levels, so depth is no danger; a long pattern is no person's.
    if pattern.len() > Walk::LONGEST {
        return;
    }
    if let Ok(ast) = Parser::new().parse(pattern) {
        each(&ast, look);
    }
}

fn each(ast: &Ast, look: &mut dyn FnMut(&Ast)) {
    look(ast);
    match ast {
        Ast::Group(group) => each(&group.ast, look),
        Ast::Repetition(repetition) => each(&repetition.ast, look),
        Ast::Concat(concat) => concat.asts.iter().for_each(|ast| each(ast, look)),
        Ast::Alternation(alternation) => alternation.asts.iter().for_each(|ast| each(ast, look)),
        _ => {}
    }
}
